//! The PI control of a step size, and the grid of sizes that are taken.
//!
//! With `e` the error of a step as a share of what is allowed, growing with the `n`-th power of the size,
//!
//! ```text
//!   h ← h · s e^(−k_I − k_P) e₋₁^(k_P)      k_I = 0.3/n,  k_P = 0.4/n,  s = 0.9
//! ```
//!
//! Source: K. Gustafsson, *ACM TOMS* 17, 1991. The sizes taken are the largest one divided by powers of two, so that
//! factorisations are used again; the control keeps the size that it would take in between.

use serde::{Deserialize, Serialize};

const INTEGRAL: f64 = 0.3;
const PROPORTIONAL: f64 = 0.4;
const SAFETY: f64 = 0.9;
/// Smallest change of the size from step to step.
const SHRINKAGE: f64 = 0.2;
/// A first step, which nothing is known for, is the largest divided by this.
const START: f64 = 16.0;
/// Errors below this count as this: zero has no logarithm.
const LEAST_ERROR: f64 = 1e-6;
/// Share of a step below which differences are round-off.
const ROUND_OFF: f64 = 1e-9;

/// The sizes that a control may choose: the largest, divided by powers of two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SizeBounds {
    /// Largest size (s).
    pub(crate) largest: f64,
    /// How often it may be halved.
    pub(crate) refinements: u32,
}

/// A PI control on a grid of sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PiControl {
    /// Largest and smallest size (s).
    largest: f64,
    smallest: f64,
    /// Size that the control would take (s).
    wish: f64,
    last_error: f64,
    /// Power of the size that the error goes with.
    order: f64,
    /// Largest growth of the size from step to step.
    growth: f64,
}

impl PiControl {
    /// A control of steps within bounds, of errors that go with the size to the power `order`.
    pub(crate) fn new(bounds: SizeBounds, order: f64, growth: f64) -> Self {
        let (largest, wish) = (bounds.largest, bounds.largest / START);
        let mut control = Self { largest, smallest: 0.0, wish, last_error: 1.0, order, growth };
        control.bound(bounds);
        control
    }

    /// Sets the bounds.
    pub(crate) fn bound(&mut self, SizeBounds { largest, refinements }: SizeBounds) {
        self.largest = largest;
        self.smallest = largest * 0.5_f64.powi(refinements.min(60) as i32);
        self.wish = self.wish.clamp(self.smallest, self.largest);
    }

    /// The size on the grid that the control would take (s).
    pub(crate) fn size(&self) -> f64 {
        self.size_below(self.wish)
    }

    /// The largest size halved until it is not above `limit` (s).
    pub(crate) fn size_below(&self, limit: f64) -> f64 {
        let mut size = self.largest;
        while size > limit * (1.0 + ROUND_OFF) && size > self.smallest {
            size *= 0.5;
        }
        size
    }

    /// Whether there is a smaller size than this (s).
    pub(crate) fn can_shrink(&self, size: f64) -> bool {
        size > self.smallest * (1.0 + ROUND_OFF)
    }

    /// A step of this size (s) towards an end that is `rest` (s) away: the last one meets it, the last two share what is
    /// left; nothing where it is reached.
    pub(crate) fn next(&self, size: f64, rest: f64) -> Option<f64> {
        match rest {
            _ if rest <= ROUND_OFF * size => None,
            _ if rest <= size * (1.0 + ROUND_OFF) => Some(rest),
            _ if rest < 2.0 * size => Some(0.5 * rest),
            _ => Some(size),
        }
    }

    /// Takes up the error of a step of this size (s) that was taken.
    pub(crate) fn follow(&mut self, size: f64, error: f64, may_grow: bool) {
        // The error that the wish, not the size taken, would have had.
        let error = (error * (self.wish / size).powf(self.order)).max(LEAST_ERROR);
        let power = |k: f64| k / self.order;
        let factor =
            SAFETY * error.powf(-power(INTEGRAL + PROPORTIONAL)) * self.last_error.powf(power(PROPORTIONAL));
        self.last_error = error;
        let most = if may_grow { self.growth } else { 1.0 };
        let factor = if factor.is_finite() { factor.clamp(SHRINKAGE, most) } else { SHRINKAGE };
        self.wish = (self.wish * factor).clamp(self.smallest, self.largest);
    }

    /// The size (s) to try after one with too large an error: at most half.
    pub(crate) fn reject(&mut self, size: f64, error: f64) -> f64 {
        let factor = SAFETY * error.powf(-1.0 / self.order);
        let factor = if factor.is_finite() { factor.clamp(SHRINKAGE, 0.5) } else { SHRINKAGE };
        self.wish = (size * factor).clamp(self.smallest, self.largest);
        self.last_error = 1.0;
        self.size()
    }

    /// Begins anew from this size (s).
    pub(crate) fn restart(&mut self, size: f64) {
        self.wish = size.clamp(self.smallest, self.largest);
        self.last_error = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::{PiControl, SizeBounds};

    /// Runs a control on errors that go with the given power of the step, one at 1 ms; the wish in the end.
    fn settle(order: f64, strength: f64) -> (PiControl, f64) {
        let mut control = PiControl::new(SizeBounds { largest: 1e-2, refinements: 10 }, order, 2.5);
        let mut size = control.size();
        for _ in 0..200 {
            size = control.size();
            control.follow(size, strength * (size / 1e-3).powf(order), true);
        }
        (control, size)
    }

    #[test]
    fn the_step_settles_where_the_error_is_allowed() {
        for order in [2.0, 3.0, 4.0] {
            let (control, size) = settle(order, 1.0);
            assert!((control.wish / 1e-3 - 1.0).abs() < 0.35, "order {order}: {:e}", control.wish);
            assert_eq!(size, 1e-2 / 16.0);
        }
    }

    #[test]
    fn steps_stay_within_their_limits() {
        let (control, size) = settle(3.0, 0.0);
        assert_eq!((control.wish, size), (1e-2, 1e-2));
        let (control, size) = settle(3.0, 1e20);
        assert_eq!(size, 1e-2 / 1024.0);
        assert!(!control.can_shrink(size) && control.can_shrink(2.0 * size));
    }

    #[test]
    fn a_refused_size_is_at_least_halved() {
        let mut control = PiControl::new(SizeBounds { largest: 1.0, refinements: 10 }, 3.0, 2.5);
        assert_eq!(control.reject(1.0, 1.01), 0.5);
        assert_eq!(control.reject(1.0, 64.0), 0.125);
        assert_eq!(control.reject(1.0, f64::NAN), 0.125);
    }

    #[test]
    fn the_end_is_met_without_a_step_of_round_off() {
        let control = PiControl::new(SizeBounds { largest: 0.25, refinements: 2 }, 4.0, 1.5);
        assert_eq!(control.next(0.25, 1.0), Some(0.25));
        assert_eq!(control.next(0.25, 0.1), Some(0.1));
        assert_eq!(control.next(0.25, 1e-14), None);
        // No sliver is left for the last step.
        assert_eq!(control.next(0.25, 0.26), Some(0.13));
    }
}
