//! Steps and orders that follow the error.

use cosimo_dynamics::ConstrainedSystem;

use super::error::DaeError;
use super::solver::DaeSolver;

/// Share of the step that the error would allow which is taken.
const SAFETY: f64 = 0.9;

/// A step grows only by at least this, so that most steps are equal and keep their matrices.
const LEAST_GROWTH: f64 = 1.2;

/// Largest growth of a step, and largest shrinking after a rejection.
const RANGE: (f64, f64) = (0.2, 1.8);

/// Steps before an end that are made equal.
const MOST_EQUAL: f64 = 8.0;

/// Share of a step by which an end may be missed: round-off.
const ROUND_OFF: f64 = 1e-9;

/// Smallest step in units of the rounding of time: below it times inside a step are no longer distinct.
const RESOLUTION: f64 = 16.0;

/// Refusals in a row after which the past is forgotten and order 1 begins anew.
const MAX_REFUSALS: usize = 4;

/// How large the error of a step may be, and the step and order found so far. For the method
/// [`AdaptiveBdf`](super::Method::AdaptiveBdf).
///
/// The error of order `k` is estimated from the difference between the end of the step and the polynomial through the `k + 1`
/// points before it, `E = h/(t₁ − t₋ₖ) |x₁ − P(t₁)|`, for positions relative to `1 + max |q|` and for velocities relative to
/// `1 + max |v|`; of a step without a past, from that between the end and the line through the start along its rate, by half. The
/// order with the largest next step is taken, one up or down at a time.
///
/// Reference: R. K. Brayton, F. G. Gustavson, G. D. Hachtel, Proc. IEEE 60, 1972.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorControl {
    tolerance: f64,
    largest_step: f64,
    smallest_step: f64,
    size: f64,
    order: usize,
    /// Steps since order or size have changed.
    settled: usize,
    refused: usize,
}

