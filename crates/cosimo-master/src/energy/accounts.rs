//! The accounts of a step just taken: contacts, joints and their impulses.

use super::Energy;
use super::inner_impulses::{InnerImpulses, StepSpan};
use super::monitor::Monitor;
use crate::WarningPlace;
use crate::condensation::Condensation;
use crate::contacts::Contacts;
use crate::contacts::names::ContactNames;
use crate::contacts::problems::ContactProblems;
use crate::linearisation::{LinearisedModel, mean_force};
use crate::loads::Loads;
use crate::rows::StepRows;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::warnings::Warnings;

/// Warns, once, of a contact that is closed and whose force swings from step to step for long, as that of a rule does that forgets changes of a
/// force slowly or never. The step of size `h` (s) has led to `time` (s).
pub(crate) fn warn_of_swinging_forces(
    model: LinearisedModel<'_>,
    contacts: &Contacts,
    names: ContactNames<'_>,
    warnings: &mut Warnings,
    (time, h): (f64, f64),
) {
    let topology = model.topology;
    for (c, contact) in topology.contacts.iter().enumerate() {
        let remembers = !model.models[contact.subsystem].weights.are_of_mean(h);
        if !remembers || takes_momenta(&contacts.problems, topology, contact.subsystem) {
            continue;
        }
        let force = contacts.problems.solution().forces[contact.gap];
        let before = contacts.forces[contact.gap];
        if !warnings.swinging_forces[c].takes([before, force]) {
            continue;
        }
        let (name, share) = (names.of(c), 50.0 * (force - before).abs() / (0.5 * (force + before)));
        let layout = &topology.subsystems[contact.subsystem];
        let text = format!(
            "contact `{name}` is closed and its force swings from step to step by {share:.1} % about its mean, which is right, as is the \
             motion: the rule of subsystem `{}` forgets changes of a force slowly or never; use a smaller spectral radius, \"hht\" with alpha \
             below zero, \"theta\", or impacts = \"plain\"",
            layout.name
        );
        // Once for all contacts of the subsystem.
        for own in layout.contacts.clone() {
            warnings.swinging_forces[own].is_told = true;
        }
        warnings.warn(time, WarningPlace::Contact(name), text);
    }
}

impl Energy {
    /// Accounts for what the contacts did in a part of a step that was just taken.
    pub(crate) fn book_contacts(
        &mut self,
        contacts: &mut Contacts,
        model: LinearisedModel<'_>,
        condensation: &Condensation,
        rows: &mut StepRows,
        TakenStep { size, end, .. }: TakenStep,
    ) {
        let (monitor, topology) = (&mut self.monitor, model.topology);
        book_remembered_loads(monitor, contacts, model, rows, size);
        let problems = &contacts.problems;
        monitor.book_obstacles(rows, problems.solution(), size);
        if problems.solution().has_moments {
            book_damping(monitor, topology, condensation, problems, rows, StepSpan { end, size });
        }
        monitor.close_step(model, rows, problems.solution());
        for cluster in problems.met_clusters() {
            monitor.follow_tikhonov_joints(model, cluster, rows);
        }
    }
}

/// What loads of contacts do besides their impulses in the step just taken, where the rule remembers accelerations: the impulse of
/// the forces, `h (F₀ + F₁)/2`, is found in several steps.
fn book_remembered_loads(
    monitor: &mut Monitor,
    contacts: &mut Contacts,
    model: LinearisedModel<'_>,
    rows: &StepRows,
    h: f64,
) {
    let Contacts { problems, state, forces, .. } = contacts;
    let (solution, topology) = (problems.solution(), model.topology);
    let (mut work, mut obstacles) = (0.0, 0.0);
    for (k, row) in topology.contact_rows.iter().enumerate() {
        let (start, end, sustained) = (forces[k], solution.forces[k], solution.sustained[k]);
        let weights = model.models[row.subsystem].weights;
        let are_momenta = takes_momenta(problems, topology, row.subsystem);
        if weights.are_of_mean(h) || are_momenta || (start == 0.0 && end == 0.0) {
            continue;
        }
        // Loads that begin inside the step, after an impact, act by their impulses.
        let is_inside = solution.moments.velocity[k] != 0.0;
        let by_end = if is_inside { 0.0 } else { 0.5 * h * end - sustained };
        let rest = 0.5 * h * start + by_end;
        state.impulses[k] += rest;
        work += 0.5 * rest * (rows.start_rates[k] + rows.next_velocities[row.global_row]);
        if row.gap_of.is_some() {
            obstacles += rest * rows.mean_own_rate(k);
        }
    }
    monitor.book_remembered(work, obstacles);
}

/// Whether the contacts of a subsystem have passed on momenta.
fn takes_momenta(problems: &ContactProblems, topology: &Topology, subsystem: usize) -> bool {
    let cluster = topology.subsystems[subsystem].cluster;
    problems.problems.iter().any(|own| own.cluster == cluster && own.are_momenta)
}

/// Accounts for what impulses inside the step just taken lose to damping, besides what the ledgers of the subsystems say.
fn book_damping(
    monitor: &mut Monitor,
    topology: &Topology,
    condensation: &Condensation,
    problems: &ContactProblems,
    rows: &mut StepRows,
    span: StepSpan,
) {
    let solution = problems.solution();
    monitor.book_dashpots(topology, rows, solution, span.size);
    let mut loads = std::mem::take(&mut rows.inner_loads);
    for (number, cluster) in topology.clusters.iter().enumerate() {
        let matrices = condensation.impacts(number);
        let inside = InnerImpulses::of(cluster, matrices, solution, span, &mut loads);
        if let Some(loss) = inside.and_then(InnerImpulses::loss) {
            monitor.book_inner_loss(topology, cluster, rows, loss);
        }
    }
    rows.inner_loads = loads;
}

/// Accounts for what load joints did in the step just taken: the work on the body, as its rule takes the loads, and that on the
/// source, mean load times displacement; and takes the loads at its end as those of the communication point.
pub(crate) fn book_loads(
    monitor: &mut Monitor,
    loads: &mut Loads,
    model: LinearisedModel<'_>,
    rows: &StepRows,
    h: f64,
) {
    let Loads { history, exchange } = loads;
    for (index, joint) in model.topology.load_joints.iter().enumerate() {
        let weights = model.models[joint.body].weights;
        let mut work = [0.0; 2];
        for (row, coordinate) in joint.rows().zip(joint.coordinates()) {
            let (start, end) = (exchange.start[coordinate], exchange.end[coordinate]);
            let moved = rows.end_positions[row] - rows.start_positions[row];
            let impulse = weights.end * end + weights.start * start;
            work[0] += mean_force(impulse, start, weights, h) * moved;
            work[1] -= 0.5 * (start + end) * moved;
        }
        monitor.book_load(model.topology.joints.len() + index, work);
    }
    history.advance(&exchange.start, &exchange.end, h);
}
