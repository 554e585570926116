//! What contacts remember from step to step: a part of the state.

use cosimo_nonsmooth::ContactMemory;
use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// What contacts remember from step to step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ContactState {
    /// Loads carried, rate jumps whose aftermath is due.
    #[serde(with = "memory_values")]
    pub(crate) memory: Vec<ContactMemory>,
    /// By how much the gap rates have changed in the last part of a step (m/s).
    pub(crate) rate_changes: Vec<f64>,
    /// Impulses in the current macro step, in all its parts (N s), and whether there are any.
    pub(crate) impulses: Vec<f64>,
    pub(crate) has_impulses: bool,
}

impl ContactState {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            memory: vec![ContactMemory::OPEN; topology.contacts.len()],
            rate_changes: vec![0.0; topology.contacts.len()],
            impulses: vec![0.0; topology.contact_rows.len()],
            has_impulses: false,
        }
    }

    /// Whether this belongs to a model.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        let contacts = topology.contacts.len();
        self.memory.len() == contacts
            && self.rate_changes.len() == contacts
            && self.impulses.len() == topology.contact_rows.len()
    }
}

/// Contact memories by their numbers.
mod memory_values {
    use cosimo_nonsmooth::ContactMemory;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(memory: &[ContactMemory], to: S) -> Result<S::Ok, S::Error> {
        memory.iter().map(|memory| memory.to_values()).collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ContactMemory>, D::Error> {
        let values = Vec::deserialize(from)?;
        Ok(values.into_iter().map(ContactMemory::from_values).collect())
    }
}
