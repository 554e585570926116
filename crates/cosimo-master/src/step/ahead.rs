//! The next step of subsystems elsewhere begins behind the commit of this one: both are sent before any answer is read.
//!
//! It begins as the next step most likely will: at the communication point reached, and on rows without finite loads there. Where it begins otherwise,
//! it is begun again, which costs time and changes nothing.

use cosimo_subsystem::MacroStep;

use super::begin::{Expectation, keeps_inverse_masses};
use crate::execution::cost::Account;
use crate::simulation::StepContext;

/// Announces the macro step that follows one of size `h` (s), where one does, to the subsystems whose commits were announced, as far as it is
/// known how it begins.
pub(super) fn prefetch_next(sim: &mut StepContext, h: f64) {
    let Some(size) = sim.progress.next_size else { return };
    let (topology, mut clock) = (&sim.topology, sim.clock);
    clock.advance(h);
    let step = MacroStep { time: clock.now, size };
    let expects = Expectation {
        topology,
        history: &sim.loads.history,
        is_instant: false,
        keeps_inverse_masses: keeps_inverse_masses(&sim.linearisation, &sim.schemes),
    };
    let before = sim.subsystems.costs.enter(Account::MESSAGES);
    let all = topology.subsystems.iter().zip(&mut sim.subsystems.all);
    for (i, (layout, subsystem)) in all.enumerate() {
        if subsystem.is_asynchronous() && topology.begins_without_loads(i) {
            subsystem.prefetch(expects.call(layout, &sim.rows, step, &sim.rows.expected.none));
        }
    }
    sim.subsystems.costs.enter(before);
}
