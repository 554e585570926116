//! The contact impulses of a part of a step, with the condensed effective mass.

use cosimo_nonsmooth::{ContactMemory, ContactRows, ImpactResolution, closing_tolerance};

use super::Contacts;
use super::apply::apply_contact_impulses;
use super::names::ContactNames;
use super::near::{gather_memory, scatter_memory};
use super::problems::{Candidates, ClusterProblem, Pass};
use super::rows::{ContactStep, among, contact_error, expect_stiffness, impact_lead, without_solution};
use crate::StepError;
use crate::condensation::Condensation;
use crate::execution::cost::Account;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::time::part::StepPart;
use crate::topology::Topology;

impl Contacts {
    /// The contact impulses with the condensed effective mass, and their loads on all subsystems.
    ///
    /// # Errors
    /// The problem of a cluster has no solution.
    pub(crate) fn solve(
        &mut self,
        model: LinearisedModel<'_>,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        subsystems: &mut Subsystems,
        part: StepPart,
        pass: Pass,
    ) -> Result<(), StepError> {
        rows.clear_impact_unknowns();
        subsystems.clear_moments();
        let count = self.problems.problems.len();
        if count == 0 {
            return Ok(());
        }
        let before = subsystems.costs.enter(Account::CONTACTS);
        if count > 1 {
            self.remember();
        }
        for index in 0..count {
            let names = ContactNames { topology: model.topology, subsystems: &subsystems.all };
            let step = ContactStep { model, rows, names, part };
            match self.solve_cluster(index, step, condensation, pass) {
                Ok(true) => {
                    let own = &mut self.problems.problems[index];
                    apply_contact_impulses(own, model, condensation, rows, subsystems);
                }
                Ok(false) => {}
                Err(error) => {
                    // A failed step leaves the memory of all contacts as it was.
                    if count > 1 {
                        self.recall();
                    }
                    return Err(error);
                }
            }
        }
        self.problems.collect_own();
        subsystems.costs.enter(before);
        Ok(())
    }

    /// Solves the contact problem of one cluster; says whether there was anything to solve.
    fn solve_cluster(
        &mut self,
        index: usize,
        step: ContactStep<'_>,
        condensation: &mut Condensation,
        pass: Pass,
    ) -> Result<bool, StepError> {
        let own = &mut self.problems.problems[index];
        let number = own.cluster;
        let cluster = &step.model.topology.clusters[number];
        // Of an affine cluster one solve takes all impacts, whatever the others are, and so does the plain problem.
        let takes_all = step.model.affine_clusters[number] || cluster.impacts == ImpactResolution::Plain;
        let pass = Pass { resolution: if takes_all { cluster.impacts } else { pass.resolution }, ..pass };
        let (all, state) = (cluster.contacts.clone(), &mut self.state);
        let Some(near) = &mut own.near else {
            return own.solve(step, condensation, pass, &mut self.takes_part, &mut state.memory[all]);
        };
        near.gather(step.rows, &own.contacts, &own.rows);
        gather_memory(&state.memory, &own.contacts, &mut self.near_memory);
        let solved = own.solve(step, condensation, pass, &mut self.takes_part, &mut self.near_memory);
        all.filter(|c| self.is_far[*c]).for_each(|c| state.memory[c].stay_open());
        scatter_memory(&self.near_memory, &own.contacts, &mut state.memory);
        solved
    }

    /// Takes in the contacts that have no part in the problem of the part of a step of this size (s) just solved and penetrate at its end,
    /// as other contacts or a force that sets in within the step may make them; says whether there are any. Of a step that is split at
    /// impacts they are hit.
    pub(crate) fn take_in_penetrated(
        &mut self,
        model: LinearisedModel<'_>,
        rows: &StepRows,
        size: f64,
        resolution: ImpactResolution,
    ) -> bool {
        let (topology, mut is_any) = (model.topology, false);
        for ClusterProblem { cluster, contacts, is_solved, .. } in &mut self.problems.problems {
            let is_plain =
                [resolution, topology.clusters[*cluster].impacts].contains(&ImpactResolution::Plain);
            if model.affine_clusters[*cluster] || !is_plain {
                continue;
            }
            // A forecast says by itself which contacts take part.
            let is_open_to = |c: &&usize| topology.law(**c).activation.gamma.is_none();
            for &c in contacts.iter().filter(is_open_to) {
                let is_closed = has_penetrated(topology, rows, c, size);
                if is_closed && !self.takes_part[c] && !rows.is_absent(c) {
                    (self.takes_part[c], *is_solved, is_any) = (true, true, true);
                }
            }
        }
        is_any
    }

