//! The error of a step, from velocities that are known anyway.
//!
//! A step `h` of the trapezoidal rule, `q₁ = q₀ + h (v₀ + v₁)/2`, is wrong by `h³ v̈/12`. The velocity extrapolated from
//! two points, the predictor, misses the one found, the corrector, by the same derivative (Milne's device):
//!
//! ```text
//!   e = h³/12 |v̈|      v̈/2 = [(v₁ − v₀)/h − (v_p − v₀)/s] / (h − s)
//! ```
//!
//! with `v_p` at the time `s` from the start of the step: at the communication point behind, `s = −h₋₁`, or, where there
//! is none, at the end of a trial step of another size. In other words `e = h |v₁ − ṽ₁| / (6 (1 + h₋₁/h))`, the error of
//! the predicted velocity `ṽ₁` weighted by the step. The constant is that of the trapezoidal rule, θ = ½; two-step rules
//! and generalized-α err by up to three times as much, θ ≠ ½ is of first order and errs by more.
//!
//! Sources: W. E. Milne, *Amer. Math. Monthly* 33, 1926; P. M. Gresho, D. F. Griffiths, D. J. Silvester, *SIAM J. Sci.
//! Comput.* 30, 2008 (the trapezoidal rule with a predictor of its own order).

use serde::{Deserialize, Serialize};

/// Velocities (m/s) of all rows at one other time than the start and the end of the step at hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Past {
    velocities: Vec<f64>,
    /// That time from the start of the step (s): negative behind it, positive for a trial, zero where none is known.
    offset: f64,
}

impl Past {
    pub(crate) fn unknown(rows: usize) -> Self {
        Self { velocities: vec![0.0; rows], offset: 0.0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.velocities.len()
    }

    /// Forgets what is known.
    pub(crate) fn clear(&mut self) {
        self.offset = 0.0;
    }

    /// Whether nothing is known but, at most, a trial.
    pub(crate) fn is_blind(&self) -> bool {
        self.offset >= 0.0
    }

    /// Keeps velocities at the time `offset` (s) from the start of the step.
    pub(crate) fn keep(&mut self, velocities: &[f64], offset: f64) {
        self.velocities.copy_from_slice(velocities);
        self.offset = offset;
    }

    /// Largest error (m) of a row, infinite where there are numbers that are none, in a step of size `h` (s) with these velocities at its start and end; nothing where
    /// no third velocity is known.
    pub(crate) fn error(&self, h: f64, start: &[f64], end: &[f64]) -> Option<f64> {
        let s = self.offset;
        if s == 0.0 || s.to_bits() == h.to_bits() {
            return None;
        }
        let mut largest = 0.0_f64;
        for ((v0, v1), v) in start.iter().zip(end).zip(&self.velocities) {
            let curvature = ((v1 - v0) / h - (v - v0) / s) / (h - s);
            if curvature.is_nan() {
                return Some(f64::INFINITY);
            }
            largest = largest.max(curvature.abs());
        }
        Some(h * h * h / 6.0 * largest)
    }
}

#[cfg(test)]
mod tests {
    use super::Past;

    /// Velocity with the second derivative `6 t`, and the error of the trapezoidal rule over a step of it.
    fn velocity(t: f64) -> f64 {
        1.0 - 2.0 * t + 3.0 * t * t
    }

    fn error_of_trapezoidal_rule(t: f64, h: f64) -> f64 {
        let way = |t: f64| t - t * t + t * t * t;
        (0.5 * h * (velocity(t) + velocity(t + h)) - (way(t + h) - way(t))).abs()
    }

    #[test]
    fn the_estimate_is_the_error_of_the_trapezoidal_rule() {
        let (t, h) = (0.3, 0.02);
        for offset in [-0.02, -0.005, -0.08, 0.04, 0.01] {
            let mut past = Past::unknown(1);
            past.keep(&[velocity(t + offset)], offset);
            let found = past.error(h, &[velocity(t)], &[velocity(t + h)]).unwrap_or(0.0);
            let exact = error_of_trapezoidal_rule(t, h);
            assert!((found / exact - 1.0).abs() < 1e-9, "{offset}: {found:e}, exact {exact:e}");
        }
    }

    #[test]
    fn nothing_is_known_at_the_start_and_nothing_finite_of_what_is_not() {
        let mut past = Past::unknown(2);
        assert_eq!(past.error(0.1, &[1.0, 1.0], &[2.0, 2.0]), None);
        past.keep(&[0.0, 0.0], -0.1);
        assert_eq!(past.error(0.1, &[1.0, 1.0], &[f64::NAN, 2.0]), Some(f64::INFINITY));
    }
}
