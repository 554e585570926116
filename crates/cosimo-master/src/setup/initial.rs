//! Initial states: checked, or moved to the nearest admissible one.

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::communication_point::jump::prepare_instant;
use crate::communication_point::read::warn_of_turned_bushings;
use crate::communication_point::read_communication_point;
use crate::condensation::Condensation;
use crate::contacts::apart::push_contacts_apart;
use crate::contacts::names::ContactNames;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::simulation::StepContext;
use crate::time::part::INSTANT;
use crate::topology::joint::Joint;
use crate::{InitialState, SetupError, StepError, WarningPlace};

/// Share of a gap above which what remains of it is no round-off.
const CONTRADICTION: f64 = 1e-3;
/// Newton steps of a projection; one is enough for affine subsystems.
const MAX_PROJECTIONS: usize = 20;

/// Checks the initial state and, if the settings say so, projects it.
pub(crate) fn admit_initial_state(sim: &mut StepContext) -> Result<(), SetupError> {
    let present = |sim: &StepContext| {
        let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
        find_violations(names, sim.linearisation.of(&sim.topology), &sim.rows)
    };
    let violations = present(sim);
    if violations.is_empty() {
        return Ok(());
    }
    let projects = sim.topology.config.initial_state == InitialState::Project;
    if projects {
        for _ in 0..MAX_PROJECTIONS {
            project(sim, Level::Position)?;
            project(sim, Level::Velocity)?;
            if present(sim).is_empty() {
                sim.warnings.warn(sim.clock.now, WarningPlace::Model, projected_in_words(&violations));
                return Ok(());
            }
        }
    }
    let (topology, linearisation) = (&sim.topology, &mut sim.linearisation);
    let (condensation, at) = (&mut sim.condensation, (sim.clock.now, INSTANT));
    // Subsystems that do not jump report nothing of their loops.
    if prepare_instant(topology, &mut sim.subsystems, linearisation, condensation, &sim.contacts, at).is_ok()
    {
        check_loops(linearisation.of(topology), condensation, &mut sim.rows)?;
    }
    if !projects {
        return Err(SetupError::InitialState { violations });
    }
    let left = present(sim).join("; ");
    let reason = format!("after {MAX_PROJECTIONS} corrections there still is: {left}");
    Err(SetupError::NotProjected { reason })
}

/// Tells of a start that is not the one written.
fn projected_in_words(violations: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = violations.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    let more = match violations.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!(
        "the initial state violates {shown}{more}; the run starts at the next state that fits, which moves the subsystems \
         so far"
    )
}

/// What the present state violates, in plain words.
fn find_violations(names: ContactNames<'_>, model: LinearisedModel<'_>, rows: &StepRows) -> Vec<String> {
    let (topology, tolerance) = (model.topology, model.topology.config.initial_tolerance);
    let mut found = Vec::new();
    for joint in topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
        find_violations_of(model, joint, rows, &mut found);
    }
    for (contact, gap) in rows.start_gaps.iter().enumerate() {
        if !(*gap >= -tolerance) {
            let name = names.of(contact);
            found.push(format!("contact `{name}` by a penetration of {:e} m", -gap));
        }
    }
    found
}

/// The violations of a joint that passes impulses.
fn find_violations_of(model: LinearisedModel<'_>, joint: &Joint, rows: &StepRows, found: &mut Vec<String>) {
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
        if !(amount <= model.topology.config.initial_tolerance) {
            found.push(format!("interface `{}` by a {what} of {amount:e} {unit}", joint.name));
        }
    }
}

/// Writes gaps or gap rates of the joints that pass impulses in the place of the unknowns.
fn violations_as_unknowns(model: LinearisedModel<'_>, rows: &mut StepRows, level: Level) {
    for joint in &model.topology.joints {
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
fn check_loops(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    rows: &mut StepRows,
) -> Result<(), SetupError> {
    let topology = model.topology;
    for level in [Level::Position, Level::Velocity] {
        violations_as_unknowns(model, rows, level);
        let most = largest(0..rows.unknowns.len(), |k| rows.unknowns[k]);
        let mut rest = std::mem::replace(&mut rows.unknowns, vec![0.0; topology.unknowns]);
        for (number, cluster) in topology.clusters.iter().enumerate() {
            condensation.project_on_redundant(number, &mut rest[cluster.unknowns.clone()]);
        }
        let amount = largest(0..rest.len(), |k| rest[k]);
        if amount > topology.config.initial_tolerance && amount > CONTRADICTION * most {
            let takes_part =
                |joint: &&Joint| joint.unknowns().any(|k| rest[k].abs() > CONTRADICTION * amount);
            let names = topology.joints.iter().filter(takes_part).map(|joint| joint.name.clone());
            let is_largest_angular = topology.joints.iter().any(|joint| {
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
fn project(sim: &mut StepContext, level: Level) -> Result<(), SetupError> {
    let (topology, linearisation) = (&sim.topology, &mut sim.linearisation);
    let (condensation, at) = (&mut sim.condensation, (sim.clock.now, INSTANT));
    prepare_instant(topology, &mut sim.subsystems, linearisation, condensation, &sim.contacts, at).map_err(
        |error| match error {
            StepError::Subsystem { source, .. } => SetupError::Subsystem(source),
            other => SetupError::NotProjected { reason: other.to_string() },
        },
    )?;
    let (model, rows) = (linearisation.of(topology), &mut sim.rows);
    violations_as_unknowns(model, rows, level);
    condensation.solve(topology, &mut rows.unknowns);
    rows.loads.fill(0.0);
    rows.start_forces.fill(0.0);
    condensation.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
    if level == Level::Position {
        let names = ContactNames { topology, subsystems: &sim.subsystems.all };
        push_contacts_apart(model, condensation, rows, names, sim.clock.now)
            .map_err(|reason| SetupError::NotProjected { reason })?;
    }
    for (layout, subsystem) in topology.subsystems.iter().zip(&mut sim.subsystems.all) {
        let loads = &sim.rows.loads[layout.rows.clone()];
        if loads.iter().any(|x| *x != 0.0) {
            move_subsystem(subsystem.as_mut(), level, loads)?;
        }
    }
    read_communication_point(
        &sim.topology,
        &sim.subsystems.all,
        &mut sim.rows,
        &mut sim.linearisation,
        &mut sim.condensation,
        &mut sim.joints,
    );
    warn_of_turned_bushings(sim.linearisation.of(&sim.topology), &mut sim.warnings, sim.clock.now);
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

fn move_subsystem(subsystem: &mut dyn Subsystem, level: Level, loads: &[f64]) -> Result<(), SubsystemError> {
    match level {
        Level::Position => subsystem.project_positions(loads),
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
