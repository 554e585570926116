//! Impacts at Tikhonov joints, which are rigid to them.
//!
//! The ends of a joint that gives way to loads move apart by `r = c λ̇`. At an impact their rates meet, as those of a rigid joint do: besides
//! what the contact impulses make, `X P`, the joint passes `Â⁻¹ r`, and contacts see the rates of the bodies joined rigidly,
//!
//! ```text
//!   Û = U − Xᵀ r
//! ```
//!
//! before and after. Newton's law between them takes energy out, and so does meeting. From there on the joint gives way anew: it is open
//! by its gap, and its rate begins at zero.
//!
//! | impacts | `r` |
//! |---|---|
//! | of the plain problem | that at the start before, that at the end after them |
//! | inside a step | grows linearly over the step, and is taken out at every impact |
//! | at a communication point | that of this point |

use cosimo_nonsmooth::Partings;

use super::problems::ClusterProblem;
use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::simulation::Simulation;
use crate::storage::linearisation::LinearisedModel;
use crate::storage::rows::StepRows;
use crate::topology::joint::Joint;

/// What the contacts of a problem see of a step with an impact, by contact row, and what its joints pass, by unknown of its cluster.
#[derive(Debug, Default)]
pub(crate) struct LockedJoints {
    /// `Û` at the start and the end of the step (m/s).
    pub(crate) rates: [Vec<f64>; 2],
    /// `Xᵀ r` at the start and the end of the step (m/s).
    partings: [Vec<f64>; 2],
    /// `r` at the start and the end of the step (m/s), of which [`Condensation::solve_impacts`] makes `Â⁻¹ r` (N s).
    pub(crate) unknowns: [Vec<f64>; 2],
}

impl LockedJoints {
    /// Those of a step of a cluster whose contacts would see these rates at its start and end.
    pub(crate) fn see(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        [start, end]: [&[f64]; 2],
    ) {
        self.see_start(model, (condensation, number), rows, start);
        self.read_end(model, (condensation, number), rows);
        self.rates[1].clear();
        self.rates[1].extend_from_slice(end);
        condensation.impacts(number).subtract_partings(&self.unknowns[1], &mut self.rates[1]);
    }

    /// The rates before the impact alone.
    pub(crate) fn see_start(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        start: &[f64],
    ) {
        self.read_start(model, number, rows);
        self.rates[0].clear();
        self.rates[0].extend_from_slice(start);
        condensation.impacts(number).subtract_partings(&self.unknowns[0], &mut self.rates[0]);
    }

    /// Finds what impacts inside the step take from the rates of so many contact rows, at its start and its end.
    pub(crate) fn part(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        contact_rows: usize,
    ) {
        self.read_start(model, number, rows);
        self.read_end(model, (condensation, number), rows);
        for (parting, rates) in self.partings.iter_mut().zip(&self.unknowns) {
            parting.clear();
            parting.resize(contact_rows, 0.0);
            condensation.impacts(number).subtract_partings(rates, parting);
            parting.iter_mut().for_each(|rate| *rate = -*rate);
        }
    }

    /// What [`part`](Self::part) has found.
    pub(crate) fn partings(&self) -> Partings<'_> {
        Partings { start: &self.partings[0], end: &self.partings[1] }
    }

    fn read_start(&mut self, model: LinearisedModel<'_>, number: usize, rows: &StepRows) {
        read_partings(model, number, &mut self.unknowns[0], |_, joint, k| {
            joint.difference(k, &rows.start_velocities)
        });
    }

    /// `r` at the end, by the unknowns of the step.
    fn read_end(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
    ) {
        read_partings(model, number, &mut self.unknowns[1], |j, joint, k| {
            let (row, unknown) = (&condensation.rows[j], joint.first + k);
            row.lag * (rows.unknowns[unknown] / row.load_weight - rows.relaxed_forces[unknown])
        });
    }
}

/// The rates `r` at which the ends of Tikhonov joints part, by unknown of the cluster; zero of other joints.
fn read_partings(
    model: LinearisedModel<'_>,
    number: usize,
    partings: &mut Vec<f64>,
    rate: impl Fn(usize, &Joint, usize) -> f64,
) {
    let cluster = &model.topology.clusters[number];
    partings.clear();
    partings.resize(cluster.unknowns.len(), 0.0);
    for &j in &cluster.joints {
        let joint = &model.topology.joints[j];
        if is_relaxed(joint) {
            let first = joint.first - cluster.unknowns.start;
            (0..joint.size).for_each(|k| partings[first + k] = rate(j, joint, k));
        }
    }
}

fn is_relaxed(joint: &Joint) -> bool {
    matches!(joint.law, InterfaceLaw::Tikhonov { .. })
}

