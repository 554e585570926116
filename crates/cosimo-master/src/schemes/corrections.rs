//! The corrections of an iteration, and what they show of its convergence.

/// Growth of the corrections, against the first, at which the iteration is given up.
const DIVERGENCE: f64 = 1e9;

/// Corrections of an iteration.
#[derive(Debug)]
pub(crate) struct Corrections {
    first: f64,
    last: [f64; 3],
    pub(crate) count: u32,
    /// Entry with the largest correction.
    pub(crate) worst: usize,
    /// The last correction against the largest unknown.
    pub(crate) residual: f64,
}

impl Corrections {
    pub(crate) fn new() -> Self {
        Self { first: f64::NAN, last: [f64::NAN; 3], count: 0, worst: 0, residual: f64::NAN }
    }

    pub(crate) fn note(&mut self, change: f64) {
        self.last = [self.last[1], self.last[2], change];
        self.count += 1;
        self.first = if self.count == 1 { change } else { self.first };
    }

    /// Factor by which an iteration multiplies the correction: the mean over the last two, as far as there are two.
    pub(crate) fn contraction(&self) -> f64 {
        let [before, last, now] = self.last;
        if before > 0.0 { (now / before).sqrt() } else { now / last }
    }

    /// The same, the mean over all iterations.
    pub(crate) fn growth(&self) -> f64 {
        let between = f64::from(self.count.saturating_sub(1));
        (self.last[2] / self.first).powf(1.0 / between)
    }

    pub(crate) fn diverge(&self) -> bool {
        !self.last[2].is_finite() || self.last[2] > DIVERGENCE * self.first
    }
}

/// Index and size of the largest change.
pub(crate) fn largest_change(before: &[f64], after: &[f64]) -> (usize, f64) {
    let mut result = (0, 0.0);
    for (k, (b, a)) in before.iter().zip(after).enumerate() {
        let change = (a - b).abs();
        if change.is_nan() || change > result.1 {
            result = (k, change);
        }
    }
    result
}
