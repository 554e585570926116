//! Positions, velocities, accelerations and multipliers that fit together.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};

use super::convergence::CONDITIONED_ROUND_OFF;
use super::error::DaeError;
use super::kkt::{Kkt, Weights};
use super::names::{constraint_of_row, singular};
use super::norm::largest;
use super::redundancy::leave_out_redundant;
use super::round_off::constraint_round_off;
use super::state::DaeState;

/// Corrections of a guessed position allowed.
const MAX_CORRECTIONS: usize = 60;

/// Halvings of a correction tried before the search gives up.
const MAX_HALVINGS: usize = 12;

/// Corrections by factors that are not those of the mass before these are made.
const MAX_WITH_FACTORS: usize = 6;

/// Residual of rows left out over their misfit, at most, for motions of the size of one: a share is that of the start, and a tilt
/// of axes may count for a tenth in it.
pub(super) const LOOSE: f64 = 100.0;

/// Makes a state consistent with the constraints.
#[derive(Debug)]
pub(super) struct Closing {
    pub(super) unknowns: Vec<f64>,
    pub(super) trial: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// Residual allowed (m, or –), relative to `1 + max |q|`.
    pub(super) tolerance: f64,
}

impl Closing {
    pub(super) fn new(system: &dyn ConstrainedSystem, tolerance: f64) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        let trial = vec![0.0; structure.coordinates().positions()];
        Self { unknowns: vec![0.0; n + m], trial, rows: vec![0.0; m], tolerance }
    }

    /// Finds redundant rows, closes positions and velocities from a guess, and balances the accelerations.
    pub(super) fn close(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        self.close_from_afar(system, kkt, state)?;
        leave_out_redundant(system, state.time, &state.q, kkt).map_err(|error| singular(system, error))?;
        self.close_velocities(system, kkt, state)?;
        self.balance(system, kkt, state)
    }

    /// Moves the positions on the constraints by Newton's method in the metric of the mass, with halved corrections where
    /// whole ones do not help.
    pub(super) fn close_positions(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        let mut left = self.residual(system, kkt, state.time, &state.q);
        let mut is_last = false;
        for _ in 0..MAX_CORRECTIONS {
            let enough = 0.1 * self.allowed(&state.q);
            if is_last || left == 0.0 {
                break;
            }
            // One more correction where the residual is small already: it takes out what is left.
            is_last = left <= enough;
            factorize_mass(system, kkt, state)?;
            let n = state.v.len();
            self.unknowns[..n].fill(0.0);
            for (unknown, row) in self.unknowns[n..].iter_mut().zip(&self.rows) {
                *unknown = -row;
            }
            kkt.solve(&mut self.unknowns);
            let Some(found) = self.search(system, kkt, state, left) else { break };
            left = found;
        }
        self.check((system, kkt), Level::Position, state, left)
    }

    /// Takes the largest share of the correction that lessens the residual; returns the new residual.
    fn search(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &Kkt,
        state: &mut DaeState,
        left: f64,
    ) -> Option<f64> {
        let n = state.v.len();
        let coordinates = system.structure().coordinates();
        for _ in 0..MAX_HALVINGS {
            let mut trial = std::mem::take(&mut self.trial);
            coordinates.move_by(&state.q, &self.unknowns[..n], &mut trial);
            let found = self.residual(system, kkt, state.time, &trial);
            self.trial = trial;
            if found < left {
                state.q.copy_from_slice(&self.trial);
                return Some(found);
            }
            self.unknowns[..n].iter_mut().for_each(|x| *x *= 0.5);
        }
        None
    }

    /// Writes the position residual into `rows` and returns the largest of those that are not left out.
    pub(super) fn residual(&mut self, system: &dyn ConstrainedSystem, kkt: &Kkt, t: f64, q: &[f64]) -> f64 {
        system.constraints(Level::Position, Motion { t, q, v: &[] }, &[], &mut self.rows);
        let kept = self.rows.iter().zip(kkt.left_out()).filter(|(_, out)| !**out);
        kept.fold(0.0, |m: f64, (row, _)| if row.abs() <= m { m } else { row.abs() })
    }

    /// Residual allowed at these positions.
    pub(super) fn allowed(&self, q: &[f64]) -> f64 {
        self.tolerance * (1.0 + largest(q))
    }

    /// Refuses a residual: of the rows kept, because the loop stays open; of those left out, because they contradict.
    fn check(
        &mut self,
        (system, kkt): (&dyn ConstrainedSystem, &Kkt),
        level: Level,
        state: &DaeState,
        left: f64,
    ) -> Result<(), DaeError> {
        let scale = 1.0 + if level == Level::Position { largest(&state.q) } else { largest(&state.v) };
        let allowed = self.tolerance * scale;
        let motion = Motion { t: state.time, q: &state.q, v: &state.v };
        system.constraints(level, motion, &state.a, &mut self.rows);
        let misfit = LOOSE * kkt.misfit() * scale;
        let excess = self.rows.iter().zip(kkt.left_out()).map(|(row, out)| {
            let own = if *out { misfit } else { 0.0 };
            if row.abs() <= own { 0.0 } else { row.abs() - own }
        });
        let worst = excess.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((row, _)) = worst.filter(|(_, excess)| !(*excess <= allowed)) else { return Ok(()) };
        let (constraint, residual) = (constraint_of_row(system, row), self.rows[row].abs());
        if left <= allowed {
            let level = if level == Level::Position { "position" } else { "velocity" };
            return Err(DaeError::Contradiction { constraint, level, residual });
        }
        Err(DaeError::Open { constraint, residual })
    }

    /// Changes the velocities by the least kinetic energy that the constraints ask for.
    pub(super) fn close_velocities(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        factorize_mass(system, kkt, state)?;
        let n = state.v.len();
        for _ in 0..2 {
            let motion = Motion { t: state.time, q: &state.q, v: &state.v };
            system.constraints(Level::Velocity, motion, &state.a, &mut self.rows);
            self.unknowns[..n].fill(0.0);
            for (unknown, row) in self.unknowns[n..].iter_mut().zip(&self.rows) {
                *unknown = -row;
            }
            kkt.solve(&mut self.unknowns);
            state.v.iter_mut().zip(&self.unknowns).for_each(|(v, d)| *v += d);
        }
        self.check((system, kkt), Level::Velocity, state, 0.0)
    }

    /// Changes the velocities of a state that a small move along the constraints has left on them to round-off, with the factors
    /// at hand of the step that ends there: they are near those of the mass. Says whether that suffices.
    pub(super) fn close_with_factors(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> bool {
        let n = state.v.len();
        let Self { unknowns, rows, .. } = self;
        let bottom = &mut unknowns[n..];
        let motion = Motion { t: state.time, q: &state.q, v: &[] };
        system.constraints(Level::Position, motion, &[], bottom);
        constraint_round_off(system, state.time, &state.q, rows);
        let kept = bottom.iter().zip(&*rows).zip(kkt.left_out());
        if kept.into_iter().any(|((row, allowed), out)| !out && !(row.abs() <= *allowed)) {
            return false;
        }
        let mut before = f64::INFINITY;
        for _ in 0..MAX_WITH_FACTORS {
            let motion = Motion { t: state.time, q: &state.q, v: &state.v };
            system.constraints(Level::Velocity, motion, &state.a, &mut self.rows);
            self.unknowns[..n].fill(0.0);
            self.unknowns[n..].iter_mut().zip(&self.rows).for_each(|(unknown, row)| *unknown = -row);
            kkt.solve(&mut self.unknowns);
            let change = &self.unknowns[..n];
            let size = largest(change);
            state.v.iter_mut().zip(change).for_each(|(v, d)| *v += d);
            if size <= CONDITIONED_ROUND_OFF * (1.0 + largest(&state.v)) {
                return self.check((system, kkt), Level::Velocity, state, 0.0).is_ok();
            }
            if !(size < 0.1 * before) {
                return false;
            }
            before = size;
        }
        false
    }

    /// Solves `M a + … + Φᵀ μ = f`, `φ̈ = 0` for accelerations and multipliers.
    pub(super) fn balance(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        factorize_mass(system, kkt, state)?;
        let n = state.v.len();
        state.a.fill(0.0);
        state.mu.fill(0.0);
        let motion = Motion { t: state.time, q: &state.q, v: &state.v };
        let (top, bottom) = self.unknowns.split_at_mut(n);
        system.balance(motion, &state.a, &state.mu, top);
        system.constraints(Level::Acceleration, motion, &state.a, bottom);
        self.unknowns.iter_mut().for_each(|x| *x = -*x);
        kkt.solve(&mut self.unknowns);
        state.a.copy_from_slice(&self.unknowns[..n]);
        state.mu.copy_from_slice(&self.unknowns[n..]);
        if state.a.iter().chain(&state.mu).all(|x| x.is_finite()) {
            Ok(())
        } else {
            Err(DaeError::NotFinite { quantity: "the acceleration", time: state.time })
        }
    }
}

/// Factorises `[M, Φᵀ; Φ, 0]`.
pub(super) fn factorize_mass(
    system: &dyn ConstrainedSystem,
    kkt: &mut Kkt,
    state: &DaeState,
) -> Result<(), DaeError> {
    kkt.begin(Weights::MASS, |_| None);
    system.masses(&state.q, kkt);
    system.jacobian(state.time, &state.q, kkt);
    kkt.factorize().map_err(|error| singular(system, error))
}
