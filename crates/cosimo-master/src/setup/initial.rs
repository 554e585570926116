//! Initial states: checked, or moved to the nearest admissible one.

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::contacts::apart::push_contacts_apart;
use crate::simulation::Simulation;
use crate::step::communication_point::read_rows;
use crate::step::instant::{INSTANT, prepare_instant};
use crate::topology::joint::Joint;
use crate::{InitialState, SetupError, StepError, WarningPlace};

/// Share of a gap above which what remains of it is no round-off.
const CONTRADICTION: f64 = 1e-3;
/// Newton steps of a projection; one is enough for affine subsystems.
const MAX_PROJECTIONS: usize = 20;

/// Checks the initial state and, if the settings say so, projects it.
pub(crate) fn admit_initial_state(sim: &mut Simulation<'_>) -> Result<(), SetupError> {
    let violations = find_violations(sim);
    if violations.is_empty() {
        return Ok(());
    }
    if sim.topology.config.initial_state == InitialState::Refuse {
        check_loops(sim)?;
        return Err(SetupError::InitialState { violations });
    }
    for _ in 0..MAX_PROJECTIONS {
        prepare_projection(sim)?;
        project(sim, Level::Position)?;
        prepare_projection(sim)?;
        project(sim, Level::Velocity)?;
        if find_violations(sim).is_empty() {
            warn_of_projection(sim, &violations);
            return Ok(());
        }
    }
    check_loops(sim)?;
    let reason =
        format!("after {MAX_PROJECTIONS} corrections there still is: {}", find_violations(sim).join("; "));
    Err(SetupError::NotProjected { reason })
}

/// Warns of a start that is not the one written.
fn warn_of_projection(sim: &mut Simulation<'_>, violations: &[String]) {
    const SHOWN: usize = 8;
    let shown = violations.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    let more = match violations.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let text = format!(
        "the initial state violates {shown}{more}; the run starts at the next state that fits, which moves the subsystems \
         so far"
    );
    sim.warn(WarningPlace::Model, text);
}

/// What the present state violates, in plain words.
fn find_violations(sim: &Simulation<'_>) -> Vec<String> {
    let (tolerance, model) = (sim.topology.config.initial_tolerance, sim.model());
    let rows = &sim.storage.rows;
    let mut found = Vec::new();
    for joint in sim.topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
        let gap = |k| model.present_gap(joint, k, &rows.start_positions);
        let rate = |k| joint.difference(k, &rows.start_velocities);
        let (linear, angular) = joint.coordinates_by_unit();
        let amounts = [
            ("gap", "m", largest(linear.clone(), gap)),
            ("gap", "rad", largest(angular.clone(), gap)),
            ("speed difference", "m/s", largest(linear, rate)),
            ("speed difference", "rad/s", largest(angular, rate)),
        ];
        for (what, unit, amount) in amounts {
            if !(amount <= tolerance) {
                found.push(format!("interface `{}` by a {what} of {amount:e} {unit}", joint.name));
            }
        }
    }
    for (contact, gap) in rows.start_gaps.iter().enumerate() {
        if !(*gap >= -tolerance) {
            let name = sim.contact_names().of(contact);
            found.push(format!("contact `{name}` by a penetration of {:e} m", -gap));
        }
    }
    found
}

fn prepare_projection(sim: &mut Simulation<'_>) -> Result<(), SetupError> {
    prepare_instant(sim, INSTANT).map_err(|error| match error {
        StepError::Subsystem { source, .. } => SetupError::Subsystem(source),
        other => SetupError::NotProjected { reason: other.to_string() },
    })
}

/// Writes gaps or gap rates of the joints that pass impulses in the place of the unknowns.
fn violations_as_unknowns(sim: &mut Simulation<'_>, level: Level) {
    let model = sim.storage.linearisation.of(sim.topology);
    let rows = &mut sim.storage.rows;
    for joint in &sim.topology.joints {
        for k in 0..joint.size {
            let value = match level {
                _ if !joint.law.passes_impulses() => 0.0,
                Level::Position => model.present_gap(joint, k, &rows.start_positions),
                Level::Velocity => joint.difference(k, &rows.start_velocities),
            };
            rows.unknowns[joint.first + k] = value;
        }
    }
}

/// Whether loops of joints can be closed at all: where joints are redundant, gaps may remain that no load closes.
fn check_loops(sim: &mut Simulation<'_>) -> Result<(), SetupError> {
    if prepare_instant(sim, INSTANT).is_err() {
        // Subsystems that do not jump report nothing of their loops.
        return Ok(());
    }
    for level in [Level::Position, Level::Velocity] {
        violations_as_unknowns(sim, level);
        let most = largest(0..sim.storage.rows.unknowns.len(), |k| sim.storage.rows.unknowns[k]);
        let mut rest = std::mem::replace(&mut sim.storage.rows.unknowns, vec![0.0; sim.topology.unknowns]);
        for (number, cluster) in sim.topology.clusters.iter().enumerate() {
            sim.storage.condensation.project_on_redundant(number, &mut rest[cluster.unknowns.clone()]);
        }
        let amount = largest(0..rest.len(), |k| rest[k]);
        if amount > sim.topology.config.initial_tolerance && amount > CONTRADICTION * most {
            let takes_part =
                |joint: &&Joint| joint.unknowns().any(|k| rest[k].abs() > CONTRADICTION * amount);
            let names = sim.topology.joints.iter().filter(takes_part).map(|joint| joint.name.clone());
            let is_largest_angular = sim.topology.joints.iter().any(|joint| {
                let (_, mut angular) = joint.coordinates_by_unit();
                angular.any(|k| rest[joint.first + k].abs() == amount)
            });
            let unit = match (level, is_largest_angular) {
                (Level::Position, false) => "m",
                (Level::Position, true) => "rad",
                (Level::Velocity, false) => "m/s",
                (Level::Velocity, true) => "rad/s",
            };
            return Err(SetupError::InconsistentLoop { interfaces: names.collect(), amount, unit });
        }
    }
    Ok(())
}

/// One Newton step towards closed joints and open contacts, at position or velocity level.
fn project(sim: &mut Simulation<'_>, level: Level) -> Result<(), SetupError> {
    violations_as_unknowns(sim, level);
    let model = sim.storage.linearisation.of(sim.topology);
    let rows = &mut sim.storage.rows;
    sim.storage.condensation.solve(sim.topology, &mut rows.unknowns);
    rows.loads.fill(0.0);
    rows.start_forces.fill(0.0);
    sim.storage.condensation.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
    if level == Level::Position {
        push_contacts_apart(sim).map_err(|reason| SetupError::NotProjected { reason })?;
    }
    for (layout, subsystem) in sim.topology.subsystems.iter().zip(&mut sim.subsystems.all) {
        let loads = &sim.storage.rows.loads[layout.rows.clone()];
        if loads.iter().any(|x| *x != 0.0) {
            move_subsystem(subsystem.as_mut(), level, loads)?;
        }
    }
    read_rows(sim);
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

fn move_subsystem(subsystem: &mut dyn Subsystem, level: Level, loads: &[f64]) -> Result<(), SubsystemError> {
    match level {
        Level::Position => subsystem.shift(loads),
        Level::Velocity => subsystem.jump(loads),
    }
}

/// The largest magnitude of some values; not-a-number wins.
fn largest(indices: std::ops::Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
    indices.fold(0.0, |most, k| nan_max(most, value(k).abs()))
}

/// The larger of two numbers; not-a-number wins.
fn nan_max(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}
