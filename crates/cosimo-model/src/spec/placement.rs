//! Where subsystems run.

use std::time::Duration;

use cosimo_master::ConfigError;
use cosimo_transport::OnLoss;
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
    /// What becomes of the run where a subsystem in a process or elsewhere is lost. Default: it stops.
    pub on_loss: LossAction,
    /// How long a subsystem that is lost is looked for (s), positive. Default: 60.
    pub patience: f64,
}

impl Default for PlacementSpec {
    fn default() -> Self {
        Self {
            execution: Execution::default(),
            deadline: 60.0,
            on_loss: LossAction::default(),
            patience: 60.0,
        }
    }
}

impl PlacementSpec {
    /// Every rule that is broken.
    pub(crate) fn mistakes(&self) -> Vec<ConfigError> {
        let settings = [("deadline", self.deadline), ("patience", self.patience)];
        let is_bad = |found: f64| !(found > 0.0 && found.is_finite());
        let bad = settings.into_iter().filter(|(_, found)| is_bad(*found));
        bad.map(|(setting, found)| ConfigError::OutOfRange { setting, found, rule: "positive and finite" })
            .collect()
    }

    /// How long an answer may take.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        Duration::try_from_secs_f64(self.deadline).unwrap_or(Duration::MAX)
    }

    /// What becomes of the run where a subsystem is lost.
    #[must_use]
    pub fn on_loss(&self) -> OnLoss {
        match self.on_loss {
            LossAction::Stop => OnLoss::Stop,
            LossAction::Resume => {
                OnLoss::Resume(Duration::try_from_secs_f64(self.patience).unwrap_or(Duration::MAX))
            }
        }
    }
}

/// What becomes of a run that loses a subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LossAction {
    /// It stops; the results so far are kept.
    #[default]
    Stop,
    /// The subsystem is looked for, brought to where it was, and the run goes on; the results have the same bits.
    Resume,
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
