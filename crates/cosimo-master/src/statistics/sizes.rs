//! The sizes that a run took.

use serde::{Deserialize, Serialize};

/// Sizes of the macro steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StepSizes {
    /// Smallest size of a step taken (s), a shortened last one not counted; zero before the first step.
    pub smallest: f64,
    /// Largest size of a step taken (s); zero before the first step.
    pub largest: f64,
    /// Steps that were tried and not taken: their error was too large, or they measured what another size is worth.
    pub refused: u64,
}

impl StepSizes {
    /// Notes the size (s) of a step that was taken.
    pub(crate) fn note(&mut self, size: f64) {
        self.smallest = if self.smallest > 0.0 { self.smallest.min(size) } else { size };
        self.largest = self.largest.max(size);
    }
}
