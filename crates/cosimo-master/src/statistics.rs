//! Counters of a run.

use std::time::{Duration, Instant};

use cosimo_nonsmooth::{ContactChangeKind, ContactMemory, ContactSolution};
use cosimo_subsystem::Statistics;
use serde::{Deserialize, Serialize};

use crate::interface_statistics::InterfaceStatistics;
use crate::layout::Layout;

/// Time is measured in every so many steps only: reading the clock costs more than a small subsystem's step.
const SAMPLING: u64 = 128;

/// What a run has cost so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) steps: u64,
    pub(crate) interface_solves: u64,
    pub(crate) iterations: u64,
    pub(crate) most_iterations: u64,
    pub(crate) failed_steps: u64,
    pub(crate) impacts: u64,
    pub(crate) contact_steps: u64,
    pub(crate) interfaces: InterfaceStatistics,
    /// Ratio of successive corrections at the end of the last step of more than two iterations.
    pub(crate) contraction: Option<f64>,
    #[serde(skip)]
    memory: Vec<ContactMemory>,
    /// Work of each subsystem before the state was restored.
    earlier: Vec<Statistics>,
    /// What each subsystem had counted when the state was restored; it counts from there.
    #[serde(skip)]
    restored_at: Vec<Statistics>,
    time: Vec<Duration>,
    total: Duration,
    /// Steps that were timed.
    timed: u64,
    #[serde(skip)]
    started: Option<Instant>,
}

impl Counters {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            steps: 0,
            interface_solves: 0,
            iterations: 0,
            most_iterations: 0,
            failed_steps: 0,
            impacts: 0,
            contact_steps: 0,
            interfaces: InterfaceStatistics::new(layout),
            contraction: None,
            memory: vec![ContactMemory::OPEN; layout.contacts.len()],
            earlier: vec![Statistics::default(); layout.members.len()],
            restored_at: vec![Statistics::default(); layout.members.len()],
            time: vec![Duration::ZERO; layout.members.len()],
            total: Duration::ZERO,
            timed: 0,
            started: None,
        }
    }

    /// Called at the beginning of every macro step; decides whether this one is timed.
    pub(crate) fn begin_step(&mut self) {
        self.started = self.steps.is_multiple_of(SAMPLING).then(Instant::now);
        self.interfaces.begin_step();
    }

    pub(crate) fn end_step(&mut self, iterations: u64) {
        self.steps += 1;
        self.iterations += iterations;
        self.most_iterations = self.most_iterations.max(iterations);
        self.interfaces.end_step();
        if let Some(started) = self.started.take() {
            self.total += started.elapsed();
            self.timed += 1;
        }
    }

    /// Whether this step is timed.
    pub(crate) fn is_timed(&self) -> bool {
        self.started.is_some()
    }

    /// Adds the times spent in the subsystems from `first` on.
    pub(crate) fn add(&mut self, first: usize, times: impl Iterator<Item = Duration>) {
        self.time[first..].iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }

    pub(crate) fn count_contacts(&mut self, solution: &ContactSolution) {
        if solution.problems == 0 {
            return;
        }
        let impacts = solution.changes.iter().filter(|change| change.kind == ContactChangeKind::Impact);
        self.impacts += impacts.count() as u64;
        self.contact_steps += u64::from(solution.impulses.iter().any(|p| *p > 0.0));
    }

    /// Keeps the contacts' memory of the start of a step, for iterations that solve the contacts again.
    pub(crate) fn remember(&mut self, memory: &[ContactMemory]) {
        self.memory.copy_from_slice(memory);
    }

    pub(crate) fn remembered(&self) -> &[ContactMemory] {
        &self.memory
    }

    /// Notes the contraction of a step; two corrections tell little of how it goes on.
    pub(crate) fn note_contraction(&mut self, iterations: u32, contraction: f64) {
        if iterations > 2 && contraction.is_finite() {
            self.contraction = Some(contraction);
        }
    }

    /// Estimated seconds in a subsystem.
    pub(crate) fn subsystem_seconds(&self, subsystem: usize) -> f64 {
        self.time[subsystem].as_secs_f64() * self.steps_per_timed()
    }

    /// Estimated seconds in the master.
    pub(crate) fn master_seconds(&self) -> f64 {
        let inside: Duration = self.time.iter().sum();
        self.total.saturating_sub(inside).as_secs_f64() * self.steps_per_timed()
    }

    /// Work of a subsystem since the beginning of the run, which may have been in another process; `counted` is what
    /// the subsystem itself knows of.
    pub(crate) fn work(&self, subsystem: usize, counted: Statistics) -> Statistics {
        self.earlier[subsystem].plus(counted.since(self.restored_at[subsystem]))
    }

    /// A copy to be saved, with the work of all subsystems so far.
    pub(crate) fn saved(&self, counted: impl Iterator<Item = Statistics>) -> Self {
        let earlier = counted.enumerate().map(|(i, counted)| self.work(i, counted)).collect();
        Self { earlier, started: None, ..self.clone() }
    }

    /// Goes back to saved counts; the subsystems have counted `counted` by now.
    pub(crate) fn restore(&mut self, saved: &Self, counted: impl Iterator<Item = Statistics>) {
        let memory = std::mem::take(&mut self.memory);
        let interfaces = self.interfaces.clone().restored(&saved.interfaces);
        *self = Self { memory, interfaces, restored_at: counted.collect(), ..saved.clone() };
    }

    /// Whether these counts belong to this layout.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        let members = layout.members.len();
        self.interfaces.fits(layout) && self.earlier.len() == members && self.time.len() == members
    }

    fn steps_per_timed(&self) -> f64 {
        self.steps as f64 / self.timed.max(1) as f64
    }
}