impl ErrorControl {
    /// Allows this error of a step (–).
    ///
    /// # Errors
    /// A tolerance that is not positive and finite.
    pub fn new(tolerance: f64) -> Result<Self, DaeError> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let (quantity, rule) = ("error tolerance", "positive and finite");
            return Err(DaeError::OutOfRange { quantity, found: tolerance, rule });
        }
        Ok(Self {
            tolerance,
            largest_step: f64::INFINITY,
            smallest_step: 1e-14,
            size: 0.0,
            order: 1,
            settled: 0,
            refused: 0,
        })
    }

    /// Sets the largest step (s).
    #[must_use]
    pub fn with_largest_step(mut self, size: f64) -> Self {
        self.largest_step = size;
        self
    }

    /// Present step (s) and order.
    #[must_use]
    pub fn step(&self) -> (f64, usize) {
        (self.size, self.order)
    }

    /// Steps refused so far.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// What it has found, as numbers.
    #[must_use]
    pub fn save(&self) -> [f64; 4] {
        [self.size, self.order as f64, self.settled as f64, self.refused as f64]
    }

    /// Goes back to what [`save`](Self::save) returned.
    pub fn restore(&mut self, [size, order, settled, refused]: [f64; 4]) {
        self.size = size;
        [self.order, self.settled, self.refused] = [order, settled, refused].map(|count| count as usize);
    }

    /// The smallest step at the time `t` (s).
    fn floor(&self, t: f64) -> f64 {
        self.smallest_step.max(RESOLUTION * f64::EPSILON * t.abs())
    }

    /// Factor of the step that this error of an order allows.
    fn factor(error: f64, order: usize) -> f64 {
        SAFETY * error.max(1e-10).powf(-1.0 / (order as f64 + 1.0))
    }

    /// After a step of size `h` that was taken: next order and size, from the errors of one order less, the same, and one
    /// more.
    fn choose(&mut self, h: f64, errors: [Option<f64>; 3]) {
        self.settled += 1;
        if self.settled <= self.order {
            return;
        }
        let candidate = |k: usize, bias: f64| {
            let order = self.order + k - 1;
            errors[k].map(|error| (Self::factor(error, order) * bias, order))
        };
        let best = [candidate(1, 1.0), candidate(0, 0.9), candidate(2, 0.85)].into_iter().flatten();
        let Some((factor, order)) = best.reduce(|best, other| if other.0 > best.0 { other } else { best })
        else {
            return;
        };
        let wanted = h * factor.clamp(RANGE.0, RANGE.1);
        if order != self.order || wanted >= LEAST_GROWTH * self.size || wanted < 0.9 * h {
            (self.order, self.settled) = (order, 0);
            if wanted >= LEAST_GROWTH * self.size || wanted < self.size {
                self.size = wanted.min(self.largest_step);
            }
        }
    }
}

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Sets the order of the next step; `false` where it is not free.
    fn set_order(&mut self, order: usize) -> bool {
        self.rule.variable_order().map(|rule| rule.set_order(order)).is_some()
    }

    /// Goes to the time `end` (s) in steps that follow the error and returns how many were taken. The method must be
    /// [`AdaptiveBdf`](super::Method::AdaptiveBdf).
    ///
    /// # Errors
    /// Another method; an error above the tolerance, or a step that cannot be solved, even in the smallest step. The steps
    /// before are taken.
    pub fn advance_within(&mut self, end: f64, control: &mut ErrorControl) -> Result<usize, DaeError> {
        let mut steps = 0;
        while self.state().time < end {
            self.step_within(end, control)?;
            steps += 1;
        }
        Ok(steps)
    }

    /// Takes one step towards the time `end` (s), which must not be reached yet, and not beyond it; its size follows the error.
    ///
    /// # Errors
    /// As [`advance_within`](Self::advance_within).
    pub fn step_within(&mut self, end: f64, control: &mut ErrorControl) -> Result<(), DaeError> {
        if !self.set_order(control.order) {
            let (quantity, rule) = ("method of a controlled error", "AdaptiveBdf");
            return Err(DaeError::OutOfRange { quantity, found: f64::NAN, rule });
        }
        if control.size == 0.0 {
            control.size = self.first_step(control).min(control.largest_step);
        }
        let left = end - self.state().time;
        // Near the end the steps are made equal, so that none is tiny.
        let count = (left / control.size).ceil();
        let h = if count <= MOST_EQUAL { left / count } else { control.size };
        self.controlled_step(h, control)?;
        if self.state().time >= end - h * ROUND_OFF {
            self.set_time(end);
        }
        Ok(())
    }

    /// A first step that changes velocities by a small share of the tolerance's root.
    fn first_step(&self, control: &ErrorControl) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let rate = largest(&self.state().a) / (1.0 + largest(&self.state().v));
        (0.01 * control.tolerance.sqrt() / (rate + 1e-3)).max(10.0 * control.floor(self.state().time))
    }

    /// One step that is taken, the size `h` (s) or less.
    fn controlled_step(&mut self, mut h: f64, control: &mut ErrorControl) -> Result<(), DaeError> {
        let mut rejections = 0;
        loop {
            self.set_order(control.order);
            let outcome = self.try_step(h);
            let order = control.order;
            let error = outcome.as_ref().ok().and_then(|_| self.local_error(h, order, control.tolerance));
            match (&outcome, error) {
                (Ok(_), Some(error)) if !(error <= 1.0) => {
                    h *= ErrorControl::factor(error, order).clamp(RANGE.0, SAFETY);
                }
                (Ok(_), _) => break,
                (Err(_), _) => h *= 0.25,
            }
            control.refused += 1;
            rejections += 1;
            (control.size, control.settled) = (h, 0);
            if rejections >= MAX_REFUSALS {
                self.forget_past();
                (control.order, rejections) = (1, 0);
            }
            if h < control.floor(self.state().time) {
                let (time, size) = (self.state().time, h);
                return Err(outcome.err().unwrap_or(DaeError::StepTooSmall { time, size }));
            }
        }
        let k = control.order;
        let errors = [k.wrapping_sub(1), k, k + 1].map(|order| self.local_error(h, order, control.tolerance));
        self.take_step(h);
        control.choose(h, errors);
        Ok(())
    }
}
