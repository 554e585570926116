//! Where forces balance, at rest or turning steadily.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use nalgebra::{DMatrix, DVector};

use super::ModesError;
use super::free::{FreeMotion, free_directions, free_motions, leader};
use super::matrices::Linearised;
use super::null_space::NullSpace;
use super::turning::Turning;

/// Corrections allowed for one share of the loads.
const MAX_CORRECTIONS: usize = 16;

/// Least share of the loads by which they are raised.
const LEAST_SHARE: f64 = 1.0 / 1024.0;

/// Correction (m or rad), relative to `1 + max |q|`, after which the next one is round-off: they converge quadratically.
const ENOUGH: f64 = 1e-9;

/// Largest entry of a correction (m or rad).
const LARGEST: f64 = 0.3;

/// Rate of a constraint, relative to the largest velocity, that a steady turn may leave.
const STEADY: f64 = 1e-8;

/// Least pivot of the stiffness, relative to its largest entry, that is no round-off.
const PIVOT: f64 = 1e-13;

/// Force along a motion that nothing holds, relative to the forces that it is summed of, that is round-off.
const BALANCED: f64 = 1e-9;

/// A state in which forces balance in axes that turn with the system.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// Time at which laws are taken (s).
    pub time: f64,
    /// How the system turns.
    pub turning: Turning,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities of the steady turn.
    pub v: Vec<f64>,
    /// Accelerations of the steady turn.
    pub a: Vec<f64>,
    /// Multipliers; zero for rows that others imply.
    pub mu: Vec<f64>,
}

impl Equilibrium {
    /// Finds the equilibrium near these positions at the time (s) by Newton's method. Where it does not converge at once, what
    /// is out of balance at the start is taken off in shares: `r(q) = (1 − λ) r(q₀)` for `λ` up to one. Stiff slender parts that
    /// bend far need that.
    ///
    /// # Errors
    /// [`ModesError`]: nothing near, something that moves freely, a turn that the constraints forbid.
    pub fn find(
        system: &dyn ConstrainedSystem,
        time: f64,
        q: &[f64],
        turning: Turning,
    ) -> Result<Self, ModesError> {
        let structure = system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        let expected = structure.coordinates().positions();
        if q.len() != expected {
            return Err(ModesError::Length { found: q.len(), expected });
        }
        let (v, a, mu) = (vec![0.0; n], vec![0.0; n], vec![0.0; m]);
        let mut state = Self { time, turning, q: q.to_vec(), v, a, mu };
        state.turn(system);
        state.react(system)?;
        let at_start = state.forces(system);
        let (mut reached, mut share) = (0.0, 1.0);
        while reached < 1.0 {
            let next = f64::min(reached + share, 1.0);
            let mut trial = state.clone();
            match trial.balance(system, &(&at_start * (1.0 - next))) {
                Ok(()) => (state, reached, share) = (trial, next, 2.0 * share),
                Err(error @ ModesError::Driven { .. }) => return Err(error),
                Err(error) if share < LEAST_SHARE => return Err(error),
                Err(_) => share *= 0.5,
            }
        }
        state.turn(system);
        state.check_rates(system)?;
        Ok(state)
    }

    /// Solves `r = left` by Newton's method.
    fn balance(&mut self, system: &dyn ConstrainedSystem, left: &DVector<f64>) -> Result<(), ModesError> {
        let mut size = f64::INFINITY;
        for _ in 0..MAX_CORRECTIONS {
            let is_last = size <= ENOUGH * (1.0 + largest(&self.q));
            size = self.correct(system, left)?;
            if is_last {
                return Ok(());
            }
        }
        Err(ModesError::NotConverged { iterations: MAX_CORRECTIONS, correction: size })
    }

    /// Takes the multipliers that balance the forces across the constraints: what hangs is stiff by them alone.
    fn react(&mut self, system: &dyn ConstrainedSystem) -> Result<(), ModesError> {
        let free = NullSpace::of(&self.linearised(system).jacobian);
        let reactions = free.multipliers(&self.forces(system), self.mu.len()).ok_or(ModesError::Singular)?;
        self.mu.copy_from_slice(reactions.as_slice());
        Ok(())
    }

    fn forces(&self, system: &dyn ConstrainedSystem) -> DVector<f64> {
        let mut forces = DVector::zeros(self.v.len());
        system.balance(self.motion(), &self.a, &self.mu, forces.as_mut_slice());
        forces
    }

    /// The motions that nothing holds: along them the system may be anywhere.
    #[must_use]
    pub fn free_motions(&self, system: &dyn ConstrainedSystem) -> Vec<FreeMotion> {
        free_motions(system, &self.linearised(system))
    }

