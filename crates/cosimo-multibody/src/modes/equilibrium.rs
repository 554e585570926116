//! Where forces balance, at rest or turning steadily.

use cosimo_dynamics::{ConstrainedSystem, CoordinateBlock, Level, Motion};
use nalgebra::{DMatrix, DVector, DVectorView, Vector3};

use super::ModesError;
use super::constraints::Constraints;
use super::free::{FreeMotion, free_directions, free_motions, leader};
use super::matrices::{Linearised, Of};
use super::saddle::Saddle;
use super::turning::Turning;

/// Corrections allowed for one share of the loads.
const MAX_CORRECTIONS: usize = 16;

/// Least share of the loads by which they are raised.
const LEAST_SHARE: f64 = 1.0 / 1024.0;

/// Correction (m or rad), relative to `1 + max |q|`, after which the next one is round-off: they converge quadratically.
const ENOUGH: f64 = 1e-9;

/// Largest entry of a correction: a rotation (rad), or a displacement relative to the size of the system where that is above 1 m.
const LARGEST: f64 = 0.3;

/// Rate of a constraint, relative to the largest velocity, that a steady turn may leave.
const STEADY: f64 = 1e-8;

/// Stiffness, relative to its largest entry, that may be round-off; and how much longer a solution is where there is such.
const ROUND_OFF: f64 = 1e-13;
const GROWTH: f64 = 1e11;

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
        let mut constraints = self.constraints(system, &self.linearised(system))?;
        let reactions = constraints.multipliers(&self.forces(system));
        self.mu.copy_from_slice(reactions.as_slice());
        Ok(())
    }

    pub(super) fn constraints(
        &self,
        system: &dyn ConstrainedSystem,
        matrices: &Linearised,
    ) -> Result<Constraints, ModesError> {
        Constraints::of(system.structure(), &matrices.jacobian)
    }

    fn forces(&self, system: &dyn ConstrainedSystem) -> DVector<f64> {
        let mut forces = DVector::zeros(self.v.len());
        system.balance(self.motion(), &self.a, &self.mu, forces.as_mut_slice());
        forces
    }

    /// The motions that nothing holds: along them the system may be anywhere.
    ///
    /// # Errors
    /// Constraints that are singular.
    pub fn free_motions(&self, system: &dyn ConstrainedSystem) -> Result<Vec<FreeMotion>, ModesError> {
        let matrices = self.linearised(system);
        let constraints = self.constraints(system, &matrices)?;
        Ok(free_motions(system, &matrices, &constraints))
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
        self.turning.write_velocities(coordinates, &self.q, &mut self.v);
        self.turning.write_accelerations(coordinates, &self.q, &mut self.a);
    }

    /// One correction of positions and multipliers towards `r = left`; returns its largest entry.
    fn correct(&mut self, system: &dyn ConstrainedSystem, left: &DVector<f64>) -> Result<f64, ModesError> {
        self.turn(system);
        let matrices = self.linearised(system);
        let mut constraints = self.constraints(system, &matrices)?;
        let mut rows = vec![0.0; self.mu.len()];
        system.constraints(Level::Position, self.motion(), &self.a, &mut rows);
        let forces = self.forces(system) - left;
        let balance = Balance { matrices: &matrices, forces: &forces, rows: &rows };
        let [mut y, change] = match balance.solve(&mut constraints)? {
            Answer::Found(answer) => answer,
            Answer::Driven { direction, share } => {
                let (motion, by) = leader(system, &matrices.diagonal(Of::Mass), &direction);
                return Err(ModesError::Driven { motion, force: (share / direction[by]).abs() });
            }
        };
        let size = y.amax();
        let share = (LARGEST / self.relative(system, &y)).min(1.0);
        y *= share;
        for &state in &matrices.states {
            self.v[state] += y[state];
            y[state] = 0.0;
        }
        let mut moved = self.q.clone();
        system.structure().coordinates().move_by(&self.q, y.as_slice(), &mut moved);
        self.q = moved;
        constraints.kept.iter().zip(change.iter()).for_each(|(row, d)| self.mu[*row] += share * d);
        Ok(size)
    }

    /// The largest entry of an increment, displacements of bodies relative to the size of the system.
    fn relative(&self, system: &dyn ConstrainedSystem, y: &DVector<f64>) -> f64 {
        let all = system.structure().coordinates().blocks();
        let rigid = || all.iter().filter(|block| block.kind == CoordinateBlock::Rigid);
        let place = |position: usize| Vector3::from_column_slice(&self.q[position..position + 3]);
        let first = rigid().next().map_or_else(Vector3::zeros, |block| place(block.position));
        let extent = rigid().map(|block| (place(block.position) - first).norm()).fold(1.0, f64::max);
        let mut parts = y.clone();
        rigid().for_each(|block| parts.rows_mut(block.velocity, 3).scale_mut(1.0 / extent));
        parts.amax()
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

/// Where forces move a system.
enum Answer {
    /// The increment, and the change of the multipliers of the rows kept.
    Found([DVector<f64>; 2]),
    /// They drive what nothing holds, in this direction, with this share along it.
    Driven { direction: DVector<f64>, share: f64 },
}

/// `K y + Φᵀ δμ = −r`, `Φ y = −φ`.
struct Balance<'a> {
    matrices: &'a Linearised,
    forces: &'a DVector<f64>,
    rows: &'a [f64],
}

