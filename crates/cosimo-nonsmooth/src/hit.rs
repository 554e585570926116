//! A contact that is hit at an instant.

use serde::{Deserialize, Serialize};

/// A contact that is hit, and how it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Index of the contact.
    pub contact: usize,
    /// What the hit does to it.
    pub kind: HitKind,
}

/// What a hit does to a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HitKind {
    /// It rebounds by its law.
    Bounce,
    /// It closes without rebound, since its rebounds would accumulate within a step.
    Settle,
    /// The same, at a rate that the accelerations of two steps make: it closes, and no impact is recorded.
    Touch,
    /// It rebounds by its law before it is there, and stays open, whatever its law.
    Early,
}

impl Hit {
    /// A contact that rebounds by its law.
    #[must_use]
    pub const fn bouncing(contact: usize) -> Self {
        Self { contact, kind: HitKind::Bounce }
    }

    /// A contact with restitution `e` that is hit at this rate (m/s); `change` is the rate (m/s) that the acceleration there makes in a
    /// step.
    #[must_use]
    pub fn new(contact: usize, e: f64, (rate, change): (f64, f64)) -> Self {
        let kind = match crate::impact_sequence::settles(e, rate, change) {
            false => HitKind::Bounce,
            true if rate > 2.0 * change.min(0.0) => HitKind::Touch,
            true => HitKind::Settle,
        };
        Self { contact, kind }
    }

    /// The same before the contact is there.
    #[must_use]
    pub const fn early(self) -> Self {
        Self { kind: HitKind::Early, ..self }
    }
}
