//! The contact problems of a step, one a cluster, and their solutions together.

use cosimo_nonsmooth::{ContactMemory, ContactSolution, Hit, ImpactResolution, OneStepProblem, Unsolved};

use super::locked::LockedJoints;
use super::near_rows::{NearRows, is_selective};
use super::unsolved::RESIDUAL_BOUND;
use crate::topology::{Cluster, Topology};
use crate::{MasterConfig, OnUnsolved};

/// The one-step problems of all clusters with contacts, and their solutions together.
#[derive(Debug)]
pub(crate) struct ContactProblems {
    pub(crate) problems: Vec<ClusterProblem>,
    /// The solutions of all problems by the master's contacts; with a single problem that is its own.
    together: ContactSolution,
    /// Whether the solution stands in `together`.
    is_collected: bool,
    /// Contacts of a cluster that are hit at the impact at hand, numbered within the cluster.
    pub(crate) hits: Vec<Hit>,
}

/// Where the candidates of a pass come from. They do not change within an iteration, but for what joins them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Candidates {
    /// They are collected from the end gaps, as in the first pass.
    Collected,
    /// They are those of the first pass, and what has joined them since.
    Kept,
}

/// A pass through the contact problems of a part of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pass {
    /// How impacts are resolved in clusters that are not affine.
    pub(crate) resolution: ImpactResolution,
    pub(crate) candidates: Candidates,
}

/// The one-step problem of a cluster.
#[derive(Debug)]
pub(crate) struct ClusterProblem {
    pub(crate) cluster: usize,
    /// Its contacts, ascending: all of the cluster, or those that are near.
    pub(crate) contacts: Vec<usize>,
    /// Their rows among the contact rows.
    pub(crate) rows: Vec<usize>,
    /// What the near contacts see of a step, where far ones may be left out.
    pub(crate) near: Option<Box<NearRows>>,
    pub(crate) problem: OneStepProblem,
    /// Whether its loads over the step are momenta, impacts and all: those of the plain problem.
    pub(crate) are_momenta: bool,
    /// Whether they pass Tikhonov joints rigidly: there is an impact among them.
    pub(crate) pass_rigidly: bool,
    /// What they see then.
    pub(crate) locked: LockedJoints,
    /// Whether loads are found in passes though all else is affine.
    pub(crate) has_load_sources: bool,
    /// Whether there has been anything to solve in the passes of this part of a step.
    pub(crate) is_solved: bool,
}

impl ClusterProblem {
    /// Keeps those of the contacts of the cluster that are near, whose memory goes on elsewhere.
    pub(crate) fn select(&mut self, topology: &Topology, is_near: impl Fn(usize) -> bool) {
        let all = topology.clusters[self.cluster].contacts.clone();
        self.contacts.clear();
        self.contacts.extend(all.filter(|contact| is_near(*contact)));
        let of = |contact: &usize| &topology.contacts[*contact];
        self.rows.clear();
        self.rows.extend(self.contacts.iter().map(|contact| of(contact).gap));
        self.rows.extend(self.contacts.iter().flat_map(|contact| of(contact).slips.clone()));
        let resolution = self.problem.resolution();
        self.problem = OneStepProblem::with_rows(self.contacts.len(), self.rows.len(), resolution)
            .with_tolerance(tolerance(topology, self.cluster))
            .with_bound(bound(&topology.config));
        self.near = Some(Box::new(NearRows::new(topology, &self.contacts, self.rows.len())));
    }

    /// What its last problem was left with that no method solved, by the master's number of the contact.
    pub(crate) fn unsolved(&self) -> Option<Unsolved> {
        self.problem.unsolved().map(|left| Unsolved { contact: self.contacts[left.contact], ..left })
    }

    /// Its contacts, their rows, and the solution.
    fn part(&self) -> (&[usize], &[usize], &ContactSolution) {
        (&self.contacts, &self.rows, self.problem.solution())
    }
}

