//! The next step of subsystems elsewhere begins behind the commit of this one: both are sent before any answer is read.
//!
//! It begins as the next step most likely will: at the communication point reached, and on rows without finite loads there. Where it begins otherwise,
//! it is begun again, which costs time and changes nothing.

use cosimo_subsystem::MacroStep;

use super::begin::Expectation;
use crate::execution::cost::Account;
use crate::execution::subsystems::Subsystems;
use crate::rows::StepRows;

impl Expectation<'_> {
    /// Announces the macro step that follows to the subsystems whose commits were announced, as far as it is known how it begins.
    pub(super) fn prefetch_next(self, subsystems: &mut Subsystems, rows: &StepRows, step: MacroStep) {
        let before = subsystems.costs.enter(Account::MESSAGES);
        let all = self.topology.subsystems.iter().zip(&mut subsystems.all);
        for (i, (layout, subsystem)) in all.enumerate() {
            if subsystem.is_asynchronous() && self.topology.begins_without_loads(i) {
                subsystem.prefetch(self.call(layout, rows, step, &rows.expected.none));
            }
        }
        subsystems.costs.enter(before);
    }
}
