//! Frames that move.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Motion of a frame at an instant, along the axes of space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMotion {
    /// Position of its point (m).
    pub position: Vector3<f64>,
    /// Orientation: turns vectors of the frame into vectors of space.
    pub orientation: UnitQuaternion<f64>,
    /// Velocity of the point (m/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity (rad/s).
    pub angular_velocity: Vector3<f64>,
}

impl Default for FrameMotion {
    /// At rest in the origin.
    fn default() -> Self {
        Self {
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }
}

/// Derivative of the rotation: `δθ = T(φ) δφ` for the rotation `exp(φ)` by the rotation vector `φ`, with `δθ` along the axes of
/// space (`δ exp(φ) = δθ × exp(φ)`).
#[must_use]
pub fn rotation_tangent(vector: &Vector3<f64>) -> Matrix3<f64> {
    let square = vector.norm_squared();
    let angle = square.sqrt();
    let (first, second) = if angle < 1e-2 {
        (0.5 - square / 24.0 + square * square / 720.0, 1.0 / 6.0 - square / 120.0 + square * square / 5040.0)
    } else {
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let cross = vector.cross_matrix();
    Matrix3::identity() + cross * first + cross * cross * second
}

/// The inverse of [`rotation_tangent`], for angles below a full turn.
#[must_use]
pub(crate) fn rotation_tangent_inverse(vector: &Vector3<f64>) -> Matrix3<f64> {
    let square = vector.norm_squared();
    let half = 0.5 * square.sqrt();
    let second = if half < 1e-2 {
        1.0 / 12.0 + square / 720.0 + square * square / 30_240.0
    } else {
        (1.0 - half / half.tan()) / square
    };
    let cross = vector.cross_matrix();
    Matrix3::identity() - cross * 0.5 + cross * cross * second
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tangent_is_the_derivative_of_the_rotation() {
        for size in [1e-3, 0.9e-2, 1.1e-2, 1.0, 3.0] {
            let vector = Vector3::new(0.3, -0.5, 0.8).normalize() * size;
            let change = Vector3::new(-0.2, 0.7, 0.4);
            let d = 1e-6;
            let [up, down] = [d, -d].map(|d| UnitQuaternion::from_scaled_axis(vector + change * d));
            let found = (up * down.inverse()).scaled_axis() / (2.0 * d);
            assert!((rotation_tangent(&vector) * change - found).norm() < 1e-9, "{size}");
            let product = rotation_tangent(&vector) * rotation_tangent_inverse(&vector);
            assert!((product - Matrix3::identity()).norm() < 1e-12, "{size}");
        }
    }
}
