//! Motion between two frames.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::frame::{FrameMotion, rotation_tangent, rotation_tangent_inverse};

/// Two neighbouring frames.
pub(super) struct Segment<'a> {
    frames: [&'a FrameMotion; 2],
    /// Rotation vector from the first orientation to the second, along the axes of space.
    turn: Vector3<f64>,
}

/// The motion at a place between two frames.
pub(super) struct Interpolated {
    /// Shape functions.
    pub(super) shape: [f64; 2],
    pub(super) motion: FrameMotion,
}

impl<'a> Segment<'a> {
    pub(super) fn new(first: &'a FrameMotion, second: &'a FrameMotion) -> Self {
        let turn = (second.orientation * first.orientation.inverse()).scaled_axis();
        Self { frames: [first, second], turn }
    }

    /// The motion at `fraction`.
    pub(super) fn at(&self, fraction: f64) -> Interpolated {
        let [first, second] = self.frames;
        let orientation = UnitQuaternion::from_scaled_axis(self.turn * fraction) * first.orientation;
        let motion = FrameMotion {
            position: first.position.lerp(&second.position, fraction),
            orientation,
            velocity: first.velocity.lerp(&second.velocity, fraction),
            angular_velocity: first.angular_velocity.lerp(&second.angular_velocity, fraction),
        };
        Interpolated { shape: [1.0 - fraction, fraction], motion }
    }

    /// How the orientation at `fraction` turns with those of the frames:
    ///
    /// ```text
    ///   R(s) = exp(s φ) R_A,  exp(φ) = R_B R_Aᵀ        δθ(s) = B_A δθ_A + B_B δθ_B
    ///   B_B = s T(s φ) T(φ)⁻¹        B_A = exp(s φ) − B_B exp(φ)
    /// ```
    pub(super) fn turns(&self, fraction: f64) -> [Matrix3<f64>; 2] {
        let part = self.turn * fraction;
        let second = rotation_tangent(&part) * rotation_tangent_inverse(&self.turn) * fraction;
        let rotation =
            |vector: Vector3<f64>| UnitQuaternion::from_scaled_axis(vector).to_rotation_matrix().into_inner();
        [rotation(part) - second * rotation(self.turn), second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> [FrameMotion; 2] {
        let turned = |x: f64, y: f64, z: f64| FrameMotion {
            orientation: UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z)),
            position: Vector3::new(1.0 + x, y, z),
            ..FrameMotion::default()
        };
        [turned(0.2, -0.4, 0.7), turned(0.9, 0.5, -0.3)]
    }

    #[test]
    fn the_ends_are_the_frames() {
        let [a, b] = frames();
        let segment = Segment::new(&a, &b);
        assert!(segment.at(0.0).motion.orientation.angle_to(&a.orientation) < 1e-15);
        assert!(segment.at(1.0).motion.orientation.angle_to(&b.orientation) < 1e-15);
    }

    #[test]
    fn turns_are_the_derivatives_of_the_orientation() {
        let [a, b] = frames();
        let (fraction, d) = (0.3, 1e-6);
        let turns = Segment::new(&a, &b).turns(fraction);
        for end in 0..2 {
            for axis in 0..3 {
                let [up, down] = [d, -d].map(|d| {
                    let mut moved = [a, b];
                    let change = UnitQuaternion::from_scaled_axis(Vector3::ith(axis, d));
                    moved[end].orientation = change * moved[end].orientation;
                    Segment::new(&moved[0], &moved[1]).at(fraction).motion.orientation
                });
                let found = (up * down.inverse()).scaled_axis() / (2.0 * d);
                assert!((turns[end].column(axis) - found).norm() < 1e-9, "{end} {axis}");
            }
        }
    }
}
