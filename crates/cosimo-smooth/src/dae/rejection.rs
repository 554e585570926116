//! Why a step is not taken: it was not solved, or turns too far.

use std::f64::consts::PI;

use cosimo_dynamics::{ConstrainedSystem, Motion};

use super::consistent::factorize_mass;
use super::error::DaeError;
use super::formulation::Formulation;
use super::names::constraint_of_row;
use super::redundancy::kept_shares;
use super::solver::DaeSolver;
use super::state::DaeState;

/// Part of what a row had outside the span of the others at the start, below which a position counts as singular for a
/// step that fails.
const NEAR_SINGULAR: f64 = 0.1;

/// `ω h` from which a step that fails is blamed on it.
const STIFF: f64 = 2.0;

/// The row that has lost most of what it had outside the span of the others.
struct Dependent {
    row: usize,
    /// Share of it outside the span.
    share: f64,
    /// The same over that of the start.
    ratio: f64,
}

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// A step of size `h` (s) that was not solved leaves no factors of use.
    pub(super) fn give_up(&mut self, error: DaeError, h: f64) -> DaeError {
        self.spoil_factors();
        if let Some(refused) = self.refused(&error, h) {
            return refused;
        }
        let error = match error {
            DaeError::NotConverged { .. } => self.explain_divergence(error),
            DaeError::Singular { place } => self.explain_singular(place, h),
            other => return other,
        };
        if matches!(error, DaeError::ForceJumps { .. }) {
            error
        } else {
            self.out_of_reach(h).unwrap_or(error)
        }
    }

    /// Names the law that has no forces where the step starts or where it ends, as far as the start shows it.
    fn refused(&self, error: &DaeError, size: f64) -> Option<DaeError> {
        let (DaeError::NotFinite { .. } | DaeError::NotConverged { .. }) = error else { return None };
        let DaeState { time, q, v, .. } = &self.state;
        let at = |t: f64| self.system.rejection(Motion { t, q, v });
        let reason = at(*time).or_else(|| at(time + size))?;
        Some(DaeError::NoForces { reason, time: *time, size })
    }

    /// Tells a step that was not solved near a singular position, which index 3 passes, one in which a force jumps, and one over
    /// which forces are stiff, from one that is too large.
    fn explain_divergence(&self, error: DaeError) -> DaeError {
        let DaeError::NotConverged { time, size, .. } = error else { return error };
        let DaeState { time: t, q, v, .. } = &self.state;
        if let Some(name) = self.system.jump(Motion { t: *t, q, v }, size) {
            return DaeError::ForceJumps { name, time, size };
        }
        let error = self.explain_stiffness(error);
        if !self.settings.formulation.projects_positions() {
            return error;
        }
        match self.most_dependent() {
            Some(Dependent { row, share, ratio }) if ratio < NEAR_SINGULAR => {
                let constraint = constraint_of_row(&self.system, row);
                DaeError::NearSingular { constraint, share, time, size }
            }
            _ => error,
        }
    }

    /// Says how stiff forces are over the step, where they are.
    fn explain_stiffness(&self, error: DaeError) -> DaeError {
        let stiffness = self.iteration.stiffness().sqrt();
        match error {
            DaeError::NotConverged { time, size, iterations, .. } if stiffness > STIFF => {
                DaeError::Stiff { time, size, iterations, stiffness, way_out: size / stiffness }
            }
            other => other,
        }
    }

    /// Tells equations that only a step which is too long makes singular from those that are so where it starts.
    fn explain_singular(&mut self, place: String, size: f64) -> DaeError {
        let has_rows = self.system.structure().rows() > 0;
        let is_far = !has_rows || self.most_dependent().is_some_and(|worst| worst.ratio >= NEAR_SINGULAR);
        if is_far && factorize_mass(&self.system, &mut self.kkt, &self.state).is_ok() {
            return DaeError::StepTooLong { place, time: self.state.time, size };
        }
        if self.settings.formulation == Formulation::Position {
            return DaeError::SingularEnd { place, time: self.state.time, size };
        }
        DaeError::Singular { place }
    }

    /// `None` without rows, or with very many.
    fn most_dependent(&self) -> Option<Dependent> {
        let shares = |t, q: &[f64]| kept_shares(&self.system, t, q, &self.kkt);
        let (start, q) = &self.first;
        let (now, first) = (shares(self.state.time, &self.state.q)?, shares(*start, q)?);
        let rows = now.iter().zip(first).enumerate();
        let rows = rows.map(|(row, (&share, first))| Dependent { row, share, ratio: share / first });
        rows.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    /// Refuses the step of size `h` (s) just solved if a body turns too far in it, or an angle between two: who counts turns, and
    /// a rule that goes by points of the past, would take the shorter way round.
    pub(super) fn check_turns(&self, h: f64) -> Result<(), DaeError> {
        let (increment, _) = self.iteration.increments();
        self.check_angles(increment, 1.0, h)?;
        match self.system.angle_wrap(&self.state.q, increment) {
            None => Ok(()),
            Some(angle_wrap) => Err(DaeError::angle_wrapped(angle_wrap, self.state.time, h)),
        }
    }

    /// The same of steps back from the start, by the velocities there.
    pub(super) fn check_turns_before(&self, h: f64) -> Result<(), DaeError> {
        self.check_angles(&self.state.v, h, h)
    }

    /// Refuses rotation vectors, as parts of an increment over `factor`, by which all points that the rule uses together turn by
    /// half a turn or more.
    fn check_angles(&self, increment: &[f64], factor: f64, size: f64) -> Result<(), DaeError> {
        let allowed = PI / self.rule.wanted_past().max(1) as f64;
        let largest = self.system.structure().coordinates().largest_turn(increment);
        match largest.map(|(block, turn)| (block, turn * factor)) {
            Some((block, angle)) if !(angle < allowed) => {
                let (body, time) = (self.system.coordinate_name(block), self.state.time);
                Err(DaeError::TurnsTooFar { body, angle, allowed, time, size })
            }
            _ => Ok(()),
        }
    }
}
