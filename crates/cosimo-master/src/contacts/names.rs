//! What contacts are called in messages and events. One that is between pairs of many bodies by turns is named by its pool and the two
//! bodies, `bed.pile b17 on b203`.

use cosimo_nonsmooth::ContactChange;
use cosimo_subsystem::Subsystem;

use crate::topology::Topology;

/// The contacts of a model and between which bodies they are.
#[derive(Clone, Copy)]
pub(crate) struct ContactNames<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) subsystems: &'a [Box<dyn Subsystem>],
}

/// What happened at a contact in the macro step, and between which bodies it was then.
#[derive(Debug, Clone)]
pub(crate) struct TakenChange {
    pub(crate) change: ContactChange,
    pub(crate) holders: [u32; 2],
}

impl TakenChange {
    /// Whether both are of one contact between the same bodies.
    pub(crate) fn is_at_same_contact(&self, other: &Self) -> bool {
        self.change.contact == other.change.contact && self.holders == other.holders
    }
}

impl ContactNames<'_> {
    /// `SUBSYSTEM.CONTACT` of a contact as it is at present.
    pub(crate) fn of(&self, contact: usize) -> String {
        self.between(contact, self.holders(contact))
    }

    /// The same of a contact between these bodies.
    pub(crate) fn between(&self, contact: usize, holders: [u32; 2]) -> String {
        let own = &self.topology.contacts[contact];
        if !own.is_pooled() {
            return own.name.clone();
        }
        let layout = &self.topology.subsystems[own.subsystem];
        let description = self.subsystems[own.subsystem].description();
        let label = description.contact_label(contact - layout.contacts.start, holders);
        format!("{}.{label}", layout.name)
    }

    /// A change with the bodies of its contact.
    pub(crate) fn taken(&self, change: &ContactChange) -> TakenChange {
        TakenChange { change: *change, holders: self.holders(change.contact) }
    }

    fn holders(&self, contact: usize) -> [u32; 2] {
        let subsystem = self.topology.contacts[contact].subsystem;
        let first = self.topology.subsystems[subsystem].contacts.start;
        self.subsystems[subsystem].rows().holders_of(contact - first)
    }
}
