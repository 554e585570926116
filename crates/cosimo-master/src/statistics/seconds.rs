//! Who has cost what, for the report of a run.

use cosimo_subsystem::cost::CallSeconds;
use serde::{Deserialize, Serialize};

/// Processor time of the master itself (s).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MasterSeconds {
    /// Signals between subsystems.
    pub signals: f64,
    /// Interface problems: matrices assembled and factorised, unknowns found; contacts too where an iterative scheme solves
    /// them in its sweeps.
    pub coupling: f64,
    /// Contact problems.
    pub contacts: f64,
    /// Energies and forces booked when a step is taken, and rows read for the next one.
    pub accounts: f64,
    /// Messages to subsystems that run elsewhere, at both ends.
    pub messages: f64,
    /// Calls shared among threads: handed over, awaited.
    pub threads: f64,
    /// Everything else, such as what begins a step.
    pub other: f64,
}

impl MasterSeconds {
    /// The sum (s).
    #[must_use]
    pub fn total(&self) -> f64 {
        let Self { signals, coupling, contacts, accounts, messages, threads, other } = self;
        signals + coupling + contacts + accounts + messages + threads + other
    }
}

/// Processor time of what observers do (s).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct RecordingSeconds {
    /// Communication points and events shown: quantities gathered from the subsystems, and written.
    pub results: f64,
    /// States saved.
    pub checkpoints: f64,
}

impl RecordingSeconds {
    /// The sum (s).
    #[must_use]
    pub fn total(&self) -> f64 {
        self.results + self.checkpoints
    }
}

/// Processor time of a run (s).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct CostSeconds {
    pub(crate) subsystems: Vec<CallSeconds>,
    pub(crate) master: MasterSeconds,
    pub(crate) recording: RecordingSeconds,
}

impl CostSeconds {
    /// Nothing, of so many subsystems.
    pub(crate) fn zeros(subsystems: usize) -> Self {
        Self { subsystems: vec![CallSeconds::default(); subsystems], ..Self::default() }
    }
}
