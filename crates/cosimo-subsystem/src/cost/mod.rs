//! Who costs what: processor times of calls, measured in some of the steps.
//!
//! What counts is the time that a processor works for a thread: other threads and processes that take the processor
//! away, and waiting, are nobody's work. No result depends on it.
//!
//! | where | what |
//! |---|---|
//! | `sampling` | which steps are measured, so that measuring costs little |
//! | `stopwatch` | the time between two points of a thread |

mod sampling;
mod stopwatch;

use serde::{Deserialize, Serialize};

pub use sampling::Sampling;
pub use stopwatch::{Stopwatch, processor_seconds};

/// Which call to a subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// The beginning of a step.
    Begin,
    /// Answers to loads, and loads in answer to a motion.
    Evaluate,
    /// The end of a step.
    Commit,
    /// Velocity jumps, signals, states saved and restored, steps given up, claims verified.
    Other,
}

impl CallKind {
    /// All kinds, in the order in which a step makes them.
    pub const ALL: [Self; 4] = [Self::Begin, Self::Evaluate, Self::Commit, Self::Other];
}

/// Processor time of the calls to a subsystem (s), by kind.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct CallSeconds {
    /// [`CallKind::Begin`].
    pub begin: f64,
    /// [`CallKind::Evaluate`].
    pub evaluate: f64,
    /// [`CallKind::Commit`].
    pub commit: f64,
    /// [`CallKind::Other`].
    pub other: f64,
}

impl CallSeconds {
    /// The sum (s).
    #[must_use]
    pub fn total(&self) -> f64 {
        self.begin + self.evaluate + self.commit + self.other
    }

    /// The time of calls of one kind (s).
    #[must_use]
    pub fn of(&self, kind: CallKind) -> f64 {
        match kind {
            CallKind::Begin => self.begin,
            CallKind::Evaluate => self.evaluate,
            CallKind::Commit => self.commit,
            CallKind::Other => self.other,
        }
    }

    /// The time of calls of one kind (s), to be changed.
    pub fn of_mut(&mut self, kind: CallKind) -> &mut f64 {
        match kind {
            CallKind::Begin => &mut self.begin,
            CallKind::Evaluate => &mut self.evaluate,
            CallKind::Commit => &mut self.commit,
            CallKind::Other => &mut self.other,
        }
    }
}

/// Processor time that a subsystem which runs elsewhere has taken there (s).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct RemoteCost {
    /// Its calls.
    pub calls: CallSeconds,
    /// What carries them: messages encoded, sent, awaited and decoded, at both ends, without the thread of the master.
    pub messages: f64,
}
