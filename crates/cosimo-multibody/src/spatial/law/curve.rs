//! Laws that are curves through points.

use std::sync::Arc;

use super::{Interpolation, Law, Spline};

impl Law {
    /// The cubic spline through these values at these times (s): see [`interpolated`](Self::interpolated).
    #[must_use]
    pub fn through(times: Vec<f64>, values: Vec<f64>) -> Option<Self> {
        Self::interpolated(times, values, Interpolation::Spline)
    }

    /// The curve through these values at these times (s); `None` unless there are as many of both, at least one, finite
    /// ones, at times that increase.
    #[must_use]
    pub fn interpolated(times: Vec<f64>, values: Vec<f64>, interpolation: Interpolation) -> Option<Self> {
        Some(Self::Curve(Arc::new(Spline::through(times, values, interpolation)?)))
    }
}
