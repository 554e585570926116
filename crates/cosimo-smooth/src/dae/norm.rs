//! Sizes of vectors.

/// Largest absolute value.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, xi| if xi.abs() <= m { m } else { xi.abs() })
}
