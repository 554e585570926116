//! Several winds at once.

use nalgebra::{Matrix3, Vector3};

use super::Wind;

/// The sum of several winds.
#[derive(Debug)]
pub struct WindSum(pub Vec<Box<dyn Wind>>);

impl Wind for WindSum {
    fn velocity(&self, position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        self.0.iter().map(|wind| wind.velocity(position, time)).sum()
    }

    fn gradient(&self, position: &Vector3<f64>, time: f64) -> Matrix3<f64> {
        self.0.iter().map(|wind| wind.gradient(position, time)).sum()
    }
}
