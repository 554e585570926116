//! How far the macro step at hand has come.

use super::part::{Mode, StepPart};

/// How far the macro step at hand has come, and what is known of the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepProgress {
    /// Size of the current macro step (s), of which parts may be taken.
    pub(crate) macro_size: f64,
    /// Whether the step at hand stops at an impact instead of passing it, and whether it has.
    pub(crate) stops_at_impacts: bool,
    pub(crate) has_stopped: bool,
    /// Whether all rules begin anew in the next step: it is the first, or the first after velocities jumped at the communication point.
    pub(crate) begins_anew: bool,
    /// Whether they did in the last macro step.
    pub(crate) began_anew: bool,
    /// Size of the last macro step (s), if it was taken as a whole and its matrices are still those at hand.
    pub(crate) whole_step: Option<f64>,
}

impl StepProgress {
    /// Before the first step.
    pub(crate) fn start() -> Self {
        Self {
            macro_size: 0.0,
            stops_at_impacts: false,
            has_stopped: false,
            begins_anew: true,
            began_anew: true,
            whole_step: None,
        }
    }

    /// Begins a macro step, which will have this size (s) or be smaller.
    pub(crate) fn begin_step(&mut self, size: f64) {
        (self.macro_size, self.whole_step, self.began_anew) = (size, None, self.begins_anew);
    }

    /// The part of the current macro step of this size (s) from a communication point (s) on.
    pub(crate) fn part(&self, time: f64, size: f64) -> StepPart {
        StepPart { time, size, macro_size: self.macro_size, mode: Mode::Step(size) }
    }
}
