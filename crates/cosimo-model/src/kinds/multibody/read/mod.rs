//! Reads rigid bodies in space.

mod bodies;
mod force;
mod joint;
mod motion;
mod place;
mod port;

use super::spec::{FormulationSpec, MultibodySpec};
use crate::kinds::{KindDraft, SubsystemKind};
use crate::read::{Names, Reader, Value};

use bodies::{Bodies, read_bodies};
use force::{read_forces, read_loads};
use joint::read_joints;
use port::{read_ports, read_sensors};

/// Reads the keys of a multibody system.
pub(crate) fn read(reader: &Reader<'_>) -> KindDraft {
    let mut names = Names::new();
    let mistakes = reader.log().error_count();
    let list = read_bodies(reader, &mut names);
    let bodies = Bodies { list: &list, are_right: reader.log().error_count() == mistakes };
    let joints = read_joints(reader, &bodies, &mut names);
    let forces = read_forces(reader, &bodies, &mut names);
    let system = MultibodySpec {
        gravity: reader.vector("gravity").or([0.0; 3]),
        formulation: reader.choice("formulation").or(default_formulation(reader)),
        tolerance: reader.number("tolerance").positive().or(1e-12),
        loads: read_loads(reader, &bodies),
        ports: read_ports(reader, &bodies),
        sensors: read_sensors(reader, &bodies, &mut names),
        forces,
        joints,
        bodies: list,
    };
    let has_all_names = system.bodies.iter().all(|body| !body.name.is_empty())
        && system.joints.iter().all(|joint| !joint.name.is_empty())
        && system.ports.iter().all(|port| !port.name.is_empty())
        && system.sensors.iter().all(|sensor| !sensor.name.is_empty());
    KindDraft { kind: SubsystemKind::Multibody(Box::new(system)), has_all_names }
}

/// The formulation where none is given: that which the solver goes with best.
fn default_formulation(reader: &Reader<'_>) -> FormulationSpec {
    let solver = reader.value("solver");
    let method = solver.as_ref().and_then(|solver| solver.member("method"));
    let name = method.as_ref().or(solver.as_ref()).and_then(Value::as_text);
    match name {
        None | Some("theta") => FormulationSpec::StabilisedIndex2,
        Some(_) => FormulationSpec::StabilisedIndex1,
    }
}
