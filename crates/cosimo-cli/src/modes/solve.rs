//! Equilibrium and modes at one speed.

use cosimo::dynamics::ConstrainedSystem;
use cosimo::model::{ModelSpec, SteadySystem};
use cosimo::multibody::modes::{Equilibrium, Mode, ModesError, Turning, modes};
use cosimo::multibody::spatial::SpatialSystem;
use cosimo::nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::blades::{Placed, blades};
use super::vibrations::Vibrations;
use super::{pattern, shape};
use crate::args::ModesArgs;
use crate::failure::Failure;

/// Eigenvalues (1/s), relative to those of the modes wanted, below which a motion has no frequency. A double eigenvalue of zero
/// splits by the root of the round-off of stiff motions.
const RIGID: f64 = 1e-4;
/// Modes asked for besides those wanted: at another speed they may be among the lowest.
const BESIDES: usize = 12;
/// Frequency (rad/s) that the solution is accurate about at first, where the turn is not faster.
const GUESS: f64 = 10.0;
/// Ratio of the frequency that the solution is accurate about to one wanted, from which it is solved anew.
const FAR: f64 = 30.0;
/// Difference of positions (m, or of a quaternion) of an equilibrium that has turned, relative to `1 + max |q|`.
const STEADY: f64 = 1e-6;
/// Difference of eigenvalues, relative to their size, after a part of a turn in air that is steady.
const SAME_LATER: f64 = 1e-4;
/// How often the inflow is taken from the equilibrium, and this found again.
const INFLOWS: usize = 3;

/// Solves speed after speed, from one equilibrium to the next.
#[derive(Debug)]
pub(super) struct Solver<'m> {
    model: &'m ModelSpec,
    subsystem: &'m str,
    axis: Vector3<f64>,
    count: usize,
    /// The last equilibrium.
    start: Option<Vec<f64>>,
    /// Of the order of the frequencies wanted (rad/s).
    near: Option<f64>,
}

impl<'m> Solver<'m> {
    pub(super) fn new(model: &'m ModelSpec, subsystem: &'m str, args: &ModesArgs) -> Self {
        let (axis, count) = (Vector3::from(args.axis.0).normalize(), usize::from(args.count));
        Self { model, subsystem, axis, count, start: None, near: None }
    }

    /// The modes at a speed (rad/s): with the air, where there is some and it is steady.
    pub(super) fn at(&mut self, speed: f64) -> Result<Vibrations, Failure> {
        if !self.model.has_air(self.subsystem) {
            return self.in_air(speed, false);
        }
        let (start, near) = (self.start.clone(), self.near);
        let failure = match self.in_air(speed, true) {
            Ok(found) => return Ok(found),
            Err(failure) => failure.to_string(),
        };
        (self.start, self.near) = (start, near);
        let reason = failure.trim_start_matches("error: ");
        let reason =
            reason.strip_prefix(&self.place(speed)).map_or(reason, |rest| rest.trim_start_matches(": "));
        Ok(Vibrations { airless: Some(reason.to_owned()), ..self.in_air(speed, false)? })
    }

    /// What is solved, for messages.
    fn place(&self, speed: f64) -> String {
        format!("subsystem `{}` at {speed} rad/s", self.subsystem)
    }

    fn in_air(&mut self, speed: f64, has_air: bool) -> Result<Vibrations, Failure> {
        let spin = (self.axis * speed).into();
        let (model, subsystem) = (self.model, self.subsystem);
        let prepared = if has_air {
            model.steady_system_in_air(subsystem, spin)
        } else {
            model.steady_system(subsystem, spin)
        };
        let SteadySystem { mut equations, time, changes } = prepared.map_err(Failure::bad_input)?;
        let place = self.place(speed);
        let refuse = |error: ModesError| Failure::failed(format!("{place}: {error}"));
        let start = self.start.clone().unwrap_or_else(|| equations.initial_position());
        let turning = Turning::about_origin(spin);
        let mut found = Equilibrium::find(&equations, time, &start, turning).map_err(refuse)?;
        for _ in 0..if has_air { INFLOWS } else { 0 } {
            equations.start(found.motion());
            found = Equilibrium::find(&equations, time, &found.q, turning).map_err(refuse)?;
        }
        let later = if speed == 0.0 { None } else { Some(self.later(&equations, &found, speed)?) };
        let free = found.free_motions(&equations).map_err(refuse)?;
        let modes = self.modes(&equations, &found, (speed, free.len())).map_err(refuse)?;
        if let Some(later) = later.filter(|_| has_air) {
            let after = self.modes(&equations, &later, (speed, free.len())).map_err(refuse)?;
            let is_same = modes
                .iter()
                .zip(&after)
                .take(self.count)
                .all(|(a, b)| (a.eigenvalue - b.eigenvalue).norm() <= SAME_LATER * a.eigenvalue.norm());
            if !is_same {
                return Err(Failure::failed(format!("{place}: the air is not steady in axes that turn")));
            }
        }
        let bodies = placed(&equations, &found);
        self.start = Some(found.q);
        let axis = if speed < 0.0 { -self.axis } else { self.axis };
        let (blades, masses) = (blades(&bodies, axis), shape::masses(&equations));
        let mut found =
            Vibrations { speed, modes, free, changes, bodies, axis, blades, masses, airless: None };
        pattern::resolve(&mut found);
        Ok(found)
    }

