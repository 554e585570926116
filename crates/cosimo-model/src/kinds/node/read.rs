//! Reads a node.

use super::{NodeLoadSpec, NodePortSpec, NodeSpec, PlaneSpec};
use crate::kinds::contact_law::read_law;
use crate::kinds::shape::read_shapes;
use crate::kinds::{ParsedModel, Start};
use crate::spec::read_size;
use crate::toml::{Names, Reader};

/// Reads the keys of a node.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<NodeSpec> {
    let node = NodeSpec {
        mass: reader.number("mass").positive().required(),
        radius: reader.number("radius").not_negative().or(0.0),
        inertia: reader.has("inertia").then(|| reader.number("inertia").positive().or(1.0)),
        angular_velocity: reader.axis("angular_velocity").or([0.0; 3]),
        gravity: reader.vector("gravity").or([0.0; 3]),
        position: reader.point("position"),
        velocity: reader.direction("velocity").or([0.0; 3]),
        force: reader.direction("force").or([0.0; 3]),
        shapes: read_shapes(reader),
        ports: read_ports(reader),
        planes: read_planes(reader),
        loads: reader.tables("load", |load| NodeLoadSpec {
            direction: load.direction("direction").nonzero().required(),
            size: read_size(load),
        }),
    };
    if !reader.has("inertia") {
        reader.forbid("angular_velocity", "has no effect without inertia");
    }
    let named = node.ports.iter().map(|port| &port.name).chain(node.planes.iter().map(|plane| &plane.name));
    let has_all_names = named.into_iter().all(|name| !name.is_empty());
    ParsedModel { kind: node, has_all_names }
}

fn read_ports(reader: &Reader<'_>) -> Vec<NodePortSpec> {
    if !reader.has("port") {
        return vec![NodePortSpec { name: "centre".to_owned(), direction: None }];
    }
    let mut names = Names::new();
    reader.tables("port", |port| NodePortSpec {
        name: port.name(&mut names),
        direction: port.has("direction").then(|| port.direction("direction").nonzero().required()),
    })
}

fn read_planes(reader: &Reader<'_>) -> Vec<PlaneSpec> {
    let mut names = Names::new();
    let read = |plane: &Reader<'_>| PlaneSpec {
        name: plane.name(&mut names),
        point: plane.point("point"),
        normal: plane.direction("normal").nonzero().required(),
        law: read_law(plane),
        velocity: plane.direction("velocity").or([0.0; 3]),
        amplitude: plane.direction("amplitude").or([0.0; 3]),
        frequency: plane.number("frequency").not_negative().or(0.0),
        phase: plane.number("phase").or(0.0),
        angular_velocity: plane.axis("angular_velocity").or([0.0; 3]),
    };
    reader.tables("plane", read)
}
