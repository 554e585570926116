//! The impact law at a communication point.

use cosimo_nonsmooth::{ContactRows, Hit};

use super::Contacts;
use super::meeting::pass_on;
use super::names::ContactNames;
use super::near::{gather_memory, scatter_memory};
use super::problems::{ClusterProblem, ContactProblems};
use super::rows::{ContactStep, among, contact_error, without_solution};
use crate::StepError;
use crate::condensation::Condensation;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::time::part::StepPart;

impl Contacts {
    /// The impact law at the present communication point on the contacts that are hit.
    ///
    /// # Errors
    /// The impacts of a cluster have no solution.
    pub(crate) fn collide(
        &mut self,
        model: LinearisedModel<'_>,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        names: ContactNames<'_>,
        part: StepPart,
    ) -> Result<(), StepError> {
        let topology = model.topology;
        rows.loads.fill(0.0);
        let ContactProblems { problems, hits, .. } = &mut self.problems;
        let memory = &mut self.near_memory;
        for ClusterProblem { cluster, contacts, rows: own, near, problem, locked, pass_rigidly, .. } in
            problems
        {
            *pass_rigidly = false;
            hits.clear();
            let local = |hit: &Hit| Some(Hit { contact: contacts.binary_search(&hit.contact).ok()?, ..*hit });
            hits.extend(self.hits.iter().filter_map(local));
            if hits.is_empty() {
                problem.clear();
                continue;
            }
            near.iter_mut().for_each(|near| near.gather(rows, contacts, own));
            *pass_rigidly = condensation.has_impacts_of_their_own(*cluster);
            if *pass_rigidly {
                // What has parted meets first.
                let step = ContactStep { model, rows, names, part };
                let all = step.rows_of(*cluster, condensation);
                locked.see_start(model, (condensation, *cluster), rows, among(near, all).start_rates);
                condensation.solve_impacts(*cluster, &mut locked.unknowns[0]);
                let joined = (&*condensation, &topology.clusters[*cluster]);
                pass_on(topology, joined, &locked.unknowns[0], &mut rows.loads);
            }
            let step = ContactStep { model, rows, names, part };
            let seen = among(near, step.rows_of(*cluster, condensation));
            let start_rates = if *pass_rigidly { &locked.rates[0] } else { seen.start_rates };
            let seen = ContactRows { start_rates, ..seen };
            gather_memory(&self.state.memory, contacts, memory);
            problem
                .collide(&seen, hits, memory)
                .map_err(|source| contact_error(names, (contacts, own), &seen, source))?;
            if problem.unsolved().is_some() {
                without_solution(names, (contacts, own), &seen).map_or(Ok(()), Err)?;
            }
            let solution = problem.solution();
            scatter_memory(memory, contacts, &mut self.state.memory);
            let matrices = condensation.contacts(*cluster);
            matrices.add_loads(topology, &topology.clusters[*cluster], &solution.sustained, &mut rows.loads);
        }
        self.problems.collect_own();
        Ok(())
    }
}
