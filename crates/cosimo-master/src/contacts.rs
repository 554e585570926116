//! The contact problems of a step, one a cluster.

use cosimo_nonsmooth::{
    ContactLaws, ContactMemory, ContactRows, ContactSolution, EnergyGain, ImpactResolution, OneStepError,
    OneStepProblem,
};
use cosimo_subsystem::StepLoads;

use crate::condensation::ContactMatrices;
use crate::layout::{Cluster, Contact, Layout};
use crate::step_rows::StepRows;
use crate::{Master, StepError};

/// The one-step problems of all clusters with contacts, and their solutions together.
#[derive(Debug)]
pub(crate) struct ContactProblems {
    resolution: ImpactResolution,
    problems: Vec<ClusterProblem>,
    /// The solutions of all problems by the master's contacts; with a single problem that is its own.
    together: ContactSolution,
    /// Whether the solution stands in `together`.
    is_collected: bool,
    /// Contacts of a cluster that are hit at the impact at hand, numbered within the cluster.
    hits: Vec<usize>,
}

/// The one-step problem of a cluster.
#[derive(Debug)]
struct ClusterProblem {
    cluster: usize,
    contacts: Vec<usize>,
    /// Their rows among the contact rows.
    rows: Vec<usize>,
    problem: OneStepProblem,
}

impl ClusterProblem {
    /// Its contacts, their rows, and the solution.
    fn part(&self) -> (&[usize], &[usize], &ContactSolution) {
        (&self.contacts, &self.rows, self.problem.solution())
    }
}

impl ContactProblems {
    pub(crate) fn new(layout: &Layout, resolution: ImpactResolution) -> Self {
        let with_contacts = layout.clusters.iter().enumerate().filter(|(_, c)| !c.contacts.is_empty());
        let problem = |(cluster, c): (usize, &Cluster)| ClusterProblem {
            cluster,
            contacts: c.contacts.clone().collect(),
            rows: c.contact_rows.clone().collect(),
            problem: OneStepProblem::with_rows(c.contacts.len(), c.contact_rows.len(), resolution),
        };
        let problems: Vec<_> = with_contacts.map(problem).collect();
        Self {
            resolution,
            is_collected: problems.len() != 1,
            problems,
            together: ContactSolution::with_rows(layout.contacts.len(), layout.contact_rows.len()),
            hits: Vec::with_capacity(layout.contacts.len()),
        }
    }

    /// How impacts are resolved.
    pub(crate) fn resolution(&self) -> ImpactResolution {
        self.resolution
    }

    /// The solution of the last step by the master's contacts.
    pub(crate) fn solution(&self) -> &ContactSolution {
        if self.is_collected { &self.together } else { self.problems[0].problem.solution() }
    }

    /// Takes over the solutions of other problems, each with the indices of its contacts and rows among the master's.
    pub(crate) fn collect<'a>(
        &mut self,
        parts: impl Iterator<Item = (&'a [usize], &'a [usize], &'a ContactSolution)>,
    ) {
        self.is_collected = true;
        self.together.collect(parts);
    }

    /// A step without any contact load.
    pub(crate) fn skip(&mut self, memory: &mut [ContactMemory]) {
        for problem in &mut self.problems {
            let (Some(first), count) = (problem.contacts.first(), problem.contacts.len()) else { continue };
            problem.problem.skip(&mut memory[*first..*first + count]);
        }
        self.collect_own();
    }

    /// Puts the solutions of the clusters together.
    fn collect_own(&mut self) {
        self.is_collected = self.problems.len() != 1;
        if self.is_collected {
            let parts = self.problems.iter().map(ClusterProblem::part);
            self.together.collect(parts);
        }
    }
}

/// The contact rows of one cluster in a step of some size (s), which is a part of a macro step.
pub(crate) fn contact_rows<'a>(
    layout: &'a Layout,
    cluster: &'a Cluster,
    (rows, matrices): (&'a StepRows, &'a ContactMatrices),
    (time, [step, macro_step]): (f64, [f64; 2]),
) -> ContactRows<'a> {
    let (contacts, contact_rows) = (cluster.contacts.clone(), cluster.contact_rows.clone());
    ContactRows {
        time,
        step,
        macro_step,
        damping_weight: damping_weight(layout, cluster),
        start_gaps: &rows.start_gaps[contacts.clone()],
        start_rates: &rows.start_rates[contact_rows.clone()],
        end_gaps: &rows.end_gaps[contacts],
        end_rates: &rows.end_rates[contact_rows],
        laws: &cluster.laws,
        delassus: matrices.delassus(),
        damped: matrices.damped(),
    }
}

/// Tells contacts how stiff the compliant joints behind them are.
pub(crate) fn expect_stiffness(memory: &mut [ContactMemory], matrices: &ContactMatrices) {
    for (memory, stiffness) in memory.iter_mut().zip(matrices.stiffness()) {
        memory.foresee(*stiffness);
    }
}