impl Balance<'_> {
    /// Solves it. Where nothing holds some directions `N`, orthonormal by the masses, and no force drives them, `y` has no part in them:
    /// `(M N)ᵀ y = 0`.
    fn solve(&self, constraints: &mut Constraints) -> Result<Answer, ModesError> {
        let stiffness = || self.matrices.sum(&[(Of::Stiffness, 1.0)]);
        let none = DMatrix::zeros(self.matrices.size(), 0);
        let held = Saddle::new(stiffness(), constraints, &none);
        if let Some(saddle) = held.as_ref().filter(|saddle| saddle.growth() < GROWTH) {
            return Ok(Answer::Found(self.answer(saddle, constraints)));
        }
        let free = free_directions(self.matrices, constraints);
        if let Some(driven) = self.driven(&free, constraints) {
            return Ok(driven);
        }
        let mut border = free.clone();
        for mut column in border.column_iter_mut() {
            column.copy_from(&self.matrices.product(Of::Mass, &column.clone_owned()));
        }
        let saddle = if free.ncols() > 0 { Saddle::new(stiffness(), constraints, &border) } else { held };
        let [y, change] = self.answer(&saddle.ok_or(ModesError::Singular)?, constraints);
        if y.iter().all(|x| x.is_finite()) {
            Ok(Answer::Found([y, change]))
        } else {
            Err(ModesError::Singular)
        }
    }

    fn answer(&self, saddle: &Saddle<f64>, constraints: &Constraints) -> [DVector<f64>; 2] {
        let rows: Vec<f64> = constraints.kept.iter().map(|row| -self.rows[*row]).collect();
        saddle.solve(&-self.forces, &rows)
    }

    /// What drives the free directions, if anything.
    fn driven(&self, free: &DMatrix<f64>, constraints: &mut Constraints) -> Option<Answer> {
        let closing = constraints.closing(self.rows);
        let closed = self.forces + self.matrices.product(Of::Stiffness, &closing);
        let along = constraints.forces_along(&closed);
        let scale = self.matrices.largest(Of::Stiffness);
        let is_driven = |direction: DVectorView<'_, f64>| {
            let (share, parts) = (direction.dot(&along), direction.abs().dot(&along.abs()));
            share.abs() > BALANCED * parts + ROUND_OFF * scale * direction.lp_norm(1)
        };
        if !free.column_iter().any(is_driven) {
            return None;
        }
        let shares = free.tr_mul(&along);
        let share = shares.norm();
        Some(Answer::Driven { direction: free * shares / share, share })
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}
