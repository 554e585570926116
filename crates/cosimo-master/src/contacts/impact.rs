//! The impact law at a communication point.

use cosimo_nonsmooth::Hit;

use super::near::{gather_memory, scatter_memory};
use super::near_rows::among;
use super::problems::{ClusterProblem, ContactProblems};
use super::rows::{contact_error, contact_rows};
use crate::StepError;
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// The impact law at the present communication point on the contacts that are hit.
pub(crate) fn collide_clusters(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    sim.storage.rows.loads.fill(0.0);
    let ContactProblems { problems, hits, .. } = &mut sim.storage.contact_problems;
    let memory = &mut sim.storage.near_memory;
    for ClusterProblem { cluster, contacts, rows: own, near, problem, .. } in problems {
        let matrices = sim.storage.condensation.contacts(*cluster);
        let (topology, model) = (sim.topology, sim.storage.linearisation.of(sim.topology));
        hits.clear();
        let local = |hit: &Hit| Some(Hit { contact: contacts.binary_search(&hit.contact).ok()?, ..*hit });
        hits.extend(sim.storage.hits.iter().filter_map(local));
        if hits.is_empty() {
            problem.clear();
            continue;
        }
        let seen = (&sim.storage.rows, &sim.storage.condensation);
        let all = contact_rows(model, &topology.clusters[*cluster], seen.0, seen.1, (*cluster, part));
        near.iter_mut().for_each(|near| near.gather(&sim.storage.rows, contacts, own));
        let rows = among(near, all);
        gather_memory(&sim.state.contact_memory, contacts, memory);
        let solution = problem
            .collide(&rows, hits, memory)
            .map_err(|source| contact_error(topology, (contacts, own), &rows, source))?;
        scatter_memory(memory, contacts, &mut sim.state.contact_memory);
        let cluster = &topology.clusters[*cluster];
        matrices.add_loads(topology, cluster, &solution.sustained, &mut sim.storage.rows.loads);
    }
    sim.storage.contact_problems.collect_own();
    Ok(())
}
