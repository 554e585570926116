//! Sample instants.

/// Share of a period that counts as rounding of the time.
const ROUND_OFF: f64 = 1e-9;

/// Samples that a controller takes in one step at most.
pub const MOST_SAMPLES: f64 = 1e5;

/// Sample instants `start + k · period`, never accumulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    start: f64,
    /// Period (s).
    pub(crate) period: f64,
    /// Number of the sample to come.
    pub(crate) next: u64,
}

impl Sampling {
    pub(crate) fn new(start: f64, period: f64) -> Self {
        Self { start, period, next: 0 }
    }

    /// The instant of the sample to come (s).
    pub(crate) fn instant(&self) -> f64 {
        self.start + self.next as f64 * self.period
    }

    /// Whether a sample is due at the time `now` (s).
    pub(crate) fn is_due(&self, now: f64) -> bool {
        self.instant() <= now + ROUND_OFF * self.period
    }

    /// Whether the sample to come is before the time `end` (s).
    pub(crate) fn is_before(&self, end: f64) -> bool {
        self.instant() < end - ROUND_OFF * self.period
    }
}