/// Adds the impulses with which the joints of a problem meet inside the step to the loads of their subsystems.
pub(super) fn add_meetings(sim: &mut Simulation<'_>, index: usize) {
    let own = &mut sim.storage.contact_problems.problems[index];
    let (number, meetings) = (own.cluster, own.problem.solution().meetings);
    if meetings.velocity == [0.0; 2] {
        return;
    }
    let locked = &mut own.locked;
    let model = sim.storage.linearisation.of(sim.topology);
    // Loads over the step have moved the ends since the contacts saw them.
    locked.read_end(model, (&sim.storage.condensation, number), &sim.storage.rows);
    locked.unknowns.iter_mut().for_each(|x| sim.storage.condensation.solve_impacts(number, x));
    let cluster = &sim.topology.clusters[number];
    for &j in &cluster.joints {
        let joint = &sim.topology.joints[j];
        let share = sim.storage.condensation.rows[j].share;
        for (own, share) in joint.sides.iter().zip(share) {
            let takes_impulses = sim.subsystems.all[own.subsystem].description().capabilities.takes_impulses;
            let shift =
                model.models[own.subsystem].weights.damping - super::rows::damping_weight(model, cluster);
            for (k, unknown) in joint.unknowns().enumerate() {
                let at = unknown - cluster.unknowns.start;
                let factor = -own.sign * share;
                let sum = |weights: [f64; 2]| {
                    factor * (weights[0] * locked.unknowns[0][at] + weights[1] * locked.unknowns[1][at])
                };
                let (velocity, position) = (sum(meetings.velocity), sum(meetings.position));
                if !takes_impulses {
                    sim.storage.rows.loads[own.global_row + k] += velocity;
                    continue;
                }
                let loads = &mut sim.subsystems.slots[own.subsystem].loads;
                let (moments, row) = (&mut loads.moments, own.row + k);
                moments.velocity[row] += velocity;
                moments.position[row] += position;
                moments.velocity_damped[row] += sum(meetings.velocity_damped) + shift * velocity;
                moments.position_damped[row] += sum(meetings.position_damped) + shift * position;
                loads.has_moments = true;
            }
        }
    }
}

/// Lets the joints of a problem whose contacts are hit at a communication point meet before that: adds their impulses to the loads, and
/// gives what the contacts, by the rates that the `rows` see, have then.
pub(super) fn meet_at_instant<'a>(
    (model, rows): (LinearisedModel<'_>, &mut StepRows),
    (condensation, number): (&mut Condensation, usize),
    (locked, start_rates): (&'a mut LockedJoints, &[f64]),
) -> &'a [f64] {
    locked.see_start(model, (condensation, number), rows, start_rates);
    let LockedJoints { rates: [rates, _], unknowns: [x, _], .. } = locked;
    condensation.solve_impacts(number, x);
    let cluster = &model.topology.clusters[number];
    for joint in cluster.joints.iter().map(|&j| &model.topology.joints[j]) {
        for (k, unknown) in joint.unknowns().enumerate() {
            let x = x[unknown - cluster.unknowns.start];
            joint.sides.iter().for_each(|side| rows.loads[side.global_row + k] -= side.sign * x);
        }
    }
    rates
}

/// What the unknown of a cluster, counted within it, has passed where its joints have met inside the step (N s).
pub(super) fn met_impulse(problem: &ClusterProblem, unknown: usize) -> f64 {
    let [start, end] = problem.problem.solution().meetings.velocity;
    if start == 0.0 && end == 0.0 {
        return 0.0;
    }
    start * problem.locked.unknowns[0][unknown] + end * problem.locked.unknowns[1][unknown]
}

/// Tikhonov joints that have met inside the step of size `h` (s) just taken give way anew, from the motion that stands in the rows of
/// the start.
pub(crate) fn open_met_joints(sim: &mut Simulation<'_>, h: f64) {
    let has_met = |own: &&ClusterProblem| own.problem.solution().meetings.velocity != [0.0; 2];
    let model = sim.storage.linearisation.of(sim.topology);
    for own in sim.storage.contact_problems.problems.iter().filter(has_met) {
        open_joints(model, own.cluster, &sim.storage.rows, (h, &mut sim.state.relaxed_forces));
        sim.state.monitor.follow_tikhonov_joints(model, own.cluster, &sim.storage.rows);
    }
}

/// The same of those that have met at the communication point whose motion stands in the rows of the start.
pub(crate) fn open_joints_met_at_instant(sim: &mut Simulation<'_>) {
    let model = sim.storage.linearisation.of(sim.topology);
    for own in sim.storage.contact_problems.problems.iter().filter(|own| own.pass_rigidly) {
        open_joints(model, own.cluster, &sim.storage.rows, (0.0, &mut sim.state.relaxed_forces));
    }
}

/// The forces by which the Tikhonov joints of a cluster are open, from their gaps and the rates of these at a communication point, as the
/// rule takes them that has stepped by `h` (s): `c λ = g + h ġ/2`.
fn open_joints(model: LinearisedModel<'_>, number: usize, rows: &StepRows, (h, forces): (f64, &mut [f64])) {
    for joint in model.topology.clusters[number].joints.iter().map(|&j| &model.topology.joints[j]) {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        for (k, unknown) in joint.unknowns().enumerate() {
            let gap = model.present_gap(joint, k, &rows.start_positions);
            let rate = joint.difference(k, &rows.start_velocities);
            forces[unknown] = (gap + 0.5 * h * rate) / constant;
        }
    }
}
