//! Derivatives of a unit.
//!
//! | mode | of | with respect to | is |
//! |---|---|---|---|
//! | step | motion of ports | loads | the change at the end of the last step for loads that were constant over it |
//! | step | signals, quantities | inputs | the change at once |
//! | event | velocities | impulses | the change at the instant |
//!
//! The first follows from the responses of the subsystems with all joints, exactly. Where no linear answer tells, as with contacts that the unit
//! carries itself, with several inner steps, or where rules that remember loads begin anew, the step is repeated with other loads.

use cosimo_master::RowChanges;

use crate::ExportModelError;
use crate::exposed::Role;
use crate::state::LastStep;
use crate::unit::ModelUnit;

/// Change of velocities, relative to them, that differences aim at.
const CHANGE: f64 = 1e-5;
/// Speed (m/s) of what stands still.
const SLOW: f64 = 1e-3;
/// Change of an input, relative to it, for what it feeds at once.
const INPUT_CHANGE: f64 = 1e-6;
/// How often differences look for the size of their loads.
const TRIALS: usize = 3;

/// Whose changes are asked for, and by what changes of loads, by their places.
#[derive(Clone, Copy)]
struct Asked<'a> {
    unknowns: &'a [Option<Role>],
    loads: &'a [(usize, f64)],
}

impl ModelUnit {
    /// Changes of the scalars `unknowns` for changes of the scalars `knowns` by `seed`.
    pub(crate) fn derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, ExportModelError> {
        let role = |scalar: &u32| self.exposed.roles.get(*scalar as usize).cloned();
        let (mut loads, mut inputs, mut impulses) = (Vec::new(), Vec::new(), Vec::new());
        for (known, change) in knowns.iter().zip(seed).filter(|(_, change)| **change != 0.0) {
            match role(known) {
                Some(Role::Given(place)) if self.row_load(place, 0.0).is_some() => {
                    loads.push((place, *change))
                }
                Some(Role::Given(place)) => inputs.push((place, *change)),
                Some(Role::Impulse(place)) => impulses.push((place, *change)),
                _ => {}
            }
        }
        let unknowns: Vec<Option<Role>> = unknowns.iter().map(role).collect();
        let mut found = vec![0.0; unknowns.len()];
        if !impulses.is_empty() && self.in_events {
            let acting: Vec<_> = impulses.iter().filter_map(|(p, load)| self.row_load(*p, *load)).collect();
            let changes = self.master.impulse_response(&acting, self.inner_size)?;
            self.add_changes(&unknowns, &changes, &mut found);
        }
        if !loads.is_empty() && !self.in_events {
            self.add_step_response(&unknowns, &loads, &mut found)?;
        }
        if !inputs.is_empty() {
            self.add_feed_through(&unknowns, &inputs, &mut found)?;
        }
        Ok(found)
    }

    fn add_step_response(
        &mut self,
        unknowns: &[Option<Role>],
        loads: &[(usize, f64)],
        found: &mut [f64],
    ) -> Result<(), ExportModelError> {
        let acting: Vec<_> = loads.iter().filter_map(|(place, load)| self.row_load(*place, *load)).collect();
        let is_single =
            self.last_step.as_ref().is_none_or(|last| last.size <= self.model.time.step * (1.0 + 1e-9));
        if let Some(changes) = is_single.then(|| self.master.step_response(&acting)).flatten() {
            self.add_changes(unknowns, &changes, found);
            return Ok(());
        }
        match self.last_step.take() {
            Some(last) => {
                let differences = self.difference_step(&last, Asked { unknowns, loads }, found);
                self.last_step = Some(last);
                differences
            }
            None if self.is_started => Err(ExportModelError::NoResponse),
            None => Ok(()),
        }
    }

    /// Adds what motion changes by, of the unknowns that are motion.
    fn add_changes(&self, unknowns: &[Option<Role>], changes: &RowChanges, found: &mut [f64]) {
        for (out, role) in found.iter_mut().zip(unknowns) {
            *out += match role {
                Some(Role::Position(subsystem, row)) => changes.of(*subsystem, *row)[0],
                Some(Role::Velocity(subsystem, row)) => changes.of(*subsystem, *row)[1],
                Some(Role::Orientation(subsystem, frame, k)) => {
                    self.turned(changes, (*subsystem, *frame), *k)
                }
                _ => 0.0,
            };
        }
    }

