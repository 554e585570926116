//! Where subsystems run.

use cosimo_master::ConfigError;
use serde::{Deserialize, Serialize};

/// Where subsystems run, and how long they may take; the results have the same bits. In a model file these are settings of
/// `[master]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlacementSpec {
    /// Where subsystems run. Default: in the thread of the master.
    pub execution: Execution,
    /// How long a subsystem in a thread or process of its own may take for one answer (s), positive. Default: 60.
    pub deadline: f64,
}

impl Default for PlacementSpec {
    fn default() -> Self {
        Self { execution: Execution::default(), deadline: 60.0 }
    }
}

impl PlacementSpec {
    /// Every rule that is broken.
    pub(crate) fn mistakes(&self) -> Vec<ConfigError> {
        let found = self.deadline;
        if found > 0.0 && found.is_finite() {
            return Vec::new();
        }
        vec![ConfigError::OutOfRange { setting: "deadline", found, rule: "positive and finite" }]
    }
}

/// Where subsystems run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Execution {
    /// In the thread of the master.
    #[default]
    InThread,
    /// Every subsystem in its own thread, over channels; the results have the same bits.
    Threads,
    /// Every subsystem in its own process, over pipes; the results have the same bits.
    Processes,
}
