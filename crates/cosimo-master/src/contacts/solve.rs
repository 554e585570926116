//! The contact impulses of a part of a step, with the condensed effective mass.

use cosimo_nonsmooth::{ContactMemory, ContactRows, ImpactResolution, closing_tolerance};

use super::apply::apply_contact_impulses;
use super::names::ContactNames;
use super::near::{gather_memory, scatter_memory};
use super::near_rows::among;
use super::problems::{ClusterProblem, Pass};
use super::rows::{contact_error, contact_rows, expect_stiffness, impact_lead, without_solution};
use crate::StepError;
use crate::execution::cost::Account;
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// Removes the impulses inside the step from the loads of all subsystems.
pub(crate) fn clear_moments(sim: &mut Simulation<'_>) {
    if std::mem::take(&mut sim.storage.has_impact_unknowns) {
        sim.storage.rows.impact_unknowns.fill(0.0);
    }
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
    let before = sim.subsystems.costs.enter(Account::CONTACTS);
    if count > 1 {
        sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    }
    for index in 0..count {
        let problems = &sim.storage.contact_problems;
        let is_affine = sim.storage.linearisation.affine_clusters[problems.problems[index].cluster];
        // Of an affine cluster one solve takes all impacts, whatever the others are, and so does the plain problem.
        let impacts = sim.topology.clusters[problems.problems[index].cluster].impacts;
        let takes_all = is_affine || impacts == ImpactResolution::Plain;
        let resolution = if takes_all { impacts } else { resolution };
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
    sim.subsystems.costs.enter(before);
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
    let names = ContactNames { topology: sim.topology, subsystems: &sim.subsystems.all };
    let own = &mut sim.storage.contact_problems.problems[index];
    own.are_momenta = resolution == ImpactResolution::Plain;
    own.pass_rigidly = false;
    let ClusterProblem {
        cluster: number,
        contacts,
        rows: own,
        near,
        problem,
        has_load_sources,
        is_solved,
        pass_rigidly,
        locked,
        ..
    } = own;
    let (number, model) = (*number, sim.storage.linearisation.of(sim.topology));
    let is_affine = sim.storage.linearisation.affine_clusters[number];
    let is_iterated = *has_load_sources || !is_affine;
    let is_kept = is_iterated && pass == Pass::Later;
    let takes_part = &mut sim.storage.takes_part;
    let cluster = &sim.topology.clusters[number];
    let (rows, condensation) = (&sim.storage.rows, &mut sim.storage.condensation);
    let seen = among(near, contact_rows(model, cluster, rows, condensation, (number, part)));
    *is_solved = if is_kept { *is_solved } else { resolution.is_needed(&seen, memory) };
    if is_iterated && !is_kept {
        takes_part[cluster.contacts.clone()].fill(false);
        let candidates = resolution.candidates(&seen, memory);
        let all = contacts.iter().enumerate().filter(|_| *is_solved);
        all.for_each(|(place, c)| takes_part[*c] = candidates.has(place));
    }
    if !*is_solved {
        problem.skip([seen.start_rates, seen.end_rates], memory);
        return Ok(false);
    }
    // Matrices only where they are needed: a nonlinear subsystem changes them every step.
    condensation.refresh_contacts(model, number, is_affine);
    expect_stiffness(memory, condensation.contacts(number));
    // Ends of clusters that are not affine are evaluated with the loads, and have no place for impulses.
    let is_plain = resolution == ImpactResolution::Plain;
    let impact_lead = impact_lead(model, cluster, part.size).filter(|_| is_affine && !is_plain);
    let has_impacts_of_their_own = condensation.has_impacts_of_their_own(number);
    if is_plain && has_impacts_of_their_own {
        let seen = among(near, contact_rows(model, cluster, rows, condensation, (number, part)));
        *pass_rigidly = seen.is_any_hit(memory);
        if *pass_rigidly {
            locked.see(model, (condensation, number), rows, [seen.start_rates, seen.end_rates]);
            condensation.solve_impacts(number, &mut locked.unknowns[1]);
        }
    }
    let is_inside = resolution == ImpactResolution::SubStep && is_affine && has_impacts_of_their_own;
    if is_inside {
        locked.part(model, (condensation, number), rows, cluster.contact_rows.len());
    }
    let partings = is_inside.then(|| locked.partings());
    let all = contact_rows(model, cluster, rows, condensation, (number, part));
    // Momenta are those of mean loads, whatever the rule.
    let load_weight = if is_plain { part.size } else { all.load_weight };
    let rows = among(near, ContactRows { impact_lead, partings, load_weight, ..all });
    let rows = match rows.impacts.filter(|_| *pass_rigidly) {
        Some(delassus) => {
            let [start_rates, end_rates] = &locked.rates;
            ContactRows { delassus, start_rates, end_rates, ..rows }
        }
        None => rows,
    };
    let solved = if is_kept {
        problem.solve_again((resolution, |c| takes_part[contacts[c]]), &rows, memory).map(drop)
    } else {
        problem.solve_as(resolution, &rows, memory).map(drop)
    };
    match solved {
        // What nothing can stop is no solution, however little is left.
        Ok(()) if problem.unsolved().is_some() => {
            without_solution(names, (contacts, own), &rows).map_or(Ok(true), Err)
        }
        Ok(()) => Ok(true),
        Err(source) => Err(contact_error(names, (contacts, own), &rows, source)),
    }
}

/// Takes in the contacts that have no part in the problem of the step just solved and penetrate at its end, as other contacts or a
/// force that sets in within the step may make them; says whether there are any. Of a step that is split at impacts they are hit.
pub(crate) fn take_in_penetrated(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
) -> bool {
    let mut is_any = false;
    for ClusterProblem { cluster, contacts, is_solved, .. } in &mut sim.storage.contact_problems.problems {
        let is_plain =
            [resolution, sim.topology.clusters[*cluster].impacts].contains(&ImpactResolution::Plain);
        if sim.storage.linearisation.affine_clusters[*cluster] || !is_plain {
            continue;
        }
        // A forecast says by itself which contacts take part.
        let is_open_to = |c: &&usize| sim.topology.law(**c).activation.gamma.is_none();
        for &c in contacts.iter().filter(is_open_to) {
            let rows = &sim.storage.rows;
            let row = sim.topology.contacts[c].global_row;
            let (end, way) = (rows.end_positions[row], part.size * rows.end_velocities[row]);
            let is_closed = end < -closing_tolerance(rows.lengths[c], way);
            if is_closed && !sim.storage.takes_part[c] && !rows.is_absent(c) {
                (sim.storage.takes_part[c], *is_solved, is_any) = (true, true, true);
            }
        }
    }
    is_any
}

/// Brings the contacts' matrices of all clusters up to date.
pub(crate) fn refresh_all_contacts(sim: &mut Simulation<'_>) {
    for problem in &sim.storage.contact_problems.problems {
        let (model, number) = (sim.storage.linearisation.of(sim.topology), problem.cluster);
        let is_affine = sim.storage.linearisation.affine_clusters[number];
        sim.storage.condensation.refresh_contacts(model, number, is_affine);
    }
}
