//! The books of a step just taken: contacts, joints and their impulses.

use super::inner_impulses::{InnerImpulses, StepSpan};
use super::monitor::{JointBalance, JointWork};
use crate::WarningPlace;
use crate::contacts::apply::{add_inner_joint_impulses, report_gains};
use crate::contacts::names::ContactNames;
use crate::schemes::response::end_rows_with_loads;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::storage::Storage;
use crate::storage::linearisation::mean_force;

/// Books what the contacts did in the step just taken.
pub(crate) fn book_contacts(sim: &mut Simulation<'_>, h: f64) {
    add_contact_impulses(sim);
    book_remembered_loads(sim, h);
    let solution = sim.storage.contact_problems.solution();
    sim.state.monitor.book_obstacles(&sim.storage.rows, solution, h);
    warn_of_swinging_forces(sim, h);
    let solution = sim.storage.contact_problems.solution();
    sim.state.contact_forces.copy_from_slice(&solution.forces);
    if solution.has_moments {
        book_damping(sim, h);
    }
    let solution = sim.storage.contact_problems.solution();
    let model = sim.storage.linearisation.of(sim.topology);
    sim.state.monitor.close_step(model, &sim.storage.rows, solution);
    sim.state.counters.count_contacts(solution);
    let names = ContactNames { topology: sim.topology, subsystems: &sim.subsystems.all };
    sim.storage.contact_changes.extend(solution.changes.iter().map(|change| names.taken(change)));
    report_gains(sim);
}

/// Warns, once, of a contact that is closed and whose force swings from step to step for long, as that of a rule does that forgets changes of a
/// force slowly or never.
fn warn_of_swinging_forces(sim: &mut Simulation<'_>, h: f64) {
    for (c, contact) in sim.topology.contacts.iter().enumerate() {
        let remembers = !sim.storage.linearisation.models[contact.subsystem].weights.are_of_mean(h);
        if !remembers || takes_momenta(sim, contact.subsystem) {
            continue;
        }
        let force = sim.storage.contact_problems.solution().forces[contact.gap];
        let before = sim.state.contact_forces[contact.gap];
        if !sim.state.warnings.swinging_forces[c].takes([before, force]) {
            continue;
        }
        let (name, share) =
            (sim.contact_names().of(c), 50.0 * (force - before).abs() / (0.5 * (force + before)));
        let subsystem = &sim.topology.subsystems[contact.subsystem].name;
        let text = format!(
            "contact `{name}` is closed and its force swings from step to step by {share:.1} % about its mean, which is right, as is the \
             motion: the rule of subsystem `{subsystem}` forgets changes of a force slowly or never; use a smaller spectral radius, \"hht\" with alpha \
             below zero, \"theta\", or impacts = \"plain\""
        );
        // Once for all contacts of the subsystem.
        for own in sim.topology.subsystems[contact.subsystem].contacts.clone() {
            sim.state.warnings.swinging_forces[own].is_told = true;
        }
        sim.warn(WarningPlace::Contact(name), text);
    }
}

/// What loads of contacts do besides their impulses in the step just taken, where the rule remembers accelerations: the impulse of
/// the forces, `h (F₀ + F₁)/2`, is found in several steps.
fn book_remembered_loads(sim: &mut Simulation<'_>, h: f64) {
    let solution = sim.storage.contact_problems.solution();
    let (mut work, mut obstacles) = (0.0, 0.0);
    for (k, row) in sim.topology.contact_rows.iter().enumerate() {
        let (start, end, sustained) =
            (sim.state.contact_forces[k], solution.forces[k], solution.sustained[k]);
        let weights = sim.storage.linearisation.models[row.subsystem].weights;
        let are_momenta = takes_momenta(sim, row.subsystem);
        if weights.are_of_mean(h) || are_momenta || (start == 0.0 && end == 0.0) {
            continue;
        }
        // Loads that begin inside the step, after an impact, act by their impulses.
        let is_inside = solution.moments.velocity[k] != 0.0;
        let by_end = if is_inside { 0.0 } else { 0.5 * h * end - sustained };
        let rest = 0.5 * h * start + by_end;
        sim.state.contact_impulses[k] += rest;
        let rows = &sim.storage.rows;
        work += 0.5 * rest * (rows.start_rates[k] + rows.next_velocities[row.global_row]);
        if row.gap_of.is_some() {
            obstacles += rest * rows.mean_own_rate(k);
        }
    }
    sim.state.monitor.book_remembered(work, obstacles);
}

/// Whether the contacts of a subsystem have passed on momenta.
fn takes_momenta(sim: &Simulation<'_>, subsystem: usize) -> bool {
    let cluster = sim.topology.subsystems[subsystem].cluster;
    let mut problems = sim.storage.contact_problems.problems.iter();
    problems.any(|own| own.cluster == cluster && own.are_momenta)
}

/// Books what impulses inside the step just taken lose to damping, besides what the ledgers of the subsystems say.
fn book_damping(sim: &mut Simulation<'_>, h: f64) {
    let solution = sim.storage.contact_problems.solution();
    sim.state.monitor.book_dashpots(sim.topology, &sim.storage.rows, solution, h);
    let mut loads = std::mem::take(&mut sim.storage.rows.inner_loads);
    for (number, cluster) in sim.topology.clusters.iter().enumerate() {
        let matrices = sim.storage.condensation.impacts(number);
        let span = StepSpan { end: sim.state.clock.now, size: h };
        let inside = InnerImpulses::of(cluster, matrices, solution, span, &mut loads);
        if let Some(loss) = inside.and_then(InnerImpulses::loss) {
            sim.state.monitor.book_inner_loss(sim.topology, cluster, &sim.storage.rows, loss);
        }
    }
    sim.storage.rows.inner_loads = loads;
}

