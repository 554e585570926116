//! What a wind is.

use std::fmt::Debug;

use nalgebra::{Matrix3, Vector3};

/// Step (m) of the differences that a gradient is taken by where none is given.
const DIFFERENCE: f64 = 1e-4;

/// The velocity of the air by place and time, in the axes of space. It is asked for at every section in every evaluation: it
/// should not allocate. A velocity that is not finite ends the step with an error.
pub trait Wind: Debug + Send + Sync {
    /// Velocity (m/s) at a position (m) and a time (s).
    fn velocity(&self, position: &Vector3<f64>, time: f64) -> Vector3<f64>;

    /// Its gradient `∂u_i/∂x_j` (1/s), for tangents. Default: central differences over 0.2 mm.
    fn gradient(&self, position: &Vector3<f64>, time: f64) -> Matrix3<f64> {
        let along = |j: usize| {
            let step = Vector3::ith(j, DIFFERENCE);
            let change = self.velocity(&(position + step), time) - self.velocity(&(position - step), time);
            change / (2.0 * DIFFERENCE)
        };
        Matrix3::from_columns(&[along(0), along(1), along(2)])
    }
}
