//! A frame of a rotor on its body.

use cosimo_multibody::spatial::{Marker, Nodes};
use nalgebra::{Matrix3, Matrix6, Rotation3, UnitQuaternion, Vector3};

use crate::frame::FrameMotion;

/// A frame fixed to a body.
#[derive(Debug, Clone)]
pub(super) struct Attachment {
    /// From the centre of mass, in body axes (m).
    arm: Vector3<f64>,
    /// Turns vectors of the frame into vectors of the body.
    turn: UnitQuaternion<f64>,
}

/// A frame at an instant, and its body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attached {
    pub(super) motion: FrameMotion,
    /// Turns vectors of the body into vectors of space.
    rotation: Matrix3<f64>,
    /// From the centre of mass, along the axes of space (m).
    arm: Vector3<f64>,
}

/// A 6 × 6 matrix of four blocks.
fn blocks([[a, b], [c, d]]: [[Matrix3<f64>; 2]; 2]) -> Matrix6<f64> {
    let mut out = Matrix6::zeros();
    for (block, (row, column)) in [(a, (0, 0)), (b, (0, 3)), (c, (3, 0)), (d, (3, 3))] {
        out.fixed_view_mut::<3, 3>(row, column).copy_from(&block);
    }
    out
}

impl Attachment {
    pub(super) fn new(marker: &Marker) -> Self {
        let axes = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&marker.axes));
        Self { arm: marker.arm, turn: UnitQuaternion::from_rotation_matrix(&axes) }
    }

    /// The frame for the motion of a node.
    pub(super) fn at(&self, nodes: &Nodes<'_>, node: usize) -> Attached {
        let (pose, twist) = (nodes.pose(node), nodes.twist(node));
        let (arm, spin) = (pose.rotation * self.arm, pose.rotation * twist.spin);
        let motion = FrameMotion {
            position: pose.position + arm,
            orientation: nodes.orientation(node) * self.turn,
            velocity: twist.velocity + spin.cross(&arm),
            angular_velocity: spin,
        };
        Attached { motion, rotation: pose.rotation, arm }
    }
}

impl Attached {
    /// Force, and moment about the centre of mass in body axes, of force and moment on the frame.
    pub(super) fn on_body(&self, [force, moment]: &[Vector3<f64>; 2]) -> [Vector3<f64>; 2] {
        [*force, self.rotation.tr_mul(&(moment + self.arm.cross(force)))]
    }

    /// Increments of the frame by those of the body, and velocities of the frame by those of the body: `[1, −b× R; 0, R]`.
    pub(super) fn increments(&self) -> Matrix6<f64> {
        let across = -self.arm.cross_matrix() * self.rotation;
        blocks([[Matrix3::identity(), across], [Matrix3::zeros(), self.rotation]])
    }

    /// How velocity and angular velocity of the frame turn with the body: `[0, −(ω × b)× R; 0, −ω× R]`.
    pub(super) fn velocity_turn(&self) -> Matrix6<f64> {
        let spin = self.motion.angular_velocity;
        let [of_point, of_frame] =
            [spin.cross(&self.arm), spin].map(|turned| -turned.cross_matrix() * self.rotation);
        blocks([[Matrix3::zeros(), of_point], [Matrix3::zeros(), of_frame]])
    }

    /// How the moment on the body in its axes follows a turn of the body at the same force and moment on the frame:
    /// `Rᵀ (F× b× + (M + b × F)×) R`.
    pub(super) fn load_turn(&self, [force, moment]: &[Vector3<f64>; 2]) -> Matrix6<f64> {
        let about_centre = moment + self.arm.cross(force);
        let turned = force.cross_matrix() * self.arm.cross_matrix() + about_centre.cross_matrix();
        let own = self.rotation.tr_mul(&(turned * self.rotation));
        blocks([[Matrix3::zeros(); 2], [Matrix3::zeros(), own]])
    }
}
