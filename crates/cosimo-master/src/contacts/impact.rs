//! The impact law at a communication point.

use super::problems::{ClusterProblem, ContactProblems};
use super::rows::{contact_error, contact_rows};
use crate::StepError;
use crate::simulation::Simulation;
use crate::step::part::StepPart;

/// The impact law at the present communication point on the contacts that are hit.
pub(crate) fn collide_clusters(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    sim.storage.rows.loads.fill(0.0);
    let ContactProblems { problems, hits, .. } = &mut sim.storage.contact_problems;
    for ClusterProblem { cluster, problem, .. } in problems {
        let matrices = sim.storage.condensation.contacts(*cluster);
        let (topology, model) = (sim.topology, sim.storage.linearisation.of(sim.topology));
        let cluster = &topology.clusters[*cluster];
        hits.clear();
        let first = sim.storage.hits.partition_point(|c| *c < cluster.contacts.start);
        let own = sim.storage.hits[first..].iter().take_while(|c| **c < cluster.contacts.end);
        hits.extend(own.map(|c| c - cluster.contacts.start));
        if hits.is_empty() {
            problem.clear();
            continue;
        }
        let rows = contact_rows(model, cluster, &sim.storage.rows, matrices, part);
        let solution = problem
            .collide(&rows, hits, &mut sim.state.contact_memory[cluster.contacts.clone()])
            .map_err(|source| contact_error((topology, cluster), &rows, source))?;
        matrices.add_loads(topology, cluster, &solution.sustained, &mut sim.storage.rows.loads);
    }
    sim.storage.contact_problems.collect_own();
    Ok(())
}
