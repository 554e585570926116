//! What contact impulses do to the joints and the subsystems of their cluster.

use cosimo_nonsmooth::{ContactSolution, EnergyGain};
use cosimo_subsystem::StepLoads;

use super::meeting::{add_meetings, met_impulse, pass_on};
use super::names::ContactNames;
use super::problems::{ClusterProblem, ContactProblems};
use super::rows::damping_weight;
use crate::WarningPlace;
use crate::condensation::Condensation;
use crate::condensation::contact_matrices::ContactMatrices;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::topology::Topology;
use crate::warnings::Warnings;

/// Energy that the impacts of a contact may create without a warning, relative to that at stake. Piles that settle leave a tenth of it.
const UNTOLD_GAIN: f64 = 1e-6;

/// Adds what the contact impulses of a cluster do to its joints' unknowns and the loads of its subsystems.
pub(super) fn apply_contact_impulses(
    own: &mut ClusterProblem,
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    rows: &mut StepRows,
    subsystems: &mut Subsystems,
) {
    let ClusterProblem { cluster: number, problem, pass_rigidly, locked, .. } = &*own;
    let (topology, cluster) = (model.topology, &model.topology.clusters[*number]);
    let impacts = condensation.impacts(*number);
    let matrices = if *pass_rigidly { impacts } else { condensation.contacts(*number) };
    let solution = problem.solution();
    let unknowns = cluster.unknowns.clone();
    matrices.add_loads(topology, cluster, &solution.sustained, &mut rows.loads);
    matrices.add_unknowns(&solution.sustained, &mut rows.unknowns[unknowns.clone()]);
    if *pass_rigidly {
        matrices.add_unknowns(&solution.sustained, &mut rows.impact_unknowns[unknowns.clone()]);
        for (k, x) in unknowns.zip(&locked.unknowns[1]) {
            rows.unknowns[k] += x;
            rows.impact_unknowns[k] += x;
        }
        pass_on(topology, (condensation, cluster), &locked.unknowns[1], &mut rows.loads);
        rows.has_impact_unknowns = true;
    }
    if !solution.has_moments {
        return;
    }
    let matrices = impacts;
    subsystems.has_moments = true;
    let damping_weight = damping_weight(model, cluster);
    for &i in &cluster.members {
        let layout = &topology.subsystems[i];
        // The moments are written with the damping weight of the contacts' rule; every rule has its own.
        let shift = model.models[i].weights.damping - damping_weight;
        if subsystems.all[i].description().capabilities.takes_impulses {
            add_moments(matrices, solution, layout.cluster_row, shift, &mut subsystems.slots[i].loads);
        } else {
            for (k, load) in rows.loads[layout.rows.clone()].iter_mut().enumerate() {
                let direct = matrices.loads().row(layout.cluster_row + k);
                *load += direct.iter().zip(&solution.moments.velocity).map(|(w, p)| w * p).sum::<f64>();
            }
        }
    }
    add_meetings(own, model, condensation, rows, subsystems);
}

impl ContactProblems {
    /// Adds the impulses of the joints at the impacts inside the step just taken to these sums, by unknown (N s).
    pub(crate) fn add_inner_joint_impulses(
        &self,
        topology: &Topology,
        condensation: &Condensation,
        impulses: &mut [f64],
    ) {
        for own in self.problems.iter().filter(|p| p.problem.solution().has_moments) {
            let matrices = condensation.impacts(own.cluster);
            let inside = &own.problem.solution().moments.velocity;
            let cluster = &topology.clusters[own.cluster];
            for &j in &cluster.joints {
                let share = condensation.rows[j].share[0];
                for unknown in topology.joints[j].unknowns() {
                    let at = unknown - cluster.unknowns.start;
                    impulses[unknown] += share * (matrices.unknown(at, inside) + met_impulse(own, at));
                }
            }
        }
    }

    /// Adds the impulses of the joints at the jump just made to these sums, by unknown (N s).
    pub(crate) fn add_jump_impulses(
        &self,
        topology: &Topology,
        condensation: &Condensation,
        impulses: &mut [f64],
    ) {
        for ClusterProblem { cluster, problem, pass_rigidly, locked, .. } in &self.problems {
            let matrices = condensation.contacts(*cluster);
            let impulses = &mut impulses[topology.clusters[*cluster].unknowns.clone()];
            matrices.add_unknowns(&problem.solution().sustained, impulses);
            if *pass_rigidly {
                impulses.iter_mut().zip(&locked.unknowns[0]).for_each(|(sum, x)| *sum += x);
            }
        }
    }
}

/// Counts the energy that impacts have created in a solution in the sums `gains` of all contacts (J), and warns of the first gain at every
/// contact that counts beside the energy at stake (J). The model stands at `time` (s).
pub(crate) fn report_gains(
    solution: &ContactSolution,
    gains: &mut [f64],
    at_stake: f64,
    names: ContactNames<'_>,
    (warnings, time): (&mut Warnings, f64),
) {
    let (untold, contacts) = (UNTOLD_GAIN * at_stake, &names.topology.contacts);
    for EnergyGain { contact, time: instant, energy } in &solution.gains {
        let table = &contacts[*contact].table;
        let mut told = gains.iter().zip(contacts).filter(|(gain, _)| **gain > untold);
        let is_first = !told.any(|(_, own)| own.table == *table) && gains[*contact] + energy > untold;
        gains[*contact] += energy;
        let sum = gains[*contact];
        if is_first {
            let name = names.of(*contact);
            let text = format!(
                "contact `{name}`: the impact law created {sum:.3e} J up to {instant} s, as Newton's can with \
                 friction; use impact_law = \"moreau\""
            );
            warnings.warn(time, WarningPlace::Contact(name), text);
        }
    }
}

/// Adds the moments of the impulses inside a step to the loads of a subsystem that begins at row `first` of its
/// cluster, and whose damping weight is larger by `project_positions` (s) than that of the contacts.
fn add_moments(
    matrices: &ContactMatrices,
    solution: &ContactSolution,
    first: usize,
    shift: f64,
    loads: &mut StepLoads,
) {
    let (m, target) = (&solution.moments, &mut loads.moments);
    for k in 0..solution.impulses.len() {
        let velocity = m.velocity_damped[k] + shift * m.velocity[k];
        let position = m.position_damped[k] + shift * m.position[k];
        for r in 0..target.velocity.len() {
            let direct = matrices.loads()[(first + r, k)];
            target.velocity[r] += direct * m.velocity[k];
            target.position[r] += direct * m.position[k];
            if matrices.has_damping() {
                let fed_back = matrices.feedback()[(first + r, k)];
                target.velocity[r] += fed_back * velocity;
                target.velocity_damped[r] += direct * velocity;
                target.position[r] += fed_back * position;
                target.position_damped[r] += direct * position;
            }
        }
    }
    loads.has_moments = target.velocity.iter().chain(&target.position).any(|x| *x != 0.0);
}
