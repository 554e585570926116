//! Winds that do not change with time.

use nalgebra::{Matrix3, Vector3};

use super::Wind;

/// The same velocity everywhere (m/s). The default is still air.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UniformWind(pub Vector3<f64>);

impl Wind for UniformWind {
    fn velocity(&self, _position: &Vector3<f64>, _time: f64) -> Vector3<f64> {
        self.0
    }

    fn gradient(&self, _position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        Matrix3::zeros()
    }
}

/// A velocity that changes linearly in space, `u = u₀ + G (x − x₀)`: such as the gust over a ship's deck in the literature of blade
/// sailing, whose vertical velocity goes from one sign to the other across the disk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearWind {
    /// `u₀` (m/s).
    pub velocity: Vector3<f64>,
    /// `G` (1/s), `∂u_i/∂x_j`.
    pub gradient: Matrix3<f64>,
    /// `x₀` (m).
    pub origin: Vector3<f64>,
}

impl Wind for LinearWind {
    fn velocity(&self, position: &Vector3<f64>, _time: f64) -> Vector3<f64> {
        self.velocity + self.gradient * (position - self.origin)
    }

    fn gradient(&self, _position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        self.gradient
    }
}

/// Wind over ground, `u = u_ref (h/h_ref)^p` with the height `h` over a plane; none below the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShearWind {
    /// `u_ref` (m/s), at the height of reference.
    pub velocity: Vector3<f64>,
    /// `h_ref` (m), positive.
    pub reference_height: f64,
    /// `p` (–), about 1/7 over open ground.
    pub exponent: f64,
    /// Unit vector upwards.
    pub up: Vector3<f64>,
    /// Height (m) of the ground along `up`.
    pub ground: f64,
}

impl ShearWind {
    /// Height over ground, over that of reference; not negative.
    fn height(&self, position: &Vector3<f64>) -> f64 {
        ((position.dot(&self.up) - self.ground) / self.reference_height).max(0.0)
    }
}

impl Wind for ShearWind {
    fn velocity(&self, position: &Vector3<f64>, _time: f64) -> Vector3<f64> {
        self.velocity * self.height(position).powf(self.exponent)
    }

    fn gradient(&self, position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        let height = self.height(position);
        if height == 0.0 {
            return Matrix3::zeros();
        }
        let slope = self.exponent * height.powf(self.exponent - 1.0) / self.reference_height;
        self.velocity * slope * self.up.transpose()
    }
}
