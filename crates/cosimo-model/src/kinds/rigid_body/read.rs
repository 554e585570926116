//! Reads a rigid body in space.

use super::{BodyPortShape, BodyPortSpec, RigidBodySpec, UPRIGHT};
use crate::kinds::{KindDraft, SubsystemKind, read_inertia};
use crate::read::{Names, Reader};

/// Reads the keys of a rigid body.
pub(crate) fn read(reader: &Reader<'_>) -> KindDraft {
    let body = RigidBodySpec {
        mass: reader.number("mass").positive().required(),
        inertia: read_inertia(reader),
        gravity: reader.vector("gravity").or([0.0; 3]),
        position: reader.vector("position").or([0.0; 3]),
        orientation: reader.vector("orientation").nonzero().or(UPRIGHT),
        velocity: reader.vector("velocity").or([0.0; 3]),
        angular_velocity: reader.vector("angular_velocity").or([0.0; 3]),
        ports: read_ports(reader),
    };
    let has_all_names = body.ports.iter().all(|port| !port.name.is_empty());
    KindDraft { kind: SubsystemKind::RigidBody(Box::new(body)), has_all_names }
}

fn read_ports(reader: &Reader<'_>) -> Vec<BodyPortSpec> {
    if !reader.has("port") {
        let shape = BodyPortShape::Frame(UPRIGHT);
        return vec![BodyPortSpec { name: "centre".to_owned(), point: [0.0; 3], shape }];
    }
    let mut names = Names::new();
    reader.tables("port", |port| BodyPortSpec {
        name: port.name(&mut names),
        point: port.vector("point").or([0.0; 3]),
        shape: read_shape(port),
    })
}

/// The shape that `coordinates`, 6 by default, and `direction` tell.
fn read_shape(port: &Reader<'_>) -> BodyPortShape {
    if port.has("direction") {
        let reason = "belongs to ports of 6 coordinates, this one has a direction";
        port.forbid("orientation", reason);
        port.forbid("coordinates", "is 1 where there is a direction");
        return BodyPortShape::Along(port.vector("direction").nonzero().required());
    }
    let count = port.count("coordinates").check("3 or 6", |count| *count == 3 || *count == 6).or(6);
    if count == 3 {
        port.forbid("orientation", "belongs to ports of 6 coordinates, this one has 3");
        return BodyPortShape::Point;
    }
    BodyPortShape::Frame(port.vector("orientation").nonzero().or(UPRIGHT))
}
