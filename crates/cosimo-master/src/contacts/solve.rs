//! The contact impulses of a part of a step, with the condensed effective mass.

use cosimo_nonsmooth::{ContactMemory, ContactRows, ImpactResolution};

use super::apply::apply_contact_impulses;
use super::near::{gather_memory, scatter_memory};
use super::near_rows::among;
use super::problems::{ClusterProblem, Pass};
use super::rows::{contact_error, contact_rows, expect_stiffness, impact_lead};
use crate::StepError;
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// Removes the impulses inside the step from the loads of all subsystems.
pub(crate) fn clear_moments(sim: &mut Simulation<'_>) {
    if std::mem::take(&mut sim.storage.has_moments) {
        sim.subsystems.slots.iter_mut().for_each(|slot| slot.loads.clear_moments());
    }
}

/// The contact impulses with the condensed effective mass, and their loads on all subsystems.
pub(crate) fn solve_contacts(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
    pass: Pass,
) -> Result<(), StepError> {
    clear_moments(sim);
    let count = sim.storage.contact_problems.problems.len();
    if count == 0 {
        return Ok(());
    }
    if count > 1 {
        sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    }
    for index in 0..count {
        let problems = &sim.storage.contact_problems;
        let is_affine = sim.storage.linearisation.affine_clusters[problems.problems[index].cluster];
        // Of an affine cluster one solve takes all impacts, whatever the others are.
        let resolution = if is_affine { problems.resolution() } else { resolution };
        match solve_cluster(sim, index, part, (resolution, pass)) {
            Ok(true) => apply_contact_impulses(sim, index),
            Ok(false) => {}
            Err(error) => {
                // A failed step leaves the memory of all contacts as it was.
                if count > 1 {
                    sim.state.contact_memory.copy_from_slice(&sim.storage.remembered);
                }
                return Err(error);
            }
        }
    }
    sim.storage.contact_problems.collect_own();
    Ok(())
}

/// Solves the contact problem of one cluster; says whether there was anything to solve.
fn solve_cluster(
    sim: &mut Simulation<'_>,
    index: usize,
    part: StepPart,
    how: (ImpactResolution, Pass),
) -> Result<bool, StepError> {
    let problem = &mut sim.storage.contact_problems.problems[index];
    let all = sim.topology.clusters[problem.cluster].contacts.clone();
    let Some(near) = &mut problem.near else {
        let mut memory = std::mem::take(&mut sim.state.contact_memory);
        let solved = solve_with(sim, index, part, how, &mut memory[all]);
        sim.state.contact_memory = memory;
        return solved;
    };
    near.gather(&sim.storage.rows, &problem.contacts, &problem.rows);
    let mut memory = std::mem::take(&mut sim.storage.near_memory);
    gather_memory(&sim.state.contact_memory, &problem.contacts, &mut memory);
    let solved = solve_with(sim, index, part, how, &mut memory);
    let contacts = &sim.storage.contact_problems.problems[index].contacts;
    all.filter(|c| sim.storage.is_far[*c]).for_each(|c| sim.state.contact_memory[c].stay_open());
    scatter_memory(&memory, contacts, &mut sim.state.contact_memory);
    sim.storage.near_memory = memory;
    solved
}

/// The same with what its contacts remember.
fn solve_with(
    sim: &mut Simulation<'_>,
    index: usize,
    part: StepPart,
    (resolution, pass): (ImpactResolution, Pass),
    memory: &mut [ContactMemory],
) -> Result<bool, StepError> {
    let own = &mut sim.storage.contact_problems.problems[index];
    own.are_momenta = resolution == ImpactResolution::Plain;
    let ClusterProblem {
        cluster: number,
        contacts,
        rows: own,
        near,
        problem,
        keeps_candidates,
        candidates,
        ..
    } = own;
    let (number, model) = (*number, sim.storage.linearisation.of(sim.topology));
    let is_kept = *keeps_candidates && pass == Pass::Later;
    let cluster = &sim.topology.clusters[number];
    let (rows, condensation) = (&sim.storage.rows, &mut sim.storage.condensation);
    let seen = among(near, contact_rows(model, cluster, rows, condensation.contacts(number), part));
    let is_needed = if is_kept { !candidates.is_empty() } else { resolution.is_needed(&seen, memory) };
    if !is_needed {
        candidates.clear();
        problem.skip(memory);
        return Ok(false);
    }
    if *keeps_candidates && !is_kept {
        candidates.clear();
        candidates.extend((0..contacts.len()).map(|c| resolution.is_candidate(&seen, memory, c)));
    }
    // Matrices only where they are needed: a nonlinear subsystem changes them every step.
    let is_affine = sim.storage.linearisation.affine_clusters[number];
    condensation.refresh_contacts(model, number, is_affine);
    let matrices = condensation.contacts(number);
    expect_stiffness(memory, matrices);
    // Ends of clusters that are not affine are evaluated with the loads, and have no place for impulses.
    let impact_lead = impact_lead(model, cluster, part.size).filter(|_| is_affine);
    let rows = contact_rows(model, cluster, rows, matrices, part);
    let rows = among(near, ContactRows { impact_lead, ..rows });
    let solved = if is_kept {
        problem.solve_again(|c| candidates[c], &rows, memory)
    } else {
        problem.solve_as(resolution, &rows, memory)
    };
    match solved {
        Ok(_) => Ok(true),
        Err(source) => Err(contact_error(sim.topology, (contacts, own), &rows, source)),
    }
}

/// Brings the contacts' matrices of all clusters up to date.
pub(crate) fn refresh_all_contacts(sim: &mut Simulation<'_>) {
    for problem in &sim.storage.contact_problems.problems {
        let (model, number) = (sim.storage.linearisation.of(sim.topology), problem.cluster);
        let is_affine = sim.storage.linearisation.affine_clusters[number];
        sim.storage.condensation.refresh_contacts(model, number, is_affine);
    }
}
