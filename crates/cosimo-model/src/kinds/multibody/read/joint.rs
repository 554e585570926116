//! Reads the joints.

use cosimo_mechanics::TimeFunction;
use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::motion::read_motion;
use super::place::{Axes, Sense, read_place};
use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::geometry::Geometry;
use crate::kinds::multibody::spec::{JointFreedom, JointSpec, MotionSpec, PlaceSpec, TimeFunctionSpec};
use crate::toml::{Names, Reader};

/// Type of a joint.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum JointType {
    #[default]
    Fixed,
    Revolute,
    Spherical,
    Prismatic,
    Cylindrical,
    Universal,
    Planar,
    Distance,
    Angle,
    Displacement,
    DotProduct,
    Coordinate,
}

impl JointType {
    fn axes(self) -> Axes {
        match self {
            Self::Fixed => Axes::Optional,
            Self::Spherical | Self::Distance => Axes::None,
            Self::Revolute | Self::Cylindrical | Self::Planar => Axes::Axis,
            Self::Displacement => Axes::FirstAxis,
            Self::Prismatic | Self::Angle => Axes::AxisAndX,
            Self::Universal | Self::DotProduct => Axes::Both,
            Self::Coordinate => Axes::Elsewhere,
        }
    }

    fn sense(self) -> Sense {
        if matches!(self, Self::Revolute | Self::Angle) { Sense::Turn } else { Sense::Slide }
    }

    fn is_driven(self) -> bool {
        use JointType::{Angle, Coordinate, Displacement, Distance, DotProduct};
        matches!(self, Distance | Angle | Displacement | DotProduct | Coordinate)
    }
}

/// Reads every `[[subsystem.joint]]`; after a mistake it may have gaps.
pub(super) fn read_joints(reader: &Reader<'_>, bodies: &Bodies<'_>, names: &mut Names) -> Vec<JointSpec> {
    reader.tables("joint", |joint| {
        let name = joint.name(names);
        let Some(kind) = joint.choice::<JointType>("type").required_option() else {
            joint.abandon();
            return JointSpec { name, freedom: JointFreedom::Fixed, place: nowhere() };
        };
        let place = read_place(joint, bodies, (kind.axes(), kind.sense()));
        let freedom = read_freedom(joint, (bodies, names), kind, place.as_ref());
        JointSpec { name, freedom, place: place.unwrap_or_else(nowhere) }
    })
}

/// A placeholder.
pub(super) fn nowhere() -> PlaceSpec {
    let bodies = [BodyRef::Ground; 2];
    PlaceSpec::AtStart { bodies, at: [[0.0; 3]; 2], axis: None, x: None }
}

fn read_freedom(
    joint: &Reader<'_>,
    (bodies, names): (&Bodies<'_>, &mut Names),
    kind: JointType,
    place: Option<&PlaceSpec>,
) -> JointFreedom {
    if !kind.is_driven() {
        for key in ["motion", "speed"] {
            let types = "\"distance\", \"angle\", \"displacement\", \"dot-product\" and \"coordinate\"";
            joint.forbid(key, &format!("belongs to joints of type {types}"));
        }
    }
    let start = place.map(|place| Geometry::of(bodies.list, place));
    let at_start = |number: fn(&Geometry) -> f64| start.as_ref().map_or(0.0, number);
    match kind {
        JointType::Fixed => JointFreedom::Fixed,
        JointType::Revolute => JointFreedom::Revolute,
        JointType::Spherical => JointFreedom::Spherical,
        JointType::Prismatic => JointFreedom::Prismatic,
        JointType::Cylindrical => JointFreedom::Cylindrical,
        JointType::Universal => JointFreedom::Universal,
        JointType::Planar => JointFreedom::Planar,
        JointType::Distance => {
            if let Some(place) = place {
                check_line(joint, bodies, place);
            }
            let motion = read_motion(joint, names, at_start(|start| start.distance));
            if let MotionSpec::Position(TimeFunctionSpec::Known(TimeFunction::Constant(length))) = motion
                && length <= 0.0
                && joint.has("motion")
            {
                let message = format!("motion is {length:?}, a distance must be positive");
                joint.log().error(&joint.span("motion"), message);
            }
            JointFreedom::Distance(motion)
        }
        JointType::Angle => {
            if let Some(place) = place {
                check_angle(joint, bodies, place);
            }
            JointFreedom::Angle(read_motion(joint, names, at_start(|start| start.angle)))
        }
        JointType::Displacement => {
            JointFreedom::Displacement(read_motion(joint, names, at_start(|start| start.displacement)))
        }
        JointType::DotProduct => {
            if let Some(start) = start.as_ref().filter(|_| bodies.are_right) {
                check_cosine(joint, start);
            }
            JointFreedom::DotProduct(read_motion(joint, names, at_start(|start| start.dot_product)))
        }
        JointType::Coordinate => {
            let axis = joint.direction("axis").nonzero().required_option().unwrap_or([0.0, 0.0, 1.0]);
            let along = start.as_ref().map_or(0.0, |start| start.along(axis));
            JointFreedom::Coordinate { axis, motion: read_motion(joint, names, along) }
        }
    }
}

/// Refuses two points that coincide at the start, where the line between them is needed.
pub(super) fn check_line(reader: &Reader<'_>, bodies: &Bodies<'_>, place: &PlaceSpec) {
    if bodies.are_right && Geometry::of(bodies.list, place).distance == 0.0 {
        let key = if reader.has("at") { "at" } else { "first" };
        let message = format!(
            "{} joins two points that coincide at the start: the line between them has no direction",
            reader.what()
        );
        let help = "give two points, at = [[x, y, z], [x, y, z]], one per body";
        reader.log().error_with_help(&reader.span(key), message, help);
    }
}

/// Sine of the angle between two directions below which they count as parallel.
const PARALLEL: f64 = 1e-6;

/// Whether the second frame's `x` is along the first frame's axis at the start.
fn is_parallel(start: &Geometry) -> bool {
    1.0 - start.dot_product * start.dot_product < PARALLEL * PARALLEL
}

/// Refuses an angle to an `x` that is along the axis at the start.
pub(super) fn check_angle(reader: &Reader<'_>, bodies: &Bodies<'_>, place: &PlaceSpec) {
    if bodies.are_right && is_parallel(&Geometry::of(bodies.list, place)) {
        let message = format!(
            "{} has no angle at the start: x of the second frame is along the axis of the first one",
            reader.what()
        );
        let help = "let the axes of both frames be parallel, as those of a hinge are, or give another x";
        reader.log().error_with_help(&reader.span("second"), message, help);
    }
}

/// Refuses to hold the cosine of two directions that are parallel at the start, where it has no gradient.
fn check_cosine(joint: &Reader<'_>, start: &Geometry) {
    if joint.has("motion") || joint.has("speed") || !is_parallel(start) {
        return;
    }
    let message = format!(
        "{} holds the cosine of two directions as it is at the start, where they are parallel: it must be between −1 and 1",
        joint.what()
    );
    let help =
        "turn one of them, or keep them parallel by a joint that does, such as \"revolute\" or \"planar\"";
    joint.log().error_with_help(&joint.header(), message, help);
}
