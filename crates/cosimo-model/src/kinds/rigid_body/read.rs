//! Reads a rigid body in space.

use super::{BodyPortShape, BodyPortSpec, RigidBodySpec};
use crate::kinds::inertia::read_inertia;
use crate::kinds::orientation::UPRIGHT;
use crate::kinds::shape::read_shapes;
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Entry, Names, Placement, Reader};

/// Reads the keys of a rigid body.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<RigidBodySpec> {
    let body = RigidBodySpec {
        mass: reader.number("mass").positive_normal().required(),
        inertia: read_inertia(reader),
        gravity: reader.vector("gravity").or([0.0; 3]),
        position: reader.point("position"),
        orientation: read_placed_orientation(reader),
        velocity: reader.direction("velocity").or([0.0; 3]),
        angular_velocity: reader.axis("angular_velocity").or([0.0; 3]),
        shapes: read_shapes(reader),
        ports: read_ports(reader),
    };
    let has_all_names = body.ports.iter().all(|port| !port.name.is_empty());
    ParsedModel { kind: body, has_all_names }
}

fn read_ports(reader: &Reader<'_>) -> Vec<BodyPortSpec> {
    if !reader.has("port") {
        let shape = BodyPortShape::Frame(UPRIGHT);
        return vec![BodyPortSpec { name: "centre".to_owned(), point: [0.0; 3], shape }];
    }
    let mut names = Names::new();
    reader.tables("port", |port| BodyPortSpec {
        name: port.name(&mut names),
        point: port.in_body("point").or([0.0; 3]),
        shape: read_shape(port, |port| {
            raw_orientation(port).placed(|placement, turn| placement.mirror().orientation(turn)).or(UPRIGHT)
        }),
    })
}

/// `orientation`: a quaternion of any length that is not zero.
fn raw_orientation<'r, 'a>(reader: &'r Reader<'a>) -> Entry<'r, 'a, [f64; 4]> {
    reader.vector("orientation").nonzero()
}

/// The same, where the instance stands that the body belongs to.
fn read_placed_orientation(reader: &Reader<'_>) -> [f64; 4] {
    let turned = |placement: Placement, turn| placement.orientation(turn, placement.mirror());
    raw_orientation(reader).placed(turned).or(turned(reader.placement(), UPRIGHT))
}

/// The shape that `coordinates`, 6 by default, and `direction` define; `read_orientation` reads that of a frame.
pub(crate) fn read_shape(
    port: &Reader<'_>,
    read_orientation: impl FnOnce(&Reader<'_>) -> [f64; 4],
) -> BodyPortShape {
    if port.has("direction") {
        port.forbid("orientation", "belongs to ports of 6 coordinates, this one has a direction");
        let one = port.count("coordinates").check("1 where there is a direction", |count| *count == 1);
        one.optional();
        return BodyPortShape::Along(port.direction("direction").nonzero().required());
    }
    let count =
        port.count("coordinates").check("3 or 6, or 1 with a `direction`", |count| [3, 6].contains(count));
    if count.or(6) == 3 {
        port.forbid("orientation", "belongs to ports of 6 coordinates, this one has 3");
        return BodyPortShape::Point;
    }
    BodyPortShape::Frame(read_orientation(port))
}