    /// Brings the contacts' matrices of all clusters up to date.
    pub(crate) fn refresh_matrices(&self, model: LinearisedModel<'_>, condensation: &mut Condensation) {
        self.problems.problems.iter().for_each(|own| condensation.refresh_contacts(model, own.cluster));
    }
}

/// Whether a contact has closed at the end of a step of this size (s), by more than rounding.
fn has_penetrated(topology: &Topology, rows: &StepRows, contact: usize, size: f64) -> bool {
    let row = topology.contacts[contact].global_row;
    let (end, displacement) = (rows.end_positions[row], size * rows.end_velocities[row]);
    end < -closing_tolerance(rows.lengths[contact], displacement)
}

impl ClusterProblem {
    /// Solves the problem with what its contacts remember; says whether there was anything to solve.
    fn solve(
        &mut self,
        step: ContactStep<'_>,
        condensation: &mut Condensation,
        pass: Pass,
        takes_part: &mut [bool],
        memory: &mut [ContactMemory],
    ) -> Result<bool, StepError> {
        if !self.choose_candidates(step, condensation, pass, takes_part, memory) {
            return Ok(false);
        }
        let ContactStep { model, rows: step_rows, names, part } = step;
        let Pass { resolution, candidates } = pass;
        let (is_iterated, number) = (self.is_iterated(model), self.cluster);
        let (cluster, is_affine) = (&model.topology.clusters[number], model.affine_clusters[number]);
        // Matrices only where they are needed: a nonlinear subsystem changes them every step.
        condensation.refresh_contacts(model, number);
        expect_stiffness(memory, condensation.contacts(number));
        // Ends of clusters that are not affine are evaluated with the loads, and have no place for impulses.
        let is_plain = resolution == ImpactResolution::Plain;
        let impact_lead = impact_lead(model, cluster, part.size).filter(|_| is_affine && !is_plain);
        let has_impacts_of_their_own = condensation.has_impacts_of_their_own(number);
        if is_plain && has_impacts_of_their_own {
            self.see_impacts(step, condensation, memory);
        }
        let ClusterProblem { contacts, rows: own, near, problem, pass_rigidly, locked, .. } = self;
        let is_inside = resolution == ImpactResolution::SubStep && is_affine && has_impacts_of_their_own;
        if is_inside {
            locked.part(model, (condensation, number), step_rows, cluster.contact_rows.len());
        }
        let partings = is_inside.then(|| locked.partings());
        let all = step.rows_of(number, condensation);
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
        let solved = if is_iterated && candidates == Candidates::Kept {
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

    /// Sees whether impacts pass the joints that give way, and what the contacts see of these then.
    fn see_impacts(
        &mut self,
        step: ContactStep<'_>,
        condensation: &mut Condensation,
        memory: &[ContactMemory],
    ) {
        let (number, locked) = (self.cluster, &mut self.locked);
        let seen = among(&self.near, step.rows_of(number, condensation));
        self.pass_rigidly = seen.is_any_hit(memory);
        if self.pass_rigidly {
            let rates = [seen.start_rates, seen.end_rates];
            locked.see(step.model, (condensation, number), step.rows, rates);
            condensation.solve_impacts(number, &mut locked.unknowns[1]);
        }
    }

    /// Decides which contacts may carry impulses in a pass, where that is not kept; says whether there is anything to solve.
    fn choose_candidates(
        &mut self,
        step: ContactStep<'_>,
        condensation: &Condensation,
        Pass { resolution, candidates }: Pass,
        takes_part: &mut [bool],
        memory: &mut [ContactMemory],
    ) -> bool {
        let is_iterated = self.is_iterated(step.model);
        (self.are_momenta, self.pass_rigidly) = (resolution == ImpactResolution::Plain, false);
        let seen = among(&self.near, step.rows_of(self.cluster, condensation));
        if !is_iterated || candidates == Candidates::Collected {
            self.is_solved = resolution.is_needed(&seen, memory);
        }
        if is_iterated && candidates == Candidates::Collected {
            takes_part[step.model.topology.clusters[self.cluster].contacts.clone()].fill(false);
            let candidates = resolution.candidates(&seen, memory);
            let all = self.contacts.iter().enumerate().filter(|_| self.is_solved);
            all.for_each(|(place, c)| takes_part[*c] = candidates.has(place));
        }
        if !self.is_solved {
            self.problem.skip([seen.start_rates, seen.end_rates], memory);
        }
        self.is_solved
    }

    /// Whether it is solved in several passes.
    fn is_iterated(&self, model: LinearisedModel<'_>) -> bool {
        self.has_load_sources || !model.affine_clusters[self.cluster]
    }
}
