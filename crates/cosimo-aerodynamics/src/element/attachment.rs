//! A frame of a rotor on its body.

use cosimo_multibody::spatial::{Marker, Nodes};
use nalgebra::{Matrix3, Matrix6, Rotation3, SMatrix, UnitQuaternion, Vector3};

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

    /// How the frame follows its body.
    pub(super) fn follow(&self) -> Follow {
        let across = |vector: &Vector3<f64>| -vector.cross_matrix() * self.rotation;
        let spin = self.motion.angular_velocity;
        Follow {
            rotation: self.rotation,
            across: across(&self.arm),
            velocity_turn: across(&spin.cross(&self.arm)),
            spin_turn: across(&spin),
        }
    }

    /// How the moment on the body in its axes follows a turn of the body at the same force and moment on the frame:
    /// `Rᵀ (F× b× + (M + b × F)×) R`.
    pub(super) fn load_turn(&self, [force, moment]: &[Vector3<f64>; 2]) -> Matrix3<f64> {
        let about_centre = moment + self.arm.cross(force);
        let turned = force.cross_matrix() * self.arm.cross_matrix() + about_centre.cross_matrix();
        self.rotation.tr_mul(&(turned * self.rotation))
    }
}

/// How a frame follows its body: increments `P = [1, −b× R; 0, R]` by those of the body, which velocities follow as well, and velocities
/// `G = [0, −(ω × b)× R; 0, −ω× R]` by a turn of the body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Follow {
    rotation: Matrix3<f64>,
    across: Matrix3<f64>,
    velocity_turn: Matrix3<f64>,
    spin_turn: Matrix3<f64>,
}

/// Six rows, three columns.
type Half = SMatrix<f64, 6, 3>;

impl Follow {
    /// `D P` of derivatives by velocities.
    pub(super) fn of_velocity(&self, by_velocity: &Matrix6<f64>) -> Matrix6<f64> {
        let [velocity, spin] = halves(by_velocity);
        join(&velocity, &(velocity * self.across + spin * self.rotation))
    }

    /// `K P + D G` of derivatives by positions and by velocities.
    pub(super) fn of_position(&self, by_position: &Matrix6<f64>, by_velocity: &Matrix6<f64>) -> Matrix6<f64> {
        let ([position, turn], [velocity, spin]) = (halves(by_position), halves(by_velocity));
        let turned = position * self.across + turn * self.rotation;
        join(&position, &(turned + velocity * self.velocity_turn + spin * self.spin_turn))
    }

    /// `Pᵀ X`: from loads on the frame to loads on the body.
    pub(super) fn on_body(&self, of_frame: &Matrix6<f64>) -> Matrix6<f64> {
        let mut out = *of_frame;
        let (force, moment) = (of_frame.fixed_rows::<3>(0), of_frame.fixed_rows::<3>(3));
        let about_centre = self.across.tr_mul(&force) + self.rotation.tr_mul(&moment);
        out.fixed_rows_mut::<3>(3).copy_from(&about_centre);
        out
    }
}

fn halves(matrix: &Matrix6<f64>) -> [Half; 2] {
    [matrix.fixed_columns::<3>(0).into_owned(), matrix.fixed_columns::<3>(3).into_owned()]
}

fn join(first: &Half, second: &Half) -> Matrix6<f64> {
    let mut out = Matrix6::zeros();
    out.fixed_columns_mut::<3>(0).copy_from(first);
    out.fixed_columns_mut::<3>(3).copy_from(second);
    out
}
