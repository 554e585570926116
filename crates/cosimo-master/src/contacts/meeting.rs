//! Tikhonov joints that meet at impacts inside a step or at a communication point: what they pass, and how they give way anew. See
//! `locked` for the equations.

use super::problems::{ClusterProblem, ContactProblems};
use super::rows::damping_weight;
use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::topology::joint::Closing;
use crate::topology::{Cluster, Topology};

/// Adds the impulses with which the joints of a problem meet inside the step to the loads of their subsystems.
pub(super) fn add_meetings(
    own: &mut ClusterProblem,
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    rows: &mut StepRows,
    subsystems: &mut Subsystems,
) {
    if !own.problem.solution().has_met() {
        return;
    }
    let (number, meetings, locked) = (own.cluster, own.problem.solution().meetings, &mut own.locked);
    // Loads over the step have moved the ends since the contacts saw them.
    locked.read_end(model, (condensation, number), rows);
    locked.unknowns.iter_mut().for_each(|x| condensation.solve_impacts(number, x));
    let cluster = &model.topology.clusters[number];
    for &j in &cluster.joints {
        let joint = &model.topology.joints[j];
        for (own, share) in joint.sides.iter().zip(condensation.rows[j].share) {
            let takes_impulses = subsystems.all[own.subsystem].description().capabilities.takes_impulses;
            let shift = model.models[own.subsystem].weights.damping - damping_weight(model, cluster);
            for (k, unknown) in joint.unknowns().enumerate() {
                let at = unknown - cluster.unknowns.start;
                let factor = -own.sign * share;
                let sum = |weights: [f64; 2]| {
                    factor * (weights[0] * locked.unknowns[0][at] + weights[1] * locked.unknowns[1][at])
                };
                let (velocity, position) = (sum(meetings.velocity), sum(meetings.position));
                if !takes_impulses {
                    rows.loads[own.global_row + k] += velocity;
                    continue;
                }
                let loads = &mut subsystems.slots[own.subsystem].loads;
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

/// Adds the loads of these impulses of the joints of a cluster, by its unknowns, to those on all rows.
pub(super) fn pass_on(
    topology: &Topology,
    (condensation, cluster): (&Condensation, &Cluster),
    impulses: &[f64],
    loads: &mut [f64],
) {
    for &j in &cluster.joints {
        let joint = &topology.joints[j];
        for (side, share) in joint.sides.iter().zip(condensation.rows[j].share) {
            for (k, unknown) in joint.unknowns().enumerate() {
                loads[side.global_row + k] -= side.sign * share * impulses[unknown - cluster.unknowns.start];
            }
        }
    }
}

/// What the unknown of a cluster, counted within it, has passed where its joints have met inside the step (N s).
pub(super) fn met_impulse(problem: &ClusterProblem, unknown: usize) -> f64 {
    let solution = problem.problem.solution();
    if !solution.has_met() {
        return 0.0;
    }
    let [start, end] = solution.meetings.velocity;
    start * problem.locked.unknowns[0][unknown] + end * problem.locked.unknowns[1][unknown]
}

impl ContactProblems {
    /// The clusters whose joints have met inside the step just taken.
    pub(crate) fn met_clusters(&self) -> impl Iterator<Item = usize> {
        self.problems.iter().filter(|own| own.problem.solution().has_met()).map(|own| own.cluster)
    }

    /// Tikhonov joints that have met inside the step of size `h` (s) just taken give way anew, from the motion that stands in the rows of
    /// the start: these are the forces by which they are open.
    pub(crate) fn open_met_joints(
        &self,
        model: LinearisedModel<'_>,
        rows: &StepRows,
        h: f64,
        forces: &mut [f64],
    ) {
        self.met_clusters().for_each(|cluster| open_joints(model, cluster, rows, (h, forces)));
    }

    /// The same of those that have met at the communication point whose motion stands in the rows of the start.
    pub(crate) fn open_joints_met_at_instant(
        &self,
        model: LinearisedModel<'_>,
        rows: &StepRows,
        forces: &mut [f64],
    ) {
        for own in self.problems.iter().filter(|own| own.pass_rigidly) {
            open_joints(model, own.cluster, rows, (0.0, forces));
        }
    }
}

/// The forces by which the Tikhonov joints of a cluster are open, from their gaps and the rates of these at a communication point, as the
/// rule takes them that has stepped by `h` (s): `c λ = g + h ġ/2`. A gap that nothing closes is of unlike rules, and not of a force: that
/// joint goes on with the force before.
fn open_joints(model: LinearisedModel<'_>, number: usize, rows: &StepRows, (h, forces): (f64, &mut [f64])) {
    for joint in model.topology.clusters[number].joints.iter().map(|&j| &model.topology.joints[j]) {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        if joint.closing == Closing::Nothing {
            continue;
        }
        for (k, unknown) in joint.unknowns().enumerate() {
            let gap = model.present_gap(joint, k, &rows.start_positions);
            let rate = joint.difference(k, &rows.start_velocities);
            forces[unknown] = (gap + 0.5 * h * rate) / constant;
        }
    }
}
