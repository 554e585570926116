//! What a contact remembers from one step to the next.

/// What the one-step problem remembers of a contact. Part of the state: save it with the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMemory {
    /// Load (N) the contact carried at the end of the last step, as a mean over it; zero when open.
    pub load: f64,
    /// Steps since the contact last received an impulse, saturating.
    pub quiet_steps: u32,
}

impl ContactMemory {
    /// A contact that has been open for ever.
    pub const OPEN: Self = Self { load: 0.0, quiet_steps: u32::MAX };

    /// Whether the contact carried a load at the end of the last step.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.load > 0.0
    }

    /// The memory as two numbers.
    #[must_use]
    pub fn to_values(self) -> [f64; 2] {
        [self.load, f64::from(self.quiet_steps)]
    }

    /// The memory from the two numbers of [`to_values`](Self::to_values).
    #[must_use]
    pub fn from_values([load, quiet_steps]: [f64; 2]) -> Self {
        // Saturating by definition of `as`; exact for every value that was saved.
        Self { load, quiet_steps: quiet_steps as u32 }
    }
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self::OPEN
    }
}
