//! A contact that is hit at an instant.

/// A contact that is hit, and whether it rebounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Index of the contact.
    pub contact: usize,
    /// Whether it settles: it closes without rebound, since its rebounds would accumulate within a step.
    pub settles: bool,
}

impl Hit {
    /// A contact that rebounds by its law.
    #[must_use]
    pub const fn bouncing(contact: usize) -> Self {
        Self { contact, settles: false }
    }
}
