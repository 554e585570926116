//! Reads stops on ports: each stands for a linear subsystem of one coordinate with contacts, and the joint to its port.

use std::collections::BTreeMap;

use cosimo_fmi::description::InnerImpacts;
use cosimo_mechanics::ContactLaw;
use cosimo_mechanics::contact::rules::RESTITUTION;

use super::interface_rules::{KEEP_IMPACTS, KEPT_IMPACTS_HELP};
use super::ports::Ports;
use super::subsystem::{PortStart, SubsystemDraft};
use crate::kinds::linear::{LinearContactSpec, LinearPortSpec, LinearSpec};
use crate::kinds::{Start, SubsystemKind};
use crate::spec::{InterfaceSpec, LawSpec, MatrixSpec, PortRef, RowSpec};
use crate::toml::{Names, Reader, Span};

/// Name of the one coordinate and of the one port of a stop.
const COORDINATE: &str = "coordinate";

/// Share of the inertia at its port above which a stop's own is reported.
const LARGEST_SHARE: f64 = 0.01;

/// A stop and the port that it is on.
struct Stop {
    name: String,
    header: Span,
    on: Option<PortRef>,
    inertia: f64,
    linear: LinearSpec,
}

/// Reads every `[[stop]]`: the subsystems are added to the drafts, the joints are given back, for after those of the file.
pub(super) fn read_stops(
    root: &Reader<'_>,
    names: &mut Names,
    drafts: &mut Vec<SubsystemDraft>,
    start: &Start,
) -> Vec<InterfaceSpec> {
    let mut ports = Ports::new(drafts);
    let mut stops = root.tables("stop", |stop| read_stop(stop, names, &mut ports));
    let mut starts = BTreeMap::new();
    for stop in &mut stops {
        let Some(on) = stop.on else { continue };
        let of_subsystem = || drafts.get(on.subsystem)?.starts(start);
        let starts = starts.entry(on.subsystem).or_insert_with(of_subsystem);
        if let Some(start) = starts.as_ref().and_then(|starts| starts.of(on.port)) {
            place_at_start(root, stop, &start);
        }
    }
    let mut joints = Vec::new();
    for Stop { name, header, on, linear, .. } in stops {
        let own = PortRef { subsystem: drafts.len(), port: 0 };
        joints.extend(on.map(|on| InterfaceSpec {
            name: format!("{name}_joint"),
            between: [own, on],
            law: LawSpec::Rigid,
            offset: vec![0.0],
        }));
        let solver = on.and_then(|on| drafts.get(on.subsystem)?.solver);
        let partner = solver.and_then(|solver| solver.of_linear_partner());
        let mut implied = SubsystemDraft::implied(name, header, SubsystemKind::Linear(Box::new(linear)));
        implied.solver = partner.or(implied.solver);
        drafts.push(implied);
    }
    joints
}

fn read_stop(stop: &Reader<'_>, names: &mut Names, ports: &mut Ports<'_>) -> Stop {
    let name = stop.name(names);
    if !name.is_empty() {
        names.claim(stop.log(), &format!("{name}_joint"), &stop.span("name"));
    }
    let on = stop.entry("on", "a port of one coordinate, \"subsystem.port\"", |value| {
        ports.of_one_coordinate(value, &name)
    });
    let on = on.required_option();
    let kept = on.and_then(|on| ports.shape(on)).and_then(|shape| shape.kept_impacts);
    if kept == Some(InnerImpacts::AtInstants) {
        let message = format!("stop `{name}` is joined rigidly, and {KEEP_IMPACTS}");
        stop.log().error_with_help(&stop.span("on"), message, KEPT_IMPACTS_HELP);
    }
    let is_angle = on.is_some_and(|on| ports.shape(on).is_some_and(|shape| shape.is_angle));
    let keeps = |port: PortRef| ports.shape(port).is_some_and(|shape| shape.is_relative);
    if !stop.placement().is_identity() && !on.is_none_or(keeps) {
        let message = format!("stop `{name}` has limits in space, and its instance has a place of its own");
        let help = "write the stop outside of the template, or put a contact with a plane, or a `stop` of a multibody subsystem, into it";
        stop.log().error_with_help(&stop.header(), message, help);
    }
    let inertia = stop.number("inertia").positive().required();
    let law = ContactLaw::frictionless(stop.number("restitution").obeying(&RESTITUTION).required());
    let [lower, upper] = ["lower", "upper"].map(|key| stop.number(key).optional());
    check_limits(stop, lower, upper);
    let limit = |name: &str, weight: f64, limit: Option<f64>| {
        limit.map(|limit| LinearContactSpec {
            name: name.to_owned(),
            row: RowSpec { entries: vec![(0, weight)] },
            offset: weight * limit,
            law,
            tangents: Vec::new(),
        })
    };
    let contacts = [limit("lower", 1.0, lower), limit("upper", -1.0, upper)].into_iter().flatten().collect();
    let linear = LinearSpec {
        coordinates: vec![COORDINATE.to_owned()],
        angles: if is_angle { vec![0] } else { Vec::new() },
        mass: MatrixSpec::Diagonal(vec![inertia]),
        stiffness: MatrixSpec::Diagonal(vec![0.0]),
        damping: MatrixSpec::Diagonal(vec![0.0]),
        force: vec![0.0],
        gravity: 0.0,
        position: vec![0.0],
        velocity: vec![0.0],
        elimination: None,
        springs: Vec::new(),
        loads: Vec::new(),
        constraints: Vec::new(),
        contacts,
        ports: vec![LinearPortSpec {
            name: COORDINATE.to_owned(),
            rows: vec![RowSpec { entries: vec![(0, 1.0)] }],
        }],
        bodies: Vec::new(),
    };
    Stop { name, header: stop.header(), on, inertia, linear }
}

/// Reports a stop without limits, or with limits the wrong way round.
fn check_limits(stop: &Reader<'_>, lower: Option<f64>, upper: Option<f64>) {
    match (lower, upper) {
        (None, None) if !stop.has("lower") && !stop.has("upper") => {
            let message = format!("{} has no limit", stop.what());
            stop.log().error_with_help(&stop.header(), message, "give `lower`, `upper` or both");
        }
        (Some(low), Some(high)) if low >= high => {
            let message = format!("{}: lower = {low} is not below upper = {high}", stop.what());
            stop.log().error(&stop.span("lower"), message);
        }
        _ => {}
    }
}

/// A stop starts where its port does; one that is no light addition to it is reported.
fn place_at_start(root: &Reader<'_>, stop: &mut Stop, start: &PortStart) {
    stop.linear.position = vec![start.position];
    stop.linear.velocity = vec![start.velocity];
    let share = stop.inertia * start.inverse_mass.unwrap_or(0.0);
    if share > LARGEST_SHARE {
        let name = &stop.name;
        let message = format!("stop `{name}` adds {:.3} % to the inertia at its port", 100.0 * share);
        let help = format!("give an inertia below {:.1e}", LARGEST_SHARE / share * stop.inertia);
        root.log().warning(&stop.header, message, help);
    }
}
