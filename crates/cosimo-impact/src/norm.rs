//! Sizes of vectors.

/// Largest magnitude; what is no number counts as infinite.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| {
        if x.abs() <= m {
            m
        } else if x.is_nan() {
            f64::INFINITY
        } else {
            x.abs()
        }
    })
}
