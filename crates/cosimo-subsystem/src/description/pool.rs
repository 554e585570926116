//! Contacts that stand for pairs of many bodies by turns.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Description;

/// Contacts of one law, each of which is between two of many bodies at a time:
/// [`RowState::holders`](crate::RowState::holders) says which. One that is between none is
/// [absent](crate::RowState::absent); it is so at one communication point at least before it is between two others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactPool {
    /// Name, unique among the subsystem's pools and contacts.
    pub name: String,
    /// Its contacts in the order of the description.
    pub contacts: Range<usize>,
    /// Names of the bodies.
    pub bodies: Vec<String>,
}

impl Description {
    /// The pool that a contact belongs to.
    #[must_use]
    pub fn pool_of(&self, contact: usize) -> Option<&ContactPool> {
        self.pools.iter().find(|pool| pool.contacts.contains(&contact))
    }

    /// A contact in words that name what it is between: its name; of one of a pool those of the pool and of the bodies,
    /// `pile b17 on b203`.
    #[must_use]
    pub fn contact_label(&self, contact: usize, holders: [u32; 2]) -> String {
        let name = || self.contacts.get(contact).map(|own| own.name.clone()).unwrap_or_default();
        let Some(pool) = self.pool_of(contact) else { return name() };
        let [first, second] = holders.map(|body| pool.bodies.get(body as usize));
        match (first, second) {
            (Some(first), Some(second)) if holders[0] != holders[1] => {
                format!("{} {second} on {first}", pool.name)
            }
            _ => name(),
        }
    }

    /// The first rule that the pools break.
    pub(super) fn broken_rule_of_pools(&self) -> Option<String> {
        let mut next = 0;
        for ContactPool { name, contacts, .. } in &self.pools {
            if contacts.start < next || contacts.end < contacts.start || contacts.end > self.contacts.len() {
                return Some(format!("pool `{name}` has contacts that are others' or do not exist"));
            }
            next = contacts.end;
        }
        None
    }
}
