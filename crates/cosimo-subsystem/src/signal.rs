//! The course of an input between communication points.

use serde::{Deserialize, Serialize};

/// The course of an input from a communication point on: a cubic polynomial in the time since then.
///
/// It holds until the next call of [`Subsystem::set_inputs`](crate::Subsystem::set_inputs), also where the step in between
/// is taken in parts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Signal {
    /// The communication point (s).
    pub time: f64,
    /// Value there, then its coefficients of order one to three: `u(t) = Σ cₖ (t − time)ᵏ`.
    pub coefficients: [f64; 4],
}

impl Signal {
    /// A course that keeps its value.
    #[must_use]
    pub fn held(time: f64, value: f64) -> Self {
        Self { time, coefficients: [value, 0.0, 0.0, 0.0] }
    }

    /// A linear course: `rate` is per second.
    #[must_use]
    pub fn linear(time: f64, value: f64, rate: f64) -> Self {
        Self { time, coefficients: [value, rate, 0.0, 0.0] }
    }

    /// The cubic course from a value and rate to a value and rate after the time `size` (s).
    #[must_use]
    pub fn smooth(time: f64, size: f64, [value, rate]: [f64; 2], [end_value, end_rate]: [f64; 2]) -> Self {
        let slope = (end_value - value) / size;
        let quadratic = (3.0 * slope - 2.0 * rate - end_rate) / size;
        let cubic = (rate + end_rate - 2.0 * slope) / (size * size);
        Self { time, coefficients: [value, rate, quadratic, cubic] }
    }

    /// The same course, written in the time since `t` (s).
    #[must_use]
    pub fn since(&self, t: f64) -> Self {
        let cubic = self.coefficients[3];
        Self { time: t, coefficients: [self.value(t), self.rate(t), 0.5 * self.acceleration(t), cubic] }
    }

    /// Value at time `t` (s).
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        let (s, [a, b, c, d]) = (t - self.time, self.coefficients);
        a + s * (b + s * (c + s * d))
    }

    /// Rate at time `t` (s), per second.
    #[must_use]
    pub fn rate(&self, t: f64) -> f64 {
        let (s, [_, b, c, d]) = (t - self.time, self.coefficients);
        b + s * (2.0 * c + 3.0 * s * d)
    }

    /// Second derivative at time `t` (s), per second squared.
    #[must_use]
    pub fn acceleration(&self, t: f64) -> f64 {
        let [_, _, c, d] = self.coefficients;
        2.0 * c + 6.0 * d * (t - self.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_course_meets_both_ends() {
        let signal = Signal::smooth(2.0, 0.1, [1.0, -3.0], [0.5, 4.0]);
        assert!((signal.value(2.0) - 1.0).abs() < 1e-15 && (signal.rate(2.0) + 3.0).abs() < 1e-14);
        assert!((signal.value(2.1) - 0.5).abs() < 1e-14 && (signal.rate(2.1) - 4.0).abs() < 1e-12);
        let later = signal.since(2.04);
        assert!((later.value(2.07) - signal.value(2.07)).abs() < 1e-14);
        let (d, t) = (1e-5, 2.04);
        let difference = (signal.rate(t + d) - signal.rate(t - d)) / (2.0 * d);
        assert!((signal.acceleration(t) - difference).abs() < 1e-6 * difference.abs());
    }
}
