//! The error of a step, from accelerations that are known anyway.
//!
//! A step `h` of the trapezoidal rule, `q₁ = q₀ + h (v₀ + v₁)/2`, is wrong by `h³ v̈/12`. The velocity extrapolated from
//! the points behind, the predictor, misses the one found, the corrector, by the same derivative (Milne's device):
//!
//! ```text
//!   e = h³/12 |v̈|      v̈ = (ā − ā_p) / ((h − s)/2)      ā = (v₁ − v₀)/h
//! ```
//!
//! with `ā_p` the mean acceleration between the start of the step and the time `s` from there: the communication point
//! behind, `s = −h₋₁`, or, where there is none, the end of a trial step of another size. In other words
//! `e = h |v₁ − ṽ₁| / (6 (1 + h₋₁/h))`, the error of the predicted velocity `ṽ₁` weighted by the step. The constant is that
//! of θ = ½; two-step rules and generalized-α err by up to three times as much, θ ≠ ½ is of first order and errs by more.
//!
//! A closed contact does not move; what moves behind it shows in its load. The contacts therefore count with the
//! acceleration that they would have without contact impulses, besides the rows with that which they have.
//!
//! Sources: W. E. Milne, *Amer. Math. Monthly* 33, 1926; P. M. Gresho, D. F. Griffiths, D. J. Silvester, *SIAM J. Sci.
//! Comput.* 30, 2008 (the trapezoidal rule with a predictor of its own order).

use serde::{Deserialize, Serialize};

/// Mean accelerations (m/s²) of a step that was tried, and of one before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Accelerations {
    /// Of the step tried last: all rows, then all contacts without contact impulses; none of contacts that are absent.
    trial: Vec<Option<f64>>,
    size: f64,
    /// Of one before.
    past: Vec<Option<f64>>,
    /// Where that one ends, from the start of the step (s): negative behind it, positive for a trial, zero where none is
    /// known.
    offset: f64,
}

impl Accelerations {
    /// Nothing known of `count` rows and contacts.
    pub(crate) fn unknown(count: usize) -> Self {
        Self { trial: vec![Some(0.0); count], size: 0.0, past: vec![Some(0.0); count], offset: 0.0 }
    }

    pub(crate) fn count(&self) -> usize {
        self.past.len()
    }

    /// Takes up the velocities at start and end (m/s) of a step of size `h` (s) that was tried.
    pub(crate) fn try_step(&mut self, h: f64, velocities: impl Iterator<Item = Option<(f64, f64)>>) {
        self.size = h;
        for (own, motion) in self.trial.iter_mut().zip(velocities) {
            *own = motion.map(|(start, end)| (end - start) / h);
        }
    }

    /// Largest error (m) of the step tried, infinite where there are numbers that are none; nothing where nothing else is
    /// known.
    pub(crate) fn error(&self) -> Option<f64> {
        let (h, s) = (self.size, self.offset);
        if s == 0.0 || s.to_bits() == h.to_bits() {
            return None;
        }
        let mut largest = 0.0_f64;
        for (a, past) in self.trial.iter().zip(&self.past).filter_map(|(a, past)| Some(((*a)?, (*past)?))) {
            let change = (a - past).abs();
            if change.is_nan() {
                return Some(f64::INFINITY);
            }
            largest = largest.max(change);
        }
        Some(h * h * h / 6.0 * largest / (h - s).abs())
    }

    /// Whether nothing is known but, at most, a trial.
    pub(crate) fn are_blind(&self) -> bool {
        self.offset >= 0.0
    }

    /// Keeps the step tried last to judge others by.
    pub(crate) fn keep_trial(&mut self) {
        std::mem::swap(&mut self.trial, &mut self.past);
        self.offset = self.size;
    }

    /// The step tried last was taken.
    pub(crate) fn accept(&mut self) {
        self.keep_trial();
        self.offset = -self.size;
    }

    /// The step tried last gives no information.
    pub(crate) fn forget_trial(&mut self) {
        self.size = 0.0;
    }

    /// Forgets what is known.
    pub(crate) fn clear(&mut self) {
        self.offset = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::Accelerations;

    fn velocity(t: f64) -> f64 {
        1.0 - 2.0 * t + 3.0 * t * t
    }

    fn error_of_trapezoidal_rule(t: f64, h: f64) -> f64 {
        let displacement = |t: f64| t - t * t + t * t * t;
        (0.5 * h * (velocity(t) + velocity(t + h)) - (displacement(t + h) - displacement(t))).abs()
    }

    fn try_step(known: &mut Accelerations, t: f64, h: f64) {
        known.try_step(h, [Some((velocity(t), velocity(t + h)))].into_iter());
    }

    #[test]
    fn the_estimate_is_the_error_of_the_trapezoidal_rule() {
        let (t, h) = (0.3, 0.02);
        let assert_exact = |known: &Accelerations| {
            let (found, exact) = (known.error().unwrap_or(0.0), error_of_trapezoidal_rule(t, h));
            assert!((found / exact - 1.0).abs() < 1e-9, "{found:e}, exact {exact:e}");
        };
        for before in [0.02, 0.005, 0.08] {
            let mut known = Accelerations::unknown(1);
            try_step(&mut known, t - before, before);
            known.accept();
            try_step(&mut known, t, h);
            assert_exact(&known);
        }
        for trial in [0.04, 0.01] {
            let mut known = Accelerations::unknown(1);
            try_step(&mut known, t, trial);
            assert!(known.are_blind() && known.error().is_none());
            known.keep_trial();
            try_step(&mut known, t, h);
            assert_exact(&known);
        }
    }

    #[test]
    fn nothing_finite_is_known_of_what_is_not() {
        let mut known = Accelerations::unknown(2);
        known.try_step(0.1, [(0.0, 1.0), (0.0, 1.0)].into_iter().map(Some));
        known.accept();
        known.try_step(0.1, [(1.0, f64::NAN), (1.0, 3.0)].into_iter().map(Some));
        assert_eq!(known.error(), Some(f64::INFINITY));
    }

    /// A contact that is absent, or was in the step before, says nothing of the error.
    #[test]
    fn what_was_absent_says_nothing() {
        let mut known = Accelerations::unknown(2);
        known.try_step(0.1, [Some((0.0, 1.0)), None].into_iter());
        known.accept();
        known.try_step(0.1, [Some((1.0, 2.0)), Some((0.0, 50.0))].into_iter());
        assert!(known.error().is_some_and(|error| error < 1e-12), "{:?}", known.error());
        known.accept();
        known.try_step(0.1, [Some((2.0, 3.0)), None].into_iter());
        assert!(known.error().is_some_and(|error| error < 1e-12), "{:?}", known.error());
    }
}