    /// The modes wanted and some more, without those of so many motions that nothing holds; once more where the first guess of their
    /// frequencies was far off.
    fn modes(
        &mut self,
        system: &SpatialSystem,
        found: &Equilibrium,
        (speed, free): (f64, usize),
    ) -> Result<Vec<Mode>, ModesError> {
        let guess = self.near.unwrap_or_else(|| speed.abs().max(GUESS));
        let count = self.count + BESIDES + 2 * free;
        let first = modes(system, found, (count, guess))?;
        let mut sizes: Vec<f64> = first.iter().map(|mode| mode.eigenvalue.norm()).collect();
        sizes.sort_by(f64::total_cmp);
        let near = sizes.get(sizes.len() / 2).copied().filter(|size| *size > RIGID * guess).unwrap_or(guess);
        self.near = Some(near);
        let is_far = near > FAR * guess || guess > FAR * near;
        let mut all = if is_far { modes(system, found, (count, near))? } else { first };
        // A motion that nothing holds has two eigenvalues of zero, or one where a damper slows it. Of a pair of conjugates there is one.
        let mut left = 2 * free;
        all.retain(|mode| {
            let own = if mode.eigenvalue.im > 0.0 { 2 } else { 1 };
            let is_free = own <= left && mode.eigenvalue.norm() <= RIGID * near;
            left -= if is_free { own } else { 0 };
            !is_free
        });
        Ok(all)
    }

    /// The equilibrium after a turn by one radian, from this one turned; refuses what keeps a direction of the world while the system
    /// turns, with which it would be another one.
    fn later(&self, system: &SpatialSystem, found: &Equilibrium, speed: f64) -> Result<Equilibrium, Failure> {
        let turned = turned(&found.q, self.axis);
        let later = Equilibrium::find(system, found.time + 1.0 / speed, &turned, found.turning);
        let largest = turned.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let is_turned =
            |later: &Equilibrium| later.q.iter().zip(&turned).all(|(a, b)| (a - b).abs() <= STEADY * largest);
        later.ok().filter(is_turned).ok_or_else(|| {
            Failure::failed(format!(
                "{}: the turn is not steady: a force or joint to the ground keeps its direction while the system turns; remove it \
                 with --unset, or turn about its axis",
                self.place(speed)
            ))
        })
    }
}

/// Positions turned about an axis through the origin.
fn turned(q: &[f64], by: Vector3<f64>) -> Vec<f64> {
    let turn = UnitQuaternion::from_scaled_axis(by);
    let one = |q: &[f64]| {
        let x = turn * Vector3::new(q[0], q[1], q[2]);
        let r = turn.quaternion() * Quaternion::new(q[3], q[4], q[5], q[6]);
        [x.x, x.y, x.z, r.w, r.i, r.j, r.k]
    };
    q.chunks_exact(7).flat_map(one).collect()
}

fn placed(system: &SpatialSystem, found: &Equilibrium) -> Vec<Placed> {
    let one = |(number, name): (usize, &String)| {
        let state = system.body_state(number, &found.q, &found.v);
        let position = state.map_or_else(Vector3::zeros, |state| state.position);
        let orientation = state.map_or_else(UnitQuaternion::identity, |state| state.orientation);
        Placed { name: name.clone(), position, orientation }
    };
    let names: Vec<String> = system.bodies().iter().map(|body| body.name.clone()).collect();
    names.iter().enumerate().map(one).collect()
}

/// What differs from the system that runs, each once, and at which speeds there is no air.
pub(super) fn notes(found: &[Vibrations]) -> Vec<String> {
    let mut airless: Vec<(&str, Vec<String>)> = Vec::new();
    for own in found {
        let Some(reason) = own.airless.as_deref() else { continue };
        match airless.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, speeds)) => speeds.push(own.speed.to_string()),
            None => airless.push((reason, vec![own.speed.to_string()])),
        }
    }
    let without = |(reason, speeds): (&str, Vec<String>)| {
        format!("the air is not taken at {} rad/s: {reason}", speeds.join(", "))
    };
    let mut notes: Vec<String> = airless.into_iter().map(without).collect();
    for note in found.iter().flat_map(|own| &own.changes).map(ToString::to_string) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}
