//! Events of a unit.

use crate::binary::{BinaryError, Instance};

/// Event iterations at most before a unit counts as one that does not come to an end.
pub(crate) const EVENT_ITERATIONS: u32 = 1000;

/// Iterates the events until the unit asks for no more; the next event that it knows, and whether it asks for the end.
pub(crate) fn update_until_done(instance: &mut Instance) -> Result<(Option<f64>, bool), BinaryError> {
    for _ in 0..EVENT_ITERATIONS {
        let update = instance.update_discrete_states()?;
        if update.terminate || !update.needs_another {
            return Ok((update.next_event_time, update.terminate));
        }
    }
    let message = format!("the events do not come to an end in {EVENT_ITERATIONS} iterations");
    Err(BinaryError::Refused { call: "update of discrete states", message })
}
