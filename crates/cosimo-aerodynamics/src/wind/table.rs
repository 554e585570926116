//! Wind from a table.

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::Wind;

/// A velocity over time, linear between the entries of a table and constant before the first and after the last.
#[derive(Debug, Clone, PartialEq)]
pub struct WindTable {
    times: Vec<f64>,
    velocities: Vec<Vector3<f64>>,
}

/// Why a table of wind was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "a wind table needs as many velocities as times, at least one, all finite, at increasing times: entry {entry}"
)]
pub struct WindTableError {
    /// The entry, counted from 0, that breaks the rule.
    pub entry: usize,
}

impl WindTable {
    /// A table of times (s), increasing, and velocities (m/s).
    ///
    /// # Errors
    /// [`WindTableError`].
    pub fn new(times: Vec<f64>, velocities: Vec<Vector3<f64>>) -> Result<Self, WindTableError> {
        if times.is_empty() || times.len() != velocities.len() {
            return Err(WindTableError { entry: times.len().min(velocities.len()) });
        }
        for (entry, (time, velocity)) in times.iter().zip(&velocities).enumerate() {
            let increases = entry == 0 || times[entry - 1] < *time;
            if !(time.is_finite() && increases && velocity.iter().all(|x| x.is_finite())) {
                return Err(WindTableError { entry });
            }
        }
        Ok(Self { times, velocities })
    }
}

impl Wind for WindTable {
    fn velocity(&self, _position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let next = self.times.partition_point(|t| *t <= time);
        if next == 0 {
            return self.velocities[0];
        }
        let Some(end) = self.times.get(next) else { return self.velocities[next - 1] };
        let share = (time - self.times[next - 1]) / (end - self.times[next - 1]);
        self.velocities[next - 1].lerp(&self.velocities[next], share)
    }

    fn gradient(&self, _position: &Vector3<f64>, _time: f64) -> Matrix3<f64> {
        Matrix3::zeros()
    }
}
