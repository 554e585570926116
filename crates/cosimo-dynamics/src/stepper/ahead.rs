//! Looking ahead: the trial step that is most likely begun next, one of the same size, is computed where a step is taken.
//! Of very many subsystems each is then fetched from the memory once a step rather than twice.
//!
//! Nothing else depends on it: a trial step has the same bits whenever it is computed.

use super::Stepper;
use super::held::{Rule, System};
use crate::rows::RowSets;

/// What is known beforehand of the step that comes next.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Whether the trial steps of this system depend on nothing but its state and the size.
    is_possible: bool,
    /// Size of the last step taken (s).
    last_size: f64,
    /// Size of the trial step without loads that is there already (s).
    size: Option<f64>,
}

impl Ahead {
    pub(super) fn new(system: &System, rule: &Rule, rows: &RowSets) -> Self {
        let is_autonomous = system.as_linear().is_some_and(|linear| linear.loads.is_empty());
        // Rows of constant directions may move by themselves all the same.
        let are_autonomous = rows.are_constant() && !rows.depend_on_time();
        let is_possible = is_autonomous && are_autonomous && matches!(rule, Rule::Theta(_));
        Self { is_possible, ..Self::default() }
    }

    /// The state has changed in another way than by a step.
    pub(super) fn forget(&mut self) {
        self.size = None;
    }
}

impl Stepper {
    /// Whether the trial step of this size (s) without loads is there before it is begun.
    pub(super) fn is_ahead(&self, h: f64) -> bool {
        self.ahead.size.is_some_and(|size| size.to_bits() == h.to_bits())
    }

    /// Begins the step that is there already.
    pub(super) fn catch_up(&mut self) {
        self.ahead.size = None;
        self.trial.time = self.state.time + self.h;
    }

    /// Computes the next trial step where the last two were of one size. What fails is left to the step that needs it.
    pub(super) fn look_ahead(&mut self) {
        let is_steady = self.ahead.last_size.to_bits() == self.h.to_bits();
        self.ahead.last_size = self.h;
        if is_steady && self.ahead.is_possible {
            self.rule.predict(self.h, &self.state, &mut self.prediction);
            self.ahead.size = self.begin_linear().is_ok().then_some(self.h);
        }
    }
}
