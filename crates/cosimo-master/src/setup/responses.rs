//! Which rows need a response.

use crate::execution::subsystems::Subsystems;
use crate::topology::Topology;

/// Tells the subsystems on which loads act which of their rows need a response.
pub(crate) fn limit_responses(topology: &Topology, subsystems: &mut Subsystems) {
    (0..subsystems.all.len()).for_each(|i| limit_response(topology, subsystems, i));
}

/// Tells a subsystem which of its rows need a response, unless all do.
pub(crate) fn limit_response(topology: &Topology, subsystems: &mut Subsystems, subsystem: usize) {
    let needed = topology.needed_responses(subsystem);
    if needed.contains(&false) {
        subsystems.all[subsystem].limit_response(&needed);
    }
}
