//! Accelerations of body points.

use nalgebra::{Matrix3, Vector3};

use super::joint::Marker;
use super::pose::{Pose, Twist};

/// Measures the acceleration of a point `p` of a body:
///
/// ```text
///   p̈ = ẍ + R (ω̇ × r + ω × (ω × r))
/// ```
///
/// with the accelerations of the equations of motion, in world axes or in those of the second frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accelerometer {
    body: Option<usize>,
    arm: Vector3<f64>,
    /// Axes of the frame in those of the body; `None` for those of the world.
    axes: Option<Matrix3<f64>>,
    /// What is taken off (m/s²): gravity, of a proper acceleration.
    gravity: Vector3<f64>,
}

impl Accelerometer {
    pub(super) fn new(marker: &Marker, is_on_body: bool, gravity: Vector3<f64>) -> Self {
        let axes = is_on_body.then(|| Matrix3::from_columns(&marker.axes));
        Self { body: marker.body, arm: marker.arm, axes, gravity }
    }

    /// The acceleration (m/s²) at positions `q`, velocities `v` and accelerations `a` of the system.
    pub(super) fn measure(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vector3<f64> {
        let pose = Pose::read(q, self.body);
        let [spin, change] = [v, a].map(|rates| Twist::read(rates, self.body));
        let of_arm = change.spin.cross(&self.arm) + spin.spin.cross(&spin.spin.cross(&self.arm));
        let acceleration = change.velocity + pose.rotation * of_arm - self.gravity;
        match &self.axes {
            None => acceleration,
            Some(axes) => axes.tr_mul(&pose.rotation.tr_mul(&acceleration)),
        }
    }
}
