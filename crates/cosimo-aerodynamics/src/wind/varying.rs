//! Wind that changes over time.

use cosimo_mechanics::TimeFunction;
use nalgebra::{Matrix3, Vector3};

use super::Wind;

/// A velocity over time, the same everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct VaryingWind {
    /// Components of the velocity (m/s).
    pub velocity: [TimeFunction; 3],
}

impl Wind for VaryingWind {
    fn velocity(&self, _position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let [x, y, z] = &self.velocity;
        Vector3::new(x.value(time), y.value(time), z.value(time))
    }

    fn gradient(&self, _position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        Matrix3::zeros()
    }
}