/// Weight of the damping in the rule of the subsystems with contacts (s).
fn damping_weight(layout: &Layout, cluster: &Cluster) -> f64 {
    layout.contacts[cluster.contacts.clone()]
        .first()
        .map_or(0.0, |c| layout.members[c.subsystem].weights.damping)
}

impl Master {
    /// Removes the impulses inside the step from the loads of all subsystems.
    pub(crate) fn clear_moments(&mut self) {
        if std::mem::take(&mut self.has_moments) {
            self.seats.iter_mut().for_each(|seat| seat.loads.clear_moments());
        }
    }

    /// The contact impulses with the condensed effective mass, and their loads on all subsystems.
    pub(crate) fn solve_contacts(&mut self, h: f64, resolution: ImpactResolution) -> Result<(), StepError> {
        self.clear_moments();
        let count = self.contact_problems.problems.len();
        if count == 0 {
            return Ok(());
        }
        if count > 1 {
            self.counters.remember(&self.memory);
        }
        for index in 0..count {
            match self.solve_cluster(index, h, resolution) {
                Ok(true) => self.apply_contact_impulses(index),
                Ok(false) => {}
                Err(error) => {
                    // A failed step leaves the memory of all contacts as it was.
                    if count > 1 {
                        self.memory.copy_from_slice(self.counters.remembered());
                    }
                    return Err(error);
                }
            }
        }
        self.contact_problems.collect_own();
        Ok(())
    }

    /// Solves the contact problem of one cluster; says whether there was anything to solve.
    fn solve_cluster(
        &mut self,
        index: usize,
        h: f64,
        resolution: ImpactResolution,
    ) -> Result<bool, StepError> {
        let time = self.clock.now;
        let ClusterProblem { cluster, problem, .. } = &mut self.contact_problems.problems[index];
        let (layout, number) = (&self.layout, *cluster);
        let cluster = &layout.clusters[number];
        let memory = &mut self.memory[cluster.contacts.clone()];
        let rows = contact_rows(
            layout,
            cluster,
            (&self.rows, self.condensation.contacts(number)),
            (time, [h, self.macro_size]),
        );
        let is_needed = resolution.is_needed(&rows, memory);
        if !is_needed {
            problem.skip(memory);
            return Ok(false);
        }
        // Matrices only where they are needed: a nonlinear subsystem changes them every step.
        self.condensation.refresh_contacts(layout, number);
        expect_stiffness(memory, self.condensation.contacts(number));
        let rows = contact_rows(
            layout,
            cluster,
            (&self.rows, self.condensation.contacts(number)),
            (time, [h, self.macro_size]),
        );
        match problem.solve_as(resolution, &rows, memory) {
            Ok(_) => Ok(true),
            Err(source) => Err(contact_error(layout, cluster, time, source)),
        }
    }

    /// Adds what the contact impulses of a cluster do to its joints' unknowns and the loads of its subsystems.
    fn apply_contact_impulses(&mut self, index: usize) {
        let ClusterProblem { cluster, problem, .. } = &self.contact_problems.problems[index];
        let matrices = self.condensation.contacts(*cluster);
        let cluster = &self.layout.clusters[*cluster];
        let (solution, rows) = (problem.solution(), &mut self.rows);
        matrices.add_loads(&self.layout, cluster, &solution.sustained, &mut rows.loads);
        matrices.add_unknowns(&solution.sustained, &mut rows.unknowns[cluster.unknowns.clone()]);
        if !solution.has_moments {
            return;
        }
        self.has_moments = true;
        let damping_weight = damping_weight(&self.layout, cluster);
        for &i in &cluster.members {
            let member = &self.layout.members[i];
            // The moments are written with the damping weight of the contacts' rule; every rule has its own.
            let shift = member.weights.damping - damping_weight;
            let at = (member.cluster_row, shift);
            if self.subsystems[i].description().capabilities.takes_impulses {
                add_moments(matrices, solution, at, &mut self.seats[i].loads);
            } else {
                for (k, load) in rows.loads[member.rows.clone()].iter_mut().enumerate() {
                    let direct = matrices.loads().row(member.cluster_row + k);
                    *load += direct.iter().zip(&solution.moments.velocity).map(|(w, p)| w * p).sum::<f64>();
                }
            }
        }
    }

    /// The impact law at the present communication point on the contacts that are hit.
    pub(crate) fn collide_clusters(&mut self, h: f64) -> Result<(), StepError> {
        let time = self.clock.now;
        self.rows.loads.fill(0.0);
        let ContactProblems { problems, hits, .. } = &mut self.contact_problems;
        for ClusterProblem { cluster, problem, .. } in problems {
            let (layout, matrices) = (&self.layout, self.condensation.contacts(*cluster));
            let cluster = &layout.clusters[*cluster];
            hits.clear();
            let first = self.hits.partition_point(|c| *c < cluster.contacts.start);
            let own = self.hits[first..].iter().take_while(|c| **c < cluster.contacts.end);
            hits.extend(own.map(|c| c - cluster.contacts.start));
            if hits.is_empty() {
                problem.clear();
                continue;
            }
            let rows = contact_rows(layout, cluster, (&self.rows, matrices), (time, [h, self.macro_size]));
            let solution = problem
                .collide(&rows, hits, &mut self.memory[cluster.contacts.clone()])
                .map_err(|source| contact_error(layout, cluster, time, source))?;
            matrices.add_loads(layout, cluster, &solution.sustained, &mut self.rows.loads);
        }
        self.contact_problems.collect_own();
        Ok(())
    }

