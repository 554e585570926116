//! The impact law at a communication point.

use cosimo_nonsmooth::{ContactRows, Hit};

use super::meeting::pass_on;
use super::names::ContactNames;
use super::near::{gather_memory, scatter_memory};
use super::near_rows::among;
use super::problems::{ClusterProblem, ContactProblems};
use super::rows::{contact_error, contact_rows, without_solution};
use crate::StepError;
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// The impact law at the present communication point on the contacts that are hit.
pub(crate) fn collide_clusters(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    sim.storage.rows.loads.fill(0.0);
    let ContactProblems { problems, hits, .. } = &mut sim.storage.contact_problems;
    let memory = &mut sim.storage.near_memory;
    let names = ContactNames { topology: sim.topology, subsystems: &sim.subsystems.all };
    for ClusterProblem { cluster, contacts, rows: own, near, problem, locked, pass_rigidly, .. } in problems {
        let (topology, model) = (sim.topology, sim.storage.linearisation.of(sim.topology));
        *pass_rigidly = false;
        hits.clear();
        let local = |hit: &Hit| Some(Hit { contact: contacts.binary_search(&hit.contact).ok()?, ..*hit });
        hits.extend(sim.storage.hits.iter().filter_map(local));
        if hits.is_empty() {
            problem.clear();
            continue;
        }
        let (rows, condensation) = (&mut sim.storage.rows, &mut sim.storage.condensation);
        near.iter_mut().for_each(|near| near.gather(rows, contacts, own));
        *pass_rigidly = condensation.has_impacts_of_their_own(*cluster);
        if *pass_rigidly {
            // What has parted meets first.
            let all = contact_rows(model, &topology.clusters[*cluster], rows, condensation, (*cluster, part));
            locked.see_start(model, (condensation, *cluster), rows, among(near, all).start_rates);
            condensation.solve_impacts(*cluster, &mut locked.unknowns[0]);
            let own = &topology.clusters[*cluster];
            pass_on(topology, (condensation, own), &locked.unknowns[0], &mut rows.loads);
        }
        let all = contact_rows(model, &topology.clusters[*cluster], rows, condensation, (*cluster, part));
        let seen = among(near, all);
        let start_rates = if *pass_rigidly { &locked.rates[0] } else { seen.start_rates };
        let seen = ContactRows { start_rates, ..seen };
        gather_memory(&sim.state.contact_memory, contacts, memory);
        problem
            .collide(&seen, hits, memory)
            .map_err(|source| contact_error(names, (contacts, own), &seen, source))?;
        if problem.unsolved().is_some() {
            without_solution(names, (contacts, own), &seen).map_or(Ok(()), Err)?;
        }
        let solution = problem.solution();
        scatter_memory(memory, contacts, &mut sim.state.contact_memory);
        let matrices = condensation.contacts(*cluster);
        matrices.add_loads(topology, &topology.clusters[*cluster], &solution.sustained, &mut rows.loads);
    }
    sim.storage.contact_problems.collect_own();
    Ok(())
}
