//! Factors that are carried from step to step.

use cosimo_dynamics::ConstrainedSystem;

use super::error::DaeError;
use super::names::singular;
use super::settings::TangentPolicy;
use super::solver::DaeSolver;

impl<S: ConstrainedSystem> DaeSolver<S> {
    fn is_frozen(&self) -> bool {
        self.settings.tangent == TangentPolicy::Frozen
    }

    /// Brings the factors with which the next step begins, if the policy has any.
    pub(super) fn recall_factors(&mut self) -> Result<(), DaeError> {
        self.is_factorized = self.is_frozen() && self.frozen.is_there;
        if self.is_factorized && !self.frozen.is_loaded {
            self.is_factorized = false;
            self.kkt.reload(&self.frozen.entries).map_err(|error| singular(&self.system, error))?;
            self.effort.factorizations += 1;
            (self.is_factorized, self.frozen.is_loaded) = (true, true);
        }
        Ok(())
    }

    /// The matrix is about to be used for something else.
    pub(super) fn spoil_factors(&mut self) {
        (self.is_factorized, self.frozen.is_loaded) = (false, false);
    }

    /// The next step begins without factors.
    pub(super) fn drop_factors(&mut self) {
        self.spoil_factors();
        self.frozen.is_there = false;
    }

    /// The step just solved has factorised anew.
    pub(super) fn replace_factors(&mut self) {
        self.frozen.is_loaded = false;
    }

    /// Keeps the factors of the step that is taken.
    pub(super) fn keep_factors(&mut self) {
        if self.is_frozen() && self.is_factorized && !self.frozen.is_loaded {
            self.kkt.copy_assembled(&mut self.frozen.entries);
            (self.frozen.is_there, self.frozen.is_loaded) = (true, true);
        }
    }

    /// Appends the matrix.
    pub(super) fn save_factors(&self, out: &mut Vec<f64>) {
        if self.is_frozen() {
            out.push(f64::from(u8::from(self.frozen.is_there)));
            out.extend_from_slice(&self.frozen.entries);
        }
    }

    /// Reads back what [`save_factors`](Self::save_factors) wrote and returns how many numbers it took.
    pub(super) fn restore_factors(&mut self, saved: &[f64]) -> Option<usize> {
        self.spoil_factors();
        if !self.is_frozen() {
            return Some(0);
        }
        let (is_there, rest) = saved.split_first()?;
        let count = self.frozen.entries.len();
        self.frozen.entries.copy_from_slice(rest.get(..count)?);
        self.frozen.is_there = *is_there != 0.0;
        Some(1 + count)
    }
}
