//! How members of a pool go on until the next communication point, and the least gap of two on their ways.

use nalgebra::Vector3;

use super::members::{Member, PlacedPool, Surface};
use crate::spatial::pose::{Pose, Twist};

/// Share of the larger radius that a member may stray by at least: what is nearer than that keeps its slot.
const SLACK: f64 = 0.05;
/// By what share a body may turn further than its angular velocity says, and by how much in any case (rad).
const TURN_SHARE: f64 = 1.1;
const TURN_SLACK: f64 = 0.01;

/// How far a pool looks ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Horizon {
    /// The longest step (s).
    pub(super) step: f64,
    /// `δ` (m).
    pub(super) slack: f64,
}

impl Horizon {
    pub(super) fn new(pool: &PlacedPool, step: f64) -> Self {
        let largest = match pool.surface {
            Surface::OnPlane(radius) => radius,
            Surface::OnSphere(radii) => radii[0].max(radii[1]),
        };
        Self { step, slack: SLACK * largest }
    }
}

/// A member at a communication point, and how it is foreseen to go on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Foreseen {
    /// Its point (m), and of a plane its normal.
    pub(super) point: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
    /// Velocity of the centre of mass (m/s).
    pub(super) velocity: Vector3<f64>,
    /// By how much the centre of mass may stray from the straight way (m), and how far the body may turn (rad).
    displacement: f64,
    turn: f64,
    /// By how much the point may stray (m).
    pub(super) leeway: f64,
}

impl Foreseen {
    /// Of a member at these positions and velocities, whose body falls with the acceleration `fall` (m/s²).
    pub(super) fn read(member: &Member, q: &[f64], v: &[f64], fall: f64, horizon: Horizon) -> Self {
        let marker = &member.marker;
        let (pose, twist) = (Pose::read(q, marker.body), Twist::read(v, marker.body));
        let h = horizon.step;
        let is_fixed = marker.body.is_none();
        let displacement = if is_fixed { 0.0 } else { horizon.slack + h * h * fall };
        let turn = if is_fixed { 0.0 } else { TURN_SHARE * h * twist.spin.norm() + TURN_SLACK };
        Self {
            point: pose.point(&marker.arm),
            normal: pose.rotation * marker.axes[2],
            velocity: twist.velocity,
            displacement,
            turn,
            leeway: displacement + marker.arm.norm() * turn,
        }
    }

    /// Whether the increment `twist` of a step of size `h` (s) leads elsewhere than foreseen; turns matter where the point has an arm or
    /// is that of a plane.
    pub(super) fn is_left_by(&self, twist: &Twist, h: f64, turns_matter: bool) -> bool {
        !((twist.velocity - self.velocity * h).norm() <= self.displacement)
            || (turns_matter && !(twist.spin.norm() <= self.turn))
    }
}

/// A bound below the least gap (m) of two members on straight ways of their points by these increments, where the first turns by `turn`
/// (rad); the points' own straying comes on top.
pub(super) fn least_gap(
    surface: Surface,
    [first, second]: [&Foreseen; 2],
    [of_first, of_second]: [Vector3<f64>; 2],
    turn: f64,
) -> f64 {
    let (apart, displacement) = (second.point - first.point, of_second - of_first);
    match surface {
        Surface::OnSphere(radii) => closest(&apart, &displacement) - radii[0] - radii[1],
        Surface::OnPlane(radius) => {
            let (gap, change) = (first.normal.dot(&apart) - radius, first.normal.dot(&displacement));
            gap + change.min(0.0) - turn * (apart.norm() + displacement.norm())
        }
    }
}

/// The least length of `apart + s way`, `s` in \[0, 1\].
fn closest(apart: &Vector3<f64>, displacement: &Vector3<f64>) -> f64 {
    let (along, square) = (-apart.dot(displacement), displacement.norm_squared());
    let share = if along > 0.0 && square > 0.0 { (along / square).min(1.0) } else { 0.0 };
    (apart + displacement * share).norm()
}

/// The same over the horizon, less the leeways of both: no more than zero where the two may touch.
pub(super) fn foreseen_gap(surface: Surface, [first, second]: [&Foreseen; 2], horizon: Horizon) -> f64 {
    let displacements = [first, second].map(|own| own.velocity * horizon.step);
    least_gap(surface, [first, second], displacements, first.turn) - first.leeway - second.leeway
}