    /// Adds the impulses of the joints at the impacts inside the step just taken.
    pub(crate) fn add_inner_joint_impulses(&mut self) {
        let problems = &self.contact_problems.problems;
        for ClusterProblem { cluster, problem, .. } in
            problems.iter().filter(|p| p.problem.solution().has_moments)
        {
            let (matrices, inside) =
                (self.condensation.contacts(*cluster), &problem.solution().moments.velocity);
            let cluster = &self.layout.clusters[*cluster];
            for &j in &cluster.joints {
                let share = self.condensation.rows[j].share[0];
                for unknown in self.layout.joints[j].unknowns() {
                    let sum = matrices.unknown(unknown - cluster.unknowns.start, inside);
                    self.rows.joint_impulses[unknown] += share * sum;
                }
            }
        }
    }

    /// Adds the impulses of the joints at the jump just made.
    pub(crate) fn add_jump_impulses(&mut self) {
        for ClusterProblem { cluster, problem, .. } in &self.contact_problems.problems {
            let matrices = self.condensation.contacts(*cluster);
            let unknowns = self.layout.clusters[*cluster].unknowns.clone();
            matrices.add_unknowns(&problem.solution().sustained, &mut self.rows.joint_impulses[unknowns]);
        }
    }

    /// Adds the loads that open penetrated contacts: `0 ≤ P ⟂ W_c P + y ≥ 0` on the gaps after the joints' move.
    pub(crate) fn push_contacts_apart(&mut self) -> Result<(), OneStepError> {
        for (number, cluster) in self.layout.clusters.iter().enumerate() {
            let contacts = &self.layout.contacts[cluster.contacts.clone()];
            let loads = &self.rows.loads;
            let moved = |c: &Contact| {
                let member = &self.layout.members[c.subsystem];
                member.answer(c.global_row - member.rows.start, loads)
            };
            let starts = &self.rows.start_gaps[cluster.contacts.clone()];
            let gaps: Vec<f64> = contacts.iter().zip(starts).map(|(c, gap)| gap + moved(c)).collect();
            if gaps.iter().all(|gap| *gap >= 0.0) {
                continue;
            }
            let matrices = self.condensation.contacts(number);
            let zero = vec![0.0; gaps.len()];
            let laws = ContactLaws::from(zero.clone());
            let rows = ContactRows {
                damping_weight: 0.0,
                start_gaps: &gaps,
                start_rates: &zero,
                end_gaps: &gaps,
                end_rates: &gaps,
                laws: &laws,
                ..contact_rows(&self.layout, cluster, (&self.rows, matrices), (self.clock.now, [1.0; 2]))
            };
            let mut problem = OneStepProblem::new(gaps.len(), ImpactResolution::Plain);
            let solution = problem.solve(&rows, &mut vec![ContactMemory::OPEN; gaps.len()])?;
            matrices.add_loads(&self.layout, cluster, &solution.sustained, &mut self.rows.loads);
        }
        Ok(())
    }

    /// Counts the energy that impacts have created in the last solution, and warns of the first at every contact.
    pub(crate) fn report_gains(&mut self) {
        for k in 0..self.contact_problems.solution().gains.len() {
            let EnergyGain { contact, time, energy } = self.contact_problems.solution().gains[k];
            let total = &mut self.counters.impact_gains[contact];
            if std::mem::replace(total, *total + energy) == 0.0 {
                let name = &self.layout.contacts[contact].name;
                self.warn(format!(
                    "contact `{name}`: the impact law created {energy:.3e} J at {time} s, as Newton's can with \
                     friction; use impact_law = \"moreau\""
                ));
            }
        }
    }

    /// Brings the contacts' matrices of all clusters up to date.
    pub(crate) fn refresh_all_contacts(&mut self) {
        for problem in &self.contact_problems.problems {
            self.condensation.refresh_contacts(&self.layout, problem.cluster);
        }
    }
}

/// Adds the moments of the impulses inside a step to the loads of a subsystem that begins at row `first` of its
/// cluster, and whose damping weight is larger by `shift` (s) than that of the contacts.
fn add_moments(
    matrices: &ContactMatrices,
    solution: &ContactSolution,
    (first, shift): (usize, f64),
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

fn contact_error(layout: &Layout, cluster: &Cluster, time: f64, source: OneStepError) -> StepError {
    let local = match source {
        OneStepError::NotFinite { contact } | OneStepError::FrictionNotSolved { contact, .. } => contact,
        _ => 0,
    };
    let contact = layout.contacts[cluster.contacts.start + local].name.clone();
    StepError::Contacts { time, contact, source }
}
