//! Wind: the velocity of the air where no rotor disturbs it.
//!
//! | wind | what |
//! |---|---|
//! | [`UniformWind`] | the same everywhere, always |
//! | [`TravellingFront`] | a profile that travels along a direction |
//! | [`CosineGust`] | one period of `1 − cos` over time, everywhere |
//! | [`LinearWind`] | a velocity and its gradient, such as over a ship's deck |
//! | [`ShearWind`] | a power of the height |
//! | [`WindTable`] | a velocity over time, from a table |
//! | [`WindSum`] | several at once |
//!
//! A wind of your own implements [`Wind`].

mod front;
mod gust;
mod simple;
mod sum;
mod table;

pub use front::{FrontProfile, TravellingFront};
pub use gust::CosineGust;
pub use simple::{LinearWind, ShearWind, UniformWind};
pub use sum::WindSum;
pub use table::{WindTable, WindTableError};

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
