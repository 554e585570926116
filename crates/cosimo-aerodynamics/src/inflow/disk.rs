//! The disk of a rotor.

use nalgebra::{Matrix3, SMatrix, Vector3};
use serde::{Deserialize, Serialize};

use super::{DiskFlow, Ground};
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;

/// Sine of the angle between axis and reference below which the axes of the disk are not defined.
const NEARLY_ALONG: f64 = 1e-3;

/// Cosine of the angle between rotor axis and `x` above which `x` is no reference.
const ALONG: f64 = 0.9;

/// Direction of rotation, seen from the tip of the rotor axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rotation {
    /// About the axis.
    #[default]
    CounterClockwise,
    /// Against it.
    Clockwise,
}

impl Rotation {
    /// 1 about the axis, −1 against it.
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Self::CounterClockwise => 1.0,
            Self::Clockwise => -1.0,
        }
    }
}

/// How the axes of a disk are found from the frame of the hub.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiskAxes {
    /// Rotor axis in the frame of the hub, a unit vector; positive thrust acts along it.
    pub axis: Vector3<f64>,
    /// A direction in space, not along the axis: the first axis of the disk is its part across the rotor axis. `None`: that of
    /// [`reference_at`](Self::reference_at) the first motion of the hub.
    pub reference: Option<Vector3<f64>>,
    /// Direction of rotation.
    pub rotation: Rotation,
}

impl DiskAxes {
    /// The direction given, or else `x`, and `z` where the rotor axis is within 26° of `x` for this motion of the hub.
    #[must_use]
    pub fn reference_at(&self, hub: &FrameMotion) -> Vector3<f64> {
        let is_along = (hub.orientation * self.axis).x.abs() > ALONG;
        self.reference.unwrap_or_else(if is_along { Vector3::z } else { Vector3::x })
    }
}

/// A disk at an instant, with its derivatives by the motion of the hub.
#[derive(Debug, Clone, Copy)]
pub struct Disk {
    /// Rotor axis `k`, in space.
    pub axis: Vector3<f64>,
    /// Axes in the disk; they do not rotate with the rotor. `k × first = second`.
    pub axes: [Vector3<f64>; 2],
    /// Position of the hub (m).
    pub centre: Vector3<f64>,
    /// Direction of rotation, 1 or −1.
    pub sign: f64,
    /// The flow through the disk.
    pub flow: DiskFlow<f64>,
    /// Velocity of the hub through the air (m/s), and the gradient of the wind there (1/s).
    velocity: Vector3<f64>,
    gradient: Matrix3<f64>,
    angular_velocity: Vector3<f64>,
    /// Upwards from the ground; zero without ground.
    up: Vector3<f64>,
    /// Derivatives of the axes in the disk with respect to a turn of the hub.
    pub(crate) turns: [Matrix3<f64>; 2],
}

/// Derivatives of the axes in the disk with respect to a turn of the hub; `size` is that of the reference across the axis.
fn turns_of_axes(
    axis: &Vector3<f64>,
    reference: &Vector3<f64>,
    size: f64,
    first: &Vector3<f64>,
) -> [Matrix3<f64>; 2] {
    let by_axis = (first * first.transpose() - Matrix3::identity())
        * (Matrix3::identity() * axis.dot(reference) + axis * reference.transpose())
        / size;
    let axis_turn = -axis.cross_matrix();
    let first_turn = by_axis * axis_turn;
    [first_turn, axis.cross_matrix() * first_turn - first.cross_matrix() * axis_turn]
}

impl Disk {
    /// The disk of a hub whose axes are counted from `reference`, with the wind (m/s) and its gradient (1/s) there, over a ground or
    /// in free air.
    ///
    /// # Errors
    /// The rotor axis lies along the reference.
    pub fn new(
        (axes, reference): (&DiskAxes, &Vector3<f64>),
        hub: &FrameMotion,
        (wind, gradient): (Vector3<f64>, Matrix3<f64>),
        ground: Option<&Ground>,
    ) -> Result<Self, AerodynamicError> {
        let axis = hub.orientation * axes.axis;
        let across = reference - axis * axis.dot(reference);
        let size = across.norm();
        if !(size > NEARLY_ALONG * reference.norm()) {
            return Err(AerodynamicError::AxisAlongReference);
        }
        let first = across / size;
        let second = axis.cross(&first);
        let (sign, velocity) = (axes.rotation.sign(), hub.velocity - wind);
        Ok(Self {
            axis,
            axes: [first, second],
            centre: hub.position,
            sign,
            flow: DiskFlow {
                along: [velocity.dot(&first), velocity.dot(&second)],
                climb: velocity.dot(&axis),
                speed: sign * hub.angular_velocity.dot(&axis),
                height: ground.map_or(f64::INFINITY, |plane| plane.up.dot(&hub.position) - plane.height),
            },
            up: ground.map_or_else(Vector3::zeros, |plane| plane.up),
            velocity,
            gradient,
            angular_velocity: hub.angular_velocity,
            turns: turns_of_axes(&axis, reference, size, &first),
        })
    }

    /// Derivatives of the flow with respect to position and turn of the hub (m, rad).
    pub(crate) fn flow_by_position(&self) -> SMatrix<f64, 5, 6> {
        let mut by = SMatrix::<f64, 5, 6>::zeros();
        let by_place = -self.gradient.transpose();
        let turns = [
            self.turns[0].transpose() * self.velocity,
            self.turns[1].transpose() * self.velocity,
            self.axis.cross(&self.velocity),
            self.axis.cross(&self.angular_velocity) * self.sign,
        ];
        for (k, turn) in turns.iter().enumerate() {
            by.fixed_view_mut::<1, 3>(k, 3).copy_from(&turn.transpose());
        }
        for (k, along) in [self.axes[0], self.axes[1], self.axis].iter().enumerate() {
            by.fixed_view_mut::<1, 3>(k, 0).copy_from(&(by_place * along).transpose());
        }
        by.fixed_view_mut::<1, 3>(4, 0).copy_from(&self.up.transpose());
        by
    }

    /// Derivatives of the flow with respect to velocity and angular velocity of the hub.
    pub(crate) fn flow_by_velocity(&self) -> SMatrix<f64, 5, 6> {
        let mut by = SMatrix::<f64, 5, 6>::zeros();
        for (k, along) in [self.axes[0], self.axes[1], self.axis].iter().enumerate() {
            by.fixed_view_mut::<1, 3>(k, 0).copy_from(&along.transpose());
        }
        by.fixed_view_mut::<1, 3>(3, 3).copy_from(&(self.axis * self.sign).transpose());
        by
    }
}
