//! Communication points.

use serde::{Deserialize, Serialize};

/// Share of a step that counts as rounding of the time.
pub(crate) const ROUND_OFF: f64 = 1e-9;

/// Communication points `t₀ + k h`, computed from the index as long as the step stays the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    origin: f64,
    step: f64,
    index: u64,
    pub(crate) now: f64,
}

impl Clock {
    pub(crate) fn at(time: f64) -> Self {
        Self { origin: time, step: 0.0, index: 0, now: time }
    }

    /// Takes `time` (s) as the present one if only rounding lies between, a small share of a step `h` (s).
    pub(crate) fn land(&mut self, time: f64, h: f64) {
        if (time - self.now).abs() <= ROUND_OFF * h {
            self.now = time;
        }
    }

    /// Advances by `h` (s).
    pub(crate) fn advance(&mut self, h: f64) {
        if h.to_bits() != self.step.to_bits() {
            *self = Self { origin: self.now, step: h, index: 0, now: self.now };
        }
        self.index += 1;
        self.now = self.origin + self.index as f64 * self.step;
    }
}
