//! Contacts that appear and vanish: a subsystem reports at every communication point which of its contacts are absent until the
//! next. An absent contact is out of reach, see [`StepRows`](crate::rows::StepRows): its gap counts as infinite, so that it
//! is no candidate of any problem, is never hit, and no event reports it.

use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ContactMemory, FrictionState};

use super::Contacts;
use super::names::ContactNames;
use crate::rows::StepRows;

impl Contacts {
    /// Forgets what contacts remember that are absent from the present communication point (s) on; one that carried a load is released.
    pub(crate) fn forget_absent(&mut self, names: ContactNames<'_>, rows: &StepRows, time: f64) {
        for (contact, memory) in self.state.memory.iter_mut().enumerate() {
            if !rows.is_absent(contact) || *memory == ContactMemory::OPEN {
                continue;
            }
            if memory.is_closed() {
                let own = &names.topology.contacts[contact];
                let rate = rows.end_velocities[own.global_row];
                self.changes.push(names.taken(&release(contact, time, rate)));
            }
            *memory = ContactMemory::OPEN;
        }
    }
}

/// The release of a contact at this gap rate (m/s).
fn release(contact: usize, time: f64, rate: f64) -> ContactChange {
    ContactChange {
        contact,
        kind: ContactChangeKind::Release,
        time,
        rate_before: rate,
        rate_after: rate,
        impulse: 0.0,
        tangential: [0.0; 2],
        state: FrictionState::None,
        work: 0.0,
    }
}
