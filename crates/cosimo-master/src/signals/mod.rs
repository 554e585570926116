//! Signals between subsystems: named real outputs that feed inputs at communication points.
//!
//! At every communication point the outputs are evaluated, each after the outputs that feed through to it; before every
//! macro step the inputs get their courses over it. Parts of a step, at impacts or where it is halved, change no signal.
//!
//! | where | what |
//! |---|---|
//! | `state` | values at the last two communication points, and courses: what influences the future |
//! | `values`, `loops` | values at a communication point; loops solved by Newton's method: work arrays |
//! | `courses` | inputs over the next step, held or extrapolated |
//! | `exchange` | what a step calls |

mod courses;
pub(crate) mod exchange;
mod loops;
pub(crate) mod state;
pub(crate) mod storage;
mod values;

use crate::topology::Topology;
use state::SignalState;
use storage::SignalStorage;

/// The signals of a model: their values, and work arrays.
#[derive(Debug)]
pub(crate) struct Signals {
    pub(crate) state: SignalState,
    work: SignalStorage,
}

impl Signals {
    /// Those of a model at a time (s), before they are exchanged for the first time.
    pub(crate) fn new(topology: &Topology, time: f64) -> Self {
        let graph = &topology.signals;
        Self { state: SignalState::new(graph, time), work: SignalStorage::new(graph) }
    }
}
