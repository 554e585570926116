//! Starts from guesses that are turned far from what the constraints mean.

use cosimo_dynamics::ConstrainedSystem;

use super::error::DaeError;
use super::solver::DaeSolver;

/// Angle (rad) by which a guess is turned at once. Products of directions lead back a guess less than a quarter turn off.
const STRIDE: f64 = 0.5;

/// Strides allowed; half a turn takes six.
const MAX_STRIDES: usize = 16;

/// Angle (rad) off where a start satisfies constraints without being what they mean: a closed one is off by next to nothing or
/// by half a turn.
const OPPOSITE: f64 = 1.0;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Leads a guessed position in strides to where the constraints mean it: each closes constraints that are eased to
    /// what the stride reaches.
    pub(super) fn lead_in(&mut self) {
        let Self { system, closing, kkt, state, .. } = self;
        for _ in 0..MAX_STRIDES {
            let angle = system.deviation(state.time, &state.q).map_or(0.0, |(_, angle)| angle);
            if !(angle > STRIDE) {
                break;
            }
            system.ease(state.time, &state.q, 1.0 - STRIDE / angle);
            // What does not close on the way may do so at its end.
            if let Err(DaeError::Singular { .. }) = closing.close_kept(system, kkt, state) {
                break;
            }
        }
        system.ease(state.time, &state.q, 0.0);
    }

    /// Refuses a start that satisfies the constraints the wrong way round.
    pub(super) fn check_branch(&self) -> Result<(), DaeError> {
        match self.system.deviation(self.state.time, &self.state.q) {
            Some((block, angle)) if angle > OPPOSITE => {
                Err(DaeError::Opposite { constraint: self.system.constraint_name(block), angle })
            }
            _ => Ok(()),
        }
    }
}