    /// Change of a component of a quaternion for that of the rotation increments `φ` of its frame: `δq = ½ φ ⊗ q`.
    fn turned(&self, changes: &RowChanges, (subsystem, frame): (usize, usize), k: usize) -> f64 {
        let own = &self.master.subsystems()[subsystem];
        let row = own.description().frames().find(|(_, place)| *place == frame).map(|(row, _)| row + 3);
        let Some(row) = row else { return 0.0 };
        let [x, y, z] = [0, 1, 2].map(|k| 0.5 * changes.of(subsystem, row + k)[0]);
        let q = own.rows().orientations[frame];
        [
            -x * q.i - y * q.j - z * q.k,
            x * q.w + y * q.k - z * q.j,
            y * q.w + z * q.i - x * q.k,
            z * q.w + x * q.j - y * q.i,
        ][k]
    }

    /// The last step under other loads, and back.
    fn difference_step(
        &mut self,
        last: &LastStep,
        asked: Asked<'_>,
        found: &mut [f64],
    ) -> Result<(), ExportModelError> {
        let end = self.state()?;
        // What a trial warns of has not happened.
        let silence = tracing::subscriber::NoSubscriber::new();
        let result = tracing::subscriber::with_default(silence, || self.difference_from(last, asked, found));
        self.put_back(&end)?;
        result
    }

    fn difference_from(
        &mut self,
        last: &LastStep,
        Asked { unknowns, loads }: Asked<'_>,
        found: &mut [f64],
    ) -> Result<(), ExportModelError> {
        let motion_at = |this: &mut Self, share: f64| -> Result<Vec<f64>, ExportModelError> {
            this.put_back(&last.start)?;
            for (place, load) in loads {
                this.given.set(*place, this.given.get(*place) + share * load);
            }
            this.take_steps(last.size)?;
            Ok(unknowns
                .iter()
                .map(|role| role.as_ref().and_then(|role| this.motion(role)).unwrap_or(0.0))
                .collect())
        };
        let base = motion_at(self, 0.0)?;
        let speed = self.largest_speed().max(SLOW);
        let mut share = 1.0;
        for _ in 0..TRIALS {
            let kicked = motion_at(self, share)?;
            let change = kicked.iter().zip(&base).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            let ratio = if change > 0.0 { CHANGE * speed / change } else { 1e6 };
            share *= ratio;
            if (0.1..10.0).contains(&ratio) {
                break;
            }
        }
        let (above, below) = (motion_at(self, share)?, motion_at(self, -share)?);
        for (out, (above, below)) in found.iter_mut().zip(above.iter().zip(&below)) {
            *out += (above - below) / (2.0 * share);
        }
        Ok(())
    }

    fn largest_speed(&self) -> f64 {
        let rows = self.exposed.rows.iter().flatten();
        let speeds =
            rows.map(|(subsystem, row)| self.master.subsystems()[*subsystem].rows().velocities[*row]);
        speeds.fold(0.0, |most: f64, v| most.max(v.abs()))
    }

    /// What signals and quantities do at once.
    fn add_feed_through(
        &mut self,
        unknowns: &[Option<Role>],
        inputs: &[(usize, f64)],
        found: &mut [f64],
    ) -> Result<(), ExportModelError> {
        let before = self.given.values();
        let size = inputs.iter().fold(1.0_f64, |most, (place, _)| most.max(before[*place].abs()));
        let share = INPUT_CHANGE * size;
        let mut shown = [Vec::new(), Vec::new()];
        for (out, sign) in shown.iter_mut().zip([1.0, -1.0]) {
            for (place, change) in inputs {
                self.given.set(*place, before[*place] + sign * share * change);
            }
            let told = self.show();
            self.given.set_all(&before);
            told?;
            let number = |role: &Option<Role>| match role {
                Some(role @ (Role::Signal(_) | Role::Quantity(_))) => self.value(role).real().unwrap_or(0.0),
                _ => 0.0,
            };
            *out = unknowns.iter().map(number).collect();
        }
        self.show()?;
        let [above, below] = shown;
        for (out, (above, below)) in found.iter_mut().zip(above.iter().zip(&below)) {
            *out += (above - below) / (2.0 * share);
        }
        Ok(())
    }
}
