//! Where a run stands on its grid of communication points.

use serde::{Deserialize, Serialize};

use crate::StepError;
use crate::time::clock::ROUND_OFF;

/// Where a run stands on its grid of communication points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RunPosition {
    /// Start of the run (s).
    pub origin: f64,
    /// End of the run (s).
    pub end: f64,
    /// Macro step (s).
    pub step: f64,
    /// Macro steps done.
    pub done: u64,
    /// Wall time spent so far (s).
    pub seconds: f64,
}

impl RunPosition {
    /// The beginning of a run from `origin` to `end` (s) with steps of size `step` (s).
    #[must_use]
    pub fn start(origin: f64, end: f64, step: f64) -> Self {
        Self { origin, end, step, done: 0, seconds: 0.0 }
    }

    /// Checks that the run goes on to a time, by steps that lead there.
    pub(crate) fn check(&self) -> Result<(), StepError> {
        let Self { origin, end, step, .. } = *self;
        if !(origin.is_finite() && end.is_finite() && end >= origin) {
            return Err(StepError::End { time: origin, end });
        }
        let furthest = origin.abs().max(end.abs());
        if !(step > 0.0 && step.is_finite() && furthest + step > furthest) {
            return Err(StepError::Size { time: origin, size: step });
        }
        Ok(())
    }

    /// Size (s) of the step after `done` steps of equal size; nothing at the end.
    pub(crate) fn fixed_size(&self, done: u64) -> Option<f64> {
        let (whole, rest) = self.grid();
        if done < whole { Some(self.step) } else { rest.filter(|_| done == whole) }
    }

    /// Whole steps, and the size (s) of the shortened one at the end, if there is any.
    fn grid(&self) -> (u64, Option<f64>) {
        let whole = ((self.end - self.origin) / self.step + ROUND_OFF).floor().max(0.0);
        let rest = self.end - self.origin - whole * self.step;
        (whole as u64, (rest > ROUND_OFF * self.step).then_some(rest))
    }
}
