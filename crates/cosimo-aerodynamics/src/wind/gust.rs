//! Gusts over time.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::Wind;

/// One period of `1 − cos` over time, the same everywhere: `u = u_max/2 (1 − cos(2π (t − t₀)/T))`, zero before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CosineGust {
    /// `u_max` (m/s).
    pub peak: Vector3<f64>,
    /// `t₀` (s).
    pub start: f64,
    /// `T` (s), positive.
    pub duration: f64,
}

impl Wind for CosineGust {
    fn velocity(&self, _position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let share = (time - self.start) / self.duration;
        if (0.0..=1.0).contains(&share) {
            self.peak * (0.5 * (1.0 - (2.0 * PI * share).cos()))
        } else {
            Vector3::zeros()
        }
    }

    fn gradient(&self, _position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        Matrix3::zeros()
    }
}
