//! What contact impulses do to the joints and the subsystems of their cluster.

use cosimo_nonsmooth::{ContactSolution, EnergyGain};
use cosimo_subsystem::StepLoads;

use super::meeting::{add_meetings, met_impulse, pass_on};
use super::problems::ClusterProblem;
use super::rows::damping_weight;
use crate::WarningPlace;
use crate::condensation::contact_matrices::ContactMatrices;
use crate::simulation::Simulation;

/// Energy that the impacts of a contact may create without a warning, relative to that at stake. Piles that settle leave a tenth of it.
const UNTOLD_GAIN: f64 = 1e-6;

/// Adds what the contact impulses of a cluster do to its joints' unknowns and the loads of its subsystems.
pub(crate) fn apply_contact_impulses(sim: &mut Simulation<'_>, index: usize) {
    let ClusterProblem { cluster, problem, pass_rigidly, locked, .. } =
        &sim.storage.contact_problems.problems[index];
    let impacts = sim.storage.condensation.impacts(*cluster);
    let matrices = if *pass_rigidly { impacts } else { sim.storage.condensation.contacts(*cluster) };
    let cluster = &sim.topology.clusters[*cluster];
    let (solution, rows) = (problem.solution(), &mut sim.storage.rows);
    let own = cluster.unknowns.clone();
    matrices.add_loads(sim.topology, cluster, &solution.sustained, &mut rows.loads);
    matrices.add_unknowns(&solution.sustained, &mut rows.unknowns[own.clone()]);
    if *pass_rigidly {
        matrices.add_unknowns(&solution.sustained, &mut rows.impact_unknowns[own.clone()]);
        for (k, x) in own.zip(&locked.unknowns[1]) {
            rows.unknowns[k] += x;
            rows.impact_unknowns[k] += x;
        }
        let joints = (&sim.storage.condensation, cluster);
        pass_on(sim.topology, joints, &locked.unknowns[1], &mut rows.loads);
        sim.storage.has_impact_unknowns = true;
    }
    if !solution.has_moments {
        return;
    }
    let matrices = impacts;
    sim.storage.has_moments = true;
    let model = sim.storage.linearisation.of(sim.topology);
    let damping_weight = damping_weight(model, cluster);
    for &i in &cluster.members {
        let own = &sim.topology.subsystems[i];
        // The moments are written with the damping weight of the contacts' rule; every rule has its own.
        let shift = model.models[i].weights.damping - damping_weight;
        if sim.subsystems.all[i].description().capabilities.takes_impulses {
            let loads = &mut sim.subsystems.slots[i].loads;
            add_moments(matrices, solution, own.cluster_row, shift, loads);
        } else {
            for (k, load) in rows.loads[own.rows.clone()].iter_mut().enumerate() {
                let direct = matrices.loads().row(own.cluster_row + k);
                *load += direct.iter().zip(&solution.moments.velocity).map(|(w, p)| w * p).sum::<f64>();
            }
        }
    }
    add_meetings(sim, index);
}

/// Adds the impulses of the joints at the impacts inside the step just taken.
pub(crate) fn add_inner_joint_impulses(sim: &mut Simulation<'_>) {
    let problems = &sim.storage.contact_problems.problems;
    for own in problems.iter().filter(|p| p.problem.solution().has_moments) {
        let (matrices, inside) =
            (sim.storage.condensation.impacts(own.cluster), &own.problem.solution().moments.velocity);
        let cluster = &sim.topology.clusters[own.cluster];
        for &j in &cluster.joints {
            let share = sim.storage.condensation.rows[j].share[0];
            for unknown in sim.topology.joints[j].unknowns() {
                let at = unknown - cluster.unknowns.start;
                let sum = matrices.unknown(at, inside) + met_impulse(own, at);
                sim.state.joint_impulses[unknown] += share * sum;
            }
        }
    }
}

/// Adds the impulses of the joints at the jump just made.
pub(crate) fn add_jump_impulses(sim: &mut Simulation<'_>) {
    for ClusterProblem { cluster, problem, pass_rigidly, locked, .. } in
        &sim.storage.contact_problems.problems
    {
        let matrices = sim.storage.condensation.contacts(*cluster);
        let unknowns = sim.topology.clusters[*cluster].unknowns.clone();
        let impulses = &mut sim.state.joint_impulses[unknowns];
        matrices.add_unknowns(&problem.solution().sustained, impulses);
        if *pass_rigidly {
            impulses.iter_mut().zip(&locked.unknowns[0]).for_each(|(sum, x)| *sum += x);
        }
    }
}

/// Counts the energy that impacts have created in the last solution, and warns of the first gain at every contact that counts.
pub(crate) fn report_gains(sim: &mut Simulation<'_>) {
    let untold = UNTOLD_GAIN * sim.state.energy_guard.watch.at_stake;
    for k in 0..sim.storage.contact_problems.solution().gains.len() {
        let EnergyGain { contact, time, energy } = sim.storage.contact_problems.solution().gains[k];
        let table = &sim.topology.contacts[contact].table;
        let gains = &mut sim.state.counters.impact_gains;
        let mut told = gains.iter().zip(&sim.topology.contacts).filter(|(gain, _)| **gain > untold);
        let is_first = !told.any(|(_, own)| own.table == *table) && gains[contact] + energy > untold;
        gains[contact] += energy;
        let sum = gains[contact];
        if is_first {
            let name = sim.contact_names().of(contact);
            let text = format!(
                "contact `{name}`: the impact law created {sum:.3e} J up to {time} s, as Newton's can with \
                 friction; use impact_law = \"moreau\""
            );
            sim.warn(WarningPlace::Contact(name), text);
        }
    }
}

/// Adds the moments of the impulses inside a step to the loads of a subsystem that begins at row `first` of its
/// cluster, and whose damping weight is larger by `shift` (s) than that of the contacts.
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
