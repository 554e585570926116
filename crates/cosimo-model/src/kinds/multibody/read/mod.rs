//! Reads rigid bodies in space.

mod aerodynamics;
mod array;
mod beam;
mod bodies;
mod contact;
mod equilibrium;
mod force;
mod formulation;
mod gear;
mod joint;
mod motion;
mod pattern;
mod place;
mod port;
mod rope;
mod signal;

use cosimo_smooth::dae::TangentPolicy;

use super::spec::MultibodySpec;
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Names, Reader};

use aerodynamics::read_aerodynamics;
use beam::read_beams;
use bodies::{Bodies, read_bodies};
use contact::read_contacts;
use equilibrium::read_equilibrium;
use force::{read_forces, read_loads};
use formulation::read_formulation;
use gear::read_gears;
use joint::read_joints;
use pattern::steps_itself;
use port::{read_ports, read_sensors};
use rope::read_ropes;

/// Reads the keys of a multibody system.
pub(crate) fn read(reader: &Reader<'_>, start: &Start) -> ParsedModel<MultibodySpec> {
    let mut names = Names::new();
    let mistakes = reader.log().error_count();
    let (mut list, mut mirrors) = read_bodies(reader, &mut names);
    let beams = read_beams(reader, (&mut list, &mut mirrors), &mut names);
    let bodies = Bodies { list: &list, mirrors: &mirrors, are_right: reader.log().error_count() == mistakes };
    let joints = read_joints(reader, &bodies, &mut names);
    let forces = read_forces(reader, &bodies, &mut names, start);
    let loads = read_loads(reader, &bodies, &mut names);
    let impulses = impulses(reader, !beams.ports.is_empty());
    let sensors = read_sensors(reader, &bodies, &mut names, impulses);
    let gears = read_gears(reader, &sensors, &mut names);
    let ropes = read_ropes(reader, &bodies, &mut names);
    let aerodynamics = read_aerodynamics(reader, &bodies, &mut names);
    let (contacts, are_contacts_whole) = read_contacts(reader, &bodies, &sensors, &mut names);
    if steps_itself(reader) {
        reader.forbid(
            "formulation",
            "has no effect with a scheme, which says itself at which levels it imposes constraints",
        );
        reader.forbid("newton", "has no effect with a scheme, which factorises where entries have changed");
    }
    let system = MultibodySpec {
        gravity: reader.vector("gravity").or([0.0; 3]),
        formulation: read_formulation(reader),
        tolerance: reader.number("tolerance").positive().or(1e-12),
        newton: reader.choice("newton").or(TangentPolicy::default()),
        max_iterations: reader.count("max_iterations").at_least_one().or(30),
        ports: read_ports(reader, &bodies, &sensors, beams.ports),
        equilibrium: read_equilibrium(reader, &sensors),
        aerodynamics,
        loads,
        contacts,
        sensors,
        gears,
        ropes,
        forces,
        joints,
        beams: beams.list,
        bodies: list,
    };
    let has_all_names = system.bodies.iter().all(|body| !body.name.is_empty())
        && system.joints.iter().all(|joint| !joint.name.is_empty())
        && system.gears.iter().all(|gear| !gear.name.is_empty())
        && system.ropes.iter().all(|rope| !rope.name.is_empty())
        && system.ports.iter().all(|port| !port.name.is_empty())
        && system.sensors.iter().all(|sensor| !sensor.name.is_empty())
        && system.sensors.len() == reader.length("sensor")
        && system.aerodynamics.is_some() == reader.has("aerodynamics")
        && system.contacts.iter().all(|contact| !contact.name.is_empty())
        && are_contacts_whole;
    ParsedModel { kind: system, has_all_names }
}

/// What gives impulses to a subsystem with a scheme.
fn impulses(reader: &Reader<'_>, has_nodes_with_ports: bool) -> Option<&'static str> {
    match steps_itself(reader) {
        true if reader.length("contact") > 0 => Some("contacts"),
        true if has_nodes_with_ports || reader.length("port") > 0 => Some("ports"),
        _ => None,
    }
}
