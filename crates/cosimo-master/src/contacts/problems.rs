//! The contact problems of a step, one a cluster, and their solutions together.

use cosimo_nonsmooth::{ContactMemory, ContactSolution, ImpactResolution, OneStepProblem};

use crate::topology::{Cluster, Topology};

/// The one-step problems of all clusters with contacts, and their solutions together.
#[derive(Debug)]
pub(crate) struct ContactProblems {
    resolution: ImpactResolution,
    pub(crate) problems: Vec<ClusterProblem>,
    /// The solutions of all problems by the master's contacts; with a single problem that is its own.
    together: ContactSolution,
    /// Whether the solution stands in `together`.
    is_collected: bool,
    /// Contacts of a cluster that are hit at the impact at hand, numbered within the cluster.
    pub(crate) hits: Vec<usize>,
}

/// Where the candidates of a pass come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// They are collected from the end gaps.
    First,
    /// They are those of the first pass, where they are kept.
    Later,
}

/// The one-step problem of a cluster.
#[derive(Debug)]
pub(crate) struct ClusterProblem {
    pub(crate) cluster: usize,
    contacts: Vec<usize>,
    /// Their rows among the contact rows.
    rows: Vec<usize>,
    pub(crate) problem: OneStepProblem,
    /// Whether the candidates of the first pass of a step are kept in those that follow: where loads are found in passes.
    pub(crate) keeps_candidates: bool,
    /// The candidates of the first pass; empty where it had nothing to solve.
    pub(crate) candidates: Vec<bool>,
}

impl ClusterProblem {
    /// Notes the candidates of the first pass.
    pub(crate) fn note_candidates(&mut self, is_candidate: impl Fn(usize) -> bool) {
        let contacts = 0..self.contacts.len();
        self.candidates.clear();
        self.candidates.extend(contacts.map(is_candidate));
    }

    /// Its contacts, their rows, and the solution.
    fn part(&self) -> (&[usize], &[usize], &ContactSolution) {
        (&self.contacts, &self.rows, self.problem.solution())
    }
}

impl ContactProblems {
    pub(crate) fn new(topology: &Topology, resolution: ImpactResolution) -> Self {
        let with_contacts = topology.clusters.iter().enumerate().filter(|(_, c)| !c.contacts.is_empty());
        let problem = |(cluster, c): (usize, &Cluster)| ClusterProblem {
            cluster,
            contacts: c.contacts.clone().collect(),
            rows: c.contact_rows.clone().collect(),
            problem: OneStepProblem::with_rows(c.contacts.len(), c.contact_rows.len(), resolution),
            keeps_candidates: c.members.iter().any(|&i| topology.subsystems[i].is_load_source),
            candidates: Vec::with_capacity(c.contacts.len()),
        };
        let problems: Vec<_> = with_contacts.map(problem).collect();
        Self {
            resolution,
            is_collected: problems.len() != 1,
            problems,
            together: ContactSolution::with_rows(topology.contacts.len(), topology.contact_rows.len()),
            hits: Vec::with_capacity(topology.contacts.len()),
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
    pub(crate) fn collect_own(&mut self) {
        self.is_collected = self.problems.len() != 1;
        if self.is_collected {
            let parts = self.problems.iter().map(ClusterProblem::part);
            self.together.collect(parts);
        }
    }
}
