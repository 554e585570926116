//! Counters of a run.

use cosimo_nonsmooth::{ContactChangeKind, ContactSolution};
use cosimo_subsystem::Statistics;
use serde::{Deserialize, Serialize};

use super::interfaces::InterfaceStatistics;
use super::seconds::CostSeconds;
use super::sizes::StepSizes;
use super::summary::StepSummary;
use crate::topology::Topology;

/// What a run has cost so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) steps: u64,
    pub(crate) interface_solves: u64,
    pub(crate) iterations: u64,
    pub(crate) most_iterations: u64,
    pub(crate) failed_steps: u64,
    pub(crate) solved_at_once: u64,
    /// Macro steps taken with a residual of contacts above the tolerance, and the largest of these (–).
    pub(crate) unsolved_steps: u64,
    pub(crate) largest_contact_residual: f64,
    pub(crate) sizes: StepSizes,
    pub(crate) impacts: u64,
    pub(crate) contact_steps: u64,
    /// Energy that impacts created, by the contact that put in most (J).
    pub(crate) impact_gains: Vec<f64>,
    pub(crate) interfaces: InterfaceStatistics,
    /// Ratio of successive corrections at the end of the last step of more than two iterations.
    pub(crate) contraction: Option<f64>,
    /// Work of each subsystem before the state was restored.
    earlier: Vec<Statistics>,
    /// What each subsystem had counted when the state was restored; it counts from there.
    #[serde(skip)]
    restored_at: Vec<Statistics>,
    /// Processor time of runs before the present one, and of that before the state was restored.
    pub(crate) seconds: CostSeconds,
}

impl Counters {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            steps: 0,
            interface_solves: 0,
            iterations: 0,
            most_iterations: 0,
            failed_steps: 0,
            solved_at_once: 0,
            unsolved_steps: 0,
            largest_contact_residual: 0.0,
            sizes: StepSizes::default(),
            impacts: 0,
            contact_steps: 0,
            impact_gains: vec![0.0; topology.contacts.len()],
            interfaces: InterfaceStatistics::new(topology),
            contraction: None,
            earlier: vec![Statistics::default(); topology.subsystems.len()],
            restored_at: vec![Statistics::default(); topology.subsystems.len()],
            seconds: CostSeconds::zeros(topology.subsystems.len()),
        }
    }

    /// Called at the beginning of every macro step.
    pub(crate) fn begin_step(&mut self) {
        self.interfaces.begin_step();
    }

    /// Counts a macro step whose contacts were left with this relative residual (–), if they were.
    pub(crate) fn end_step(&mut self, summary: StepSummary, residual: f64) {
        let iterations = u64::from(summary.iterations);
        self.steps += 1;
        self.interface_solves += u64::from(summary.solves);
        self.iterations += iterations;
        self.most_iterations = self.most_iterations.max(iterations);
        self.interfaces.end_step();
        self.unsolved_steps += u64::from(residual > 0.0);
        self.largest_contact_residual = self.largest_contact_residual.max(residual);
    }

    pub(crate) fn count_contacts(&mut self, solution: &ContactSolution) {
        if solution.problems == 0 {
            return;
        }
        let impacts = solution.changes.iter().filter(|change| change.kind == ContactChangeKind::Impact);
        self.impacts += impacts.count() as u64;
        self.contact_steps += u64::from(solution.impulses.iter().any(|p| *p > 0.0));
    }

    /// Notes the contraction of a step; two corrections say little of how it goes on.
    pub(crate) fn note_contraction(&mut self, iterations: u32, contraction: f64) {
        if iterations > 2 && contraction.is_finite() {
            self.contraction = Some(contraction);
        }
    }

    /// Forgets how long steps took, and the work of the subsystems.
    pub(crate) fn forget_costs(&mut self) {
        self.seconds = CostSeconds::zeros(self.earlier.len());
        self.earlier.fill(Statistics::default());
    }

    /// Work of a subsystem since the beginning of the run, which may have been in another process; `counted` is what
    /// the subsystem itself knows of.
    pub(crate) fn work(&self, subsystem: usize, counted: Statistics) -> Statistics {
        self.earlier[subsystem].plus(counted.since(self.restored_at[subsystem]))
    }

    /// A copy to be saved, with the work of all subsystems so far, and these costs.
    pub(crate) fn saved(&self, counted: impl Iterator<Item = Statistics>, seconds: CostSeconds) -> Self {
        let earlier = counted.enumerate().map(|(i, counted)| self.work(i, counted)).collect();
        Self { earlier, seconds, ..self.clone() }
    }

    /// Goes back to saved counts; the subsystems have counted `counted` by now.
    pub(crate) fn restore(&mut self, saved: &Self, counted: impl Iterator<Item = Statistics>) {
        let interfaces = self.interfaces.clone().restored(&saved.interfaces);
        *self = Self { interfaces, restored_at: counted.collect(), ..saved.clone() };
    }

    /// Whether these counts belong to this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        let members = topology.subsystems.len();
        self.interfaces.fits(topology)
            && self.earlier.len() == members
            && self.seconds.subsystems.len() == members
    }
}