/// What a joint does in the step whose ends stand in the rows.
pub(crate) fn joint_balance(sim: &Simulation<'_>, joint: usize, h: f64) -> JointBalance {
    let coordinates = &sim.storage.condensation.coordinates[sim.topology.joints[joint].coordinates()];
    let work =
        JointWork { model: sim.model(), condensation: &sim.storage.condensation, rows: &sim.storage.rows, h };
    sim.state.monitor.of_joint(work, coordinates)
}

/// Books what the joints did in the step that the subsystems have just taken.
pub(crate) fn book_interfaces(sim: &mut Simulation<'_>, h: f64) {
    read_affine_ends(sim);
    read_explicit_ends(sim);
    let Storage { linearisation, condensation, rows, .. } = &*sim.storage;
    sim.state.monitor.book_joints(JointWork { model: linearisation.of(sim.topology), condensation, rows, h });
}

/// End rows of affine subsystems: those that they have just reported, unless impulses inside the step are in them. Those of
/// others have been evaluated.
fn read_affine_ends(sim: &mut Simulation<'_>) {
    if sim.storage.linearisation.is_affine && !sim.storage.has_moments {
        sim.storage.rows.end_positions.copy_from_slice(&sim.storage.rows.next_positions);
        sim.storage.rows.end_velocities.copy_from_slice(&sim.storage.rows.next_velocities);
    } else if sim.storage.linearisation.is_affine {
        end_rows_with_loads(sim);
    } else if !sim.storage.has_moments {
        for model in sim.storage.linearisation.models.iter().filter(|model| model.is_affine) {
            let (own, rows) = (model.rows.clone(), &mut sim.storage.rows);
            rows.end_positions[own.clone()].copy_from_slice(&rows.next_positions[own.clone()]);
            rows.end_velocities[own.clone()].copy_from_slice(&rows.next_velocities[own]);
        }
    }
}

/// Adds the impulses of the contacts in the last solution to those of the macro step.
pub(crate) fn add_contact_impulses(sim: &mut Simulation<'_>) {
    let solution = sim.storage.contact_problems.solution();
    if solution.problems > 0 {
        let impulses = sim.state.contact_impulses.iter_mut().zip(&solution.impulses);
        impulses.for_each(|(sum, impulse)| *sum += impulse);
        sim.state.has_contact_impulses = true;
    }
}

/// Forces at the end of the step just taken of the joints that are not compliant, and the impulses of all: of their
/// forces, and of impacts inside it.
pub(crate) fn book_joint_forces(sim: &mut Simulation<'_>, h: f64) {
    for coordinate in &sim.storage.condensation.coordinates {
        let (unknown, weights) = (coordinate.unknown(), &sim.storage.condensation.law(coordinate).weights);
        let (x, start) = (sim.storage.rows.unknowns[unknown], sim.storage.rows.start_forces[unknown]);
        let impulse = weights.impulse(0, x, start);
        sim.state.joint_impulses[unknown] += h * weights.mean_force(0, impulse, start);
        if coordinate.passes_impulses {
            let mean = (x - sim.storage.rows.impact_unknowns[unknown]) / weights.load_weight;
            sim.state.end_forces[unknown] = mean;
            sim.state.relaxed_forces[unknown] = mean;
        }
    }
    add_inner_joint_impulses(sim);
}

/// The true ends of the step of subsystems that were extrapolated, in place of what was extrapolated.
fn read_explicit_ends(sim: &mut Simulation<'_>) {
    let all = sim.topology.subsystems.iter().zip(&sim.subsystems.all).zip(&sim.state.coupling.modes);
    for ((layout, subsystem), _) in all.filter(|(_, mode)| **mode == CouplingMode::Explicit) {
        let rows = subsystem.rows();
        sim.storage.rows.end_positions[layout.rows.clone()].copy_from_slice(&rows.positions);
        sim.storage.rows.end_velocities[layout.rows.clone()].copy_from_slice(&rows.velocities);
    }
}

/// Books what load joints did in the step just taken: the work on the body, as its rule takes the loads, and that on the
/// source, mean load times displacement; and takes the loads at its end as those of the communication point.
pub(crate) fn book_loads(sim: &mut Simulation<'_>, h: f64) {
    let Storage { linearisation, loads, rows, .. } = &*sim.storage;
    for (index, joint) in sim.topology.load_joints.iter().enumerate() {
        let weights = linearisation.models[joint.body].weights;
        let mut work = [0.0; 2];
        for (row, coordinate) in joint.rows().zip(joint.coordinates()) {
            let (start, end) = (loads.start[coordinate], loads.end[coordinate]);
            let moved = rows.end_positions[row] - rows.start_positions[row];
            let impulse = weights.end * end + weights.start * start;
            work[0] += mean_force(impulse, start, weights, h) * moved;
            work[1] -= 0.5 * (start + end) * moved;
        }
        sim.state.monitor.book_load(sim.topology.joints.len() + index, work);
    }
    sim.state.loads.advance(&loads.start, &loads.end, h);
}
