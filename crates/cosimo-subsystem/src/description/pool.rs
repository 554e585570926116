//! Contacts that stand for pairs of many bodies by turns.

use std::ops::Range;

use serde::{Deserialize, Serialize};

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

impl ContactPool {
    /// A contact of it in words, by the places of its two bodies among those of the pool: `pile b17 on b203`; `None` where it is between none.
    #[must_use]
    pub fn label(&self, holders: [u32; 2]) -> Option<String> {
        let [first, second] = holders.map(|body| self.bodies.get(body as usize));
        let (first, second) = first.zip(second).filter(|_| holders[0] != holders[1])?;
        Some(format!("{} {second} on {first}", self.name))
    }
}

/// The first rule that pools break, among so many contacts.
pub(super) fn broken_rule(pools: &[ContactPool], contacts: usize) -> Option<String> {
    let mut next = 0;
    for ContactPool { name, contacts: own, .. } in pools {
        if own.start < next || own.end < own.start || own.end > contacts {
            return Some(format!("pool `{name}` has contacts that are others' or do not exist"));
        }
        next = own.end;
    }
    None
}