    /// The state as a motion.
    #[must_use]
    pub fn motion(&self) -> Motion<'_> {
        Motion { t: self.time, q: &self.q, v: &self.v }
    }

    pub(super) fn linearised(&self, system: &dyn ConstrainedSystem) -> Linearised {
        Linearised::at(system, &self.turning, self.motion(), (&self.a, &self.mu))
    }

    fn turn(&mut self, system: &dyn ConstrainedSystem) {
        let coordinates = system.structure().coordinates();
        self.turning.write(coordinates, &self.q, &mut self.v, &mut self.a);
    }

    /// One correction of positions and multipliers towards `r = left`; returns its largest entry.
    fn correct(&mut self, system: &dyn ConstrainedSystem, left: &DVector<f64>) -> Result<f64, ModesError> {
        self.turn(system);
        let m = self.mu.len();
        let matrices = self.linearised(system);
        let free = NullSpace::of(&matrices.jacobian);
        let mut rows = vec![0.0; m];
        system.constraints(Level::Position, self.motion(), &self.a, &mut rows);
        let forces = self.forces(system) - left;
        let mut y = free.closing(&rows).ok_or(ModesError::Singular)?;
        let closed = &forces + &matrices.stiffness * &y;
        let right = -free.along.tr_mul(&closed);
        let [mass, stiffness] =
            [&matrices.mass, &matrices.stiffness].map(|of| free.along.tr_mul(&(of * &free.along)));
        y += match solve([&mass, &stiffness], &right)? {
            Answer::Found(z) => &free.along * z,
            Answer::Driven { direction, share } => {
                let shape = &free.along * direction;
                let (motion, by) = leader(system, &matrices.mass, &shape);
                return Err(ModesError::Driven { motion, force: (share / shape[by]).abs() });
            }
        };
        let reactions = &forces + &matrices.stiffness * &y;
        let change = free.multipliers(&reactions, m).ok_or(ModesError::Singular)?;
        let size = y.amax();
        let share = (LARGEST / size).min(1.0);
        y *= share;
        for &state in &matrices.states {
            self.v[state] += y[state];
            y[state] = 0.0;
        }
        let mut moved = self.q.clone();
        system.structure().coordinates().move_by(&self.q, y.as_slice(), &mut moved);
        self.q = moved;
        self.mu.iter_mut().zip(change.iter()).for_each(|(mu, d)| *mu += share * d);
        Ok(size)
    }

    /// Refuses constraints that the turn violates.
    fn check_rates(&self, system: &dyn ConstrainedSystem) -> Result<(), ModesError> {
        let mut rates = vec![0.0; self.mu.len()];
        system.constraints(Level::Velocity, self.motion(), &self.a, &mut rates);
        let worst = rates.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let allowed = STEADY * (1.0 + largest(&self.v));
        let Some((row, rate)) = worst.filter(|(_, rate)| !(rate.abs() <= allowed)) else { return Ok(()) };
        let block = system.structure().row(row).map_or(0, |(block, _)| block);
        Err(ModesError::NotSteady { constraint: system.constraint_name(block), rate: *rate })
    }
}

/// Where forces `f` move a system.
enum Answer {
    Found(DVector<f64>),
    /// They drive what nothing holds, in this direction, with this share along it.
    Driven {
        direction: DVector<f64>,
        share: f64,
    },
}

/// Solves `K y = f`. Where nothing holds some directions `N`, orthonormal by the masses, and no force drives them, `y` has no part in
/// them: springs along them, `(K + κ M N (M N)ᵀ) y = f − M N Nᵀ f`, carry nothing.
fn solve([mass, stiffness]: [&DMatrix<f64>; 2], f: &DVector<f64>) -> Result<Answer, ModesError> {
    let scale = stiffness.amax();
    if f.is_empty() || f.amax() == 0.0 {
        return Ok(Answer::Found(DVector::zeros(f.len())));
    }
    let lu = stiffness.clone().lu();
    if lu.u().diagonal().abs().min() > PIVOT * scale
        && let Some(solution) = lu.solve(f)
    {
        return Ok(Answer::Found(solution));
    }
    let free = free_directions(mass, stiffness);
    let is_driven = |direction: &nalgebra::DVectorView<'_, f64>| {
        let (share, parts) = (direction.dot(f), direction.abs().dot(&f.abs()));
        share.abs() > BALANCED * parts + PIVOT * scale * direction.lp_norm(1)
    };
    if free.column_iter().any(|direction| is_driven(&direction)) {
        let shares = free.tr_mul(f);
        let share = shares.norm();
        return Ok(Answer::Driven { direction: &free * shares / share, share });
    }
    let held = mass * &free;
    let spring = if free.ncols() > 0 { scale / held.amax().powi(2) } else { 0.0 };
    let lu = (stiffness + &held * held.transpose() * spring).lu();
    let balanced = f - &held * free.tr_mul(f);
    lu.solve(&balanced).map(Answer::Found).ok_or(ModesError::Singular)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}
