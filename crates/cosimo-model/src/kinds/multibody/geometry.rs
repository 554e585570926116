//! Frames of a model where they are at the start.

use cosimo_multibody::spatial::Frame;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::spec::{BodyFrameSpec, PlaceSpec, SpatialBodySpec, UP};
use crate::kinds::body_ref::BodyRef;
use crate::kinds::{rotation, unit};

/// Origin (m) and axes of a frame in the world.
#[derive(Clone, Copy)]
struct WorldFrame {
    point: Vector3<f64>,
    axes: UnitQuaternion<f64>,
}

/// Numbers that two frames define, as `cosimo_multibody::spatial::Geometry` does.
pub(super) struct Geometry {
    /// Distance of the origins (m).
    pub(super) distance: f64,
    /// Way from the first origin to the second along the first frame's third axis (m).
    pub(super) displacement: f64,
    /// Angle about the first frame's third axis, from its first axis to that of the second (rad).
    pub(super) angle: f64,
    /// Product of the first frame's third axis and the second's first (–).
    pub(super) dot_product: f64,
    /// The first frame's third axis in the world.
    pub(super) axis: Vector3<f64>,
    /// Way from the first origin to the second in the world (m).
    way: Vector3<f64>,
}

impl Geometry {
    /// At the start.
    pub(super) fn of(bodies: &[SpatialBodySpec], place: &PlaceSpec) -> Self {
        let [first, second] = world_frames(bodies, place);
        let way = second.point - first.point;
        let axis = |k| first.axes * Vector3::ith(k, 1.0);
        let x = second.axes * Vector3::x();
        Self {
            distance: way.norm(),
            displacement: axis(2).dot(&way),
            angle: x.dot(&axis(1)).atan2(x.dot(&axis(0))),
            dot_product: x.dot(&axis(2)),
            axis: axis(2),
            way,
        }
    }

    /// Way from the first origin to the second along this direction of the world (m).
    pub(super) fn along(&self, direction: [f64; 3]) -> f64 {
        self.way.dot(&Vector3::from(unit(direction)))
    }
}

/// Where a point of a body is at the start (m).
pub(super) fn point_at_start(bodies: &[SpatialBodySpec], owner: BodyRef, point: [f64; 3]) -> Vector3<f64> {
    let frame = WorldFrame { point: point.into(), axes: UnitQuaternion::identity() };
    into_world(bodies, owner, &frame).point
}

/// The two frames as the multibody library takes them.
pub(super) fn frames(bodies: &[SpatialBodySpec], place: &PlaceSpec) -> [Frame; 2] {
    let world = world_frames(bodies, place);
    match place {
        PlaceSpec::AtStart { bodies: owners, .. } => {
            [0, 1].map(|k| frame_on(bodies, owners[k], &into_body(bodies, owners[k], &world[k])))
        }
        PlaceSpec::Frames(own) => [0, 1].map(|k| frame(bodies, &own[k])),
    }
}

/// A frame on a body as the multibody library takes it.
pub(super) fn frame(bodies: &[SpatialBodySpec], own: &BodyFrameSpec) -> Frame {
    frame_on(bodies, own.body, &on_body(own))
}

fn frame_on(bodies: &[SpatialBodySpec], owner: BodyRef, frame: &WorldFrame) -> Frame {
    let point = frame.point;
    let placed = match body(bodies, owner) {
        None => Frame::ground(point),
        Some(body) => Frame::on(&body.name, point),
    };
    placed.with_orientation(frame.axes)
}

fn world_frames(bodies: &[SpatialBodySpec], place: &PlaceSpec) -> [WorldFrame; 2] {
    match place {
        PlaceSpec::AtStart { at, axis, x, .. } => {
            let axes = axes(axis.unwrap_or(UP), *x);
            at.map(|point| WorldFrame { point: point.into(), axes })
        }
        PlaceSpec::Frames(own) => [0, 1].map(|k| into_world(bodies, own[k].body, &on_body(&own[k]))),
    }
}

fn on_body(frame: &BodyFrameSpec) -> WorldFrame {
    WorldFrame { point: frame.point.into(), axes: axes(frame.axis.unwrap_or(UP), frame.x) }
}

fn into_world(bodies: &[SpatialBodySpec], owner: BodyRef, frame: &WorldFrame) -> WorldFrame {
    let Some(body) = body(bodies, owner) else { return *frame };
    let turn = rotation(body.orientation);
    WorldFrame { point: Vector3::from(body.position) + turn * frame.point, axes: turn * frame.axes }
}

fn into_body(bodies: &[SpatialBodySpec], owner: BodyRef, frame: &WorldFrame) -> WorldFrame {
    let Some(body) = body(bodies, owner) else { return *frame };
    let turn = rotation(body.orientation).inverse();
    WorldFrame { point: turn * (frame.point - Vector3::from(body.position)), axes: turn * frame.axes }
}

fn body(bodies: &[SpatialBodySpec], owner: BodyRef) -> Option<&SpatialBodySpec> {
    match owner {
        BodyRef::Ground => None,
        BodyRef::Body(index) => bodies.get(index),
    }
}

/// The first axis of a frame that has this third one, and for which no first one is given.
pub(super) fn default_x(axis: [f64; 3]) -> [f64; 3] {
    (axes(axis, None) * Vector3::x()).into()
}

/// The axes with this third one; where the first is not given, those that the shortest turn makes of the world's.
fn axes(axis: [f64; 3], x: Option<[f64; 3]>) -> UnitQuaternion<f64> {
    let Some(x) = x else { return Frame::ground([0.0; 3]).with_axis(unit(axis)).orientation };
    let z = Vector3::from(unit(axis));
    let y = z.cross(&Vector3::from(unit(x))).normalize();
    let matrix = Matrix3::from_columns(&[y.cross(&z), y, z]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}
