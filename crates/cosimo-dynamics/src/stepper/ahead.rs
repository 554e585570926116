//! Looking ahead: the trial step that is most likely begun next, one of the same size, is computed where a step is taken.
//! Of very many subsystems each is then fetched from the memory once per step rather than twice.
//!
//! Nothing else depends on it: a trial step has the same bits whenever it is computed.

use crate::rows::RowSets;
use crate::{LinearSystem, StepRule};

/// What is known beforehand of the step that comes next.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Whether the trial steps of this system depend on nothing but its state and the size.
    pub(super) is_possible: bool,
    /// Size of the last step taken (s).
    pub(super) last_size: f64,
    /// Size of the trial step without loads that is there already (s).
    pub(super) size: Option<f64>,
}

impl Ahead {
    pub(super) fn new(system: &LinearSystem, rule: &dyn StepRule, rows: &RowSets) -> Self {
        // Rows of constant directions may move by themselves all the same.
        let are_autonomous = rows.are_constant() && !rows.depend_on_time();
        let is_possible = system.loads.is_empty() && are_autonomous && !rule.has_past();
        Self { is_possible, ..Self::default() }
    }

    /// The state has changed in another way than by a step.
    pub(super) fn forget(&mut self) {
        self.size = None;
    }
}
