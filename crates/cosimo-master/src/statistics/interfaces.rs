//! What the interfaces have cost: iterations and residuals, of the run and of the current macro step.
//!
//! A cluster of joined subsystems has agreed before others have; its interfaces count the iterations until then. A
//! residual is an interface's own, relative as the tolerance is, where an iteration accepted the step: of the condensed
//! scheme the largest difference of the two ports' rates from the affine model, of an iteration in forces the last change
//! of the interface's own. It is zero where all subsystems are affine, and where nothing but round-off was left to change.

use serde::{Deserialize, Serialize};

use crate::topology::Topology;
use crate::topology::joint::Joint;

/// Iterations and residual of one interface.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) iterations: u64,
    /// Largest number of iterations in one macro step.
    pub(crate) most: u64,
    /// Largest residual (–).
    pub(crate) residual: f64,
}

/// Iterations and residuals of all interfaces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InterfaceStatistics {
    run: Vec<Tally>,
    /// Of the current macro step, in all its parts.
    step: Vec<Tally>,
    /// Of every cluster, the last iteration of the current solve that left more than the tolerance.
    #[serde(skip)]
    unsettled: Vec<u32>,
}

impl InterfaceStatistics {
    pub(crate) fn new(topology: &Topology) -> Self {
        let tallies = vec![Tally::default(); topology.interfaces()];
        Self { run: tallies.clone(), step: tallies, unsettled: vec![0; topology.clusters.len()] }
    }

    /// Begins a macro step.
    pub(crate) fn begin_step(&mut self) {
        self.step.fill(Tally::default());
    }

    /// Begins an iteration.
    pub(crate) fn begin_solve(&mut self) {
        self.unsettled.fill(0);
    }

    /// Notes that this iteration left more than the tolerance in a cluster.
    pub(crate) fn note_unsettled(&mut self, cluster: usize, iteration: u32) {
        self.unsettled[cluster] = iteration;
    }

    /// Accounts for an iteration that ended in agreement after so many turns; `residual` gives that of each interface.
    pub(crate) fn end_solve(
        &mut self,
        topology: &Topology,
        iterations: u32,
        residual: impl Fn(&Joint) -> f64,
    ) {
        for (tally, joint) in self.step.iter_mut().zip(&topology.joints) {
            let cluster = topology.subsystems[joint.sides[0].subsystem].cluster;
            tally.iterations += u64::from((self.unsettled[cluster] + 1).min(iterations));
            tally.residual = tally.residual.max(residual(joint));
        }
    }

    /// Accounts for the one solve that a model of affine subsystems needs.
    pub(crate) fn count_solve(&mut self) {
        self.step.iter_mut().for_each(|tally| tally.iterations += 1);
    }

    /// Forgets the residuals of a step that is not taken; its iterations were work all the same.
    pub(crate) fn forget_residuals(&mut self) {
        self.step.iter_mut().for_each(|tally| tally.residual = 0.0);
    }

    /// Adds the macro step to the run.
    pub(crate) fn end_step(&mut self) {
        for (run, step) in self.run.iter_mut().zip(&self.step) {
            run.iterations += step.iterations;
            run.most = run.most.max(step.iterations);
            run.residual = run.residual.max(step.residual);
        }
    }

    /// Of an interface, over the run.
    pub(crate) fn of_run(&self, joint: usize) -> Tally {
        self.run[joint]
    }

    /// Of an interface, in the last macro step.
    pub(crate) fn of_step(&self, joint: usize) -> Tally {
        self.step[joint]
    }

    /// Saved statistics with the working storage of these.
    pub(crate) fn restored(self, saved: &Self) -> Self {
        Self { unsettled: self.unsettled, ..saved.clone() }
    }

    /// Whether these belong to this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        [&self.run, &self.step].iter().all(|tallies| tallies.len() == topology.interfaces())
    }
}