impl ContactProblems {
    pub(crate) fn new(topology: &Topology) -> Self {
        let with_contacts = topology.clusters.iter().enumerate().filter(|(_, c)| !c.contacts.is_empty());
        let problem = |(cluster, c): (usize, &Cluster)| ClusterProblem {
            cluster,
            contacts: c.contacts.clone().collect(),
            rows: c.contact_rows.clone().collect(),
            near: is_selective(topology, c).then(|| near_rows(topology, c)),
            problem: OneStepProblem::with_rows(c.contacts.len(), c.contact_rows.len(), c.impacts)
                .with_tolerance(tolerance(topology, cluster))
                .with_bound(bound(&topology.config)),
            are_momenta: c.impacts == ImpactResolution::Plain,
            pass_rigidly: false,
            locked: LockedJoints::default(),
            has_load_sources: c.members.iter().any(|&i| topology.subsystems[i].is_load_source),
            is_solved: false,
        };
        let problems: Vec<_> = with_contacts.map(problem).collect();
        Self {
            is_collected: !is_whole(&problems),
            problems,
            together: ContactSolution::with_rows(topology.contacts.len(), topology.contact_rows.len()),
            hits: Vec::with_capacity(topology.contacts.len()),
        }
    }

    /// The solution of the last step by the master's contacts.
    pub(crate) fn solution(&self) -> &ContactSolution {
        if self.is_collected { &self.together } else { self.problems[0].problem.solution() }
    }

    /// Place of a contact in the problem of its cluster.
    pub(crate) fn place(&self, cluster: usize, contact: usize) -> Option<usize> {
        let own = self.problems.iter().find(|problem| problem.cluster == cluster)?;
        own.contacts.binary_search(&contact).ok()
    }

    /// Takes over the solutions of other problems, each with the indices of its contacts and rows among the master's.
    pub(crate) fn collect<'a>(
        &mut self,
        parts: impl Iterator<Item = (&'a [usize], &'a [usize], &'a ContactSolution)>,
    ) {
        self.is_collected = true;
        self.together.collect(parts);
    }

    /// A step without any contact load, at the start and the end of which the contact rows have these rates (m/s).
    pub(crate) fn skip(&mut self, rates: [&[f64]; 2], memory: &mut [ContactMemory]) {
        for problem in &mut self.problems {
            let (Some(first), count) = (problem.contacts.first(), problem.contacts.len()) else { continue };
            let own = rates.map(|rates| &rates[problem.rows[0]..]);
            problem.problem.skip(own, &mut memory[*first..*first + count]);
        }
        self.collect_own();
    }

    /// Puts the solutions of the clusters together.
    pub(crate) fn collect_own(&mut self) {
        self.is_collected = !is_whole(&self.problems);
        if self.is_collected {
            let parts = self.problems.iter().map(ClusterProblem::part);
            self.together.collect(parts);
        }
    }
}

/// Residual (–) up to which contact problems are taken that no method solves.
fn bound(config: &MasterConfig) -> f64 {
    match config.on_unsolved {
        OnUnsolved::Warn => RESIDUAL_BOUND,
        OnUnsolved::Stop => 0.0,
    }
}

/// Residual of the contacts of a cluster: friction that is another at rest has to see what rests.
fn tolerance(topology: &Topology, cluster: usize) -> f64 {
    let mut laws = topology.clusters[cluster].contacts.clone().map(|contact| topology.law(contact));
    if laws.any(|law| law.static_friction.is_some()) { 0.0 } else { topology.config.tolerance }
}

/// Whether there is one problem of all contacts.
fn is_whole(problems: &[ClusterProblem]) -> bool {
    problems.len() == 1 && problems[0].near.is_none()
}

/// The rows of near contacts of a cluster, all of them at first.
fn near_rows(topology: &Topology, cluster: &Cluster) -> Box<NearRows> {
    let contacts: Vec<usize> = cluster.contacts.clone().collect();
    Box::new(NearRows::new(topology, &contacts, cluster.contact_rows.len()))
}
