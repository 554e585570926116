//! Work arrays of signals.

use super::loops::LoopSolver;
use super::values::Values;
use crate::topology::signals::graph::SignalGraph;

/// Values while they are evaluated, and one solver a loop, in the order of the stages.
#[derive(Debug)]
pub(crate) struct SignalStorage {
    pub(super) values: Values,
    pub(super) loops: Vec<LoopSolver>,
}

impl SignalStorage {
    pub(crate) fn new(graph: &SignalGraph) -> Self {
        Self {
            values: Values::new(&graph.wiring),
            loops: graph.loops().map(|cycle| LoopSolver::new(cycle.clone())).collect(),
        }
    }
}
