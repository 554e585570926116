//! What a contact remembers from one step to the next.

/// What the one-step problem remembers of a contact. Part of the state: save it with the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMemory {
    /// Load (N) the contact carried at the end of the last step, as a mean over it; zero when open.
    pub load: f64,
    /// Steps since the contact last received an impulse, saturating.
    pub quiet_steps: u32,
    /// Gap rate jump (m/s) inside the last step whose aftermath the next step shows; zero when there was none.
    pub jump: f64,
    /// Gap acceleration (m/s²) at the end of the last step; counts after a jump only.
    pub acceleration: f64,
    /// Share of a rate jump that the step after it took back, `|ΔA| h / |ΔU|` (–): about `(ω h)²` of the
    /// oscillation that an impulse excites. Zero until a jump told.
    pub stiffness: f64,
}

impl ContactMemory {
    /// A contact that has been open for ever.
    pub const OPEN: Self =
        Self { load: 0.0, quiet_steps: u32::MAX, jump: 0.0, acceleration: 0.0, stiffness: 0.0 };

    /// Whether the contact carried a load at the end of the last step.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.load > 0.0
    }

    /// The memory as numbers.
    #[must_use]
    pub fn to_values(self) -> [f64; 5] {
        [self.load, f64::from(self.quiet_steps), self.jump, self.acceleration, self.stiffness]
    }

    /// The memory from the numbers of [`to_values`](Self::to_values).
    #[must_use]
    pub fn from_values([load, quiet_steps, jump, acceleration, stiffness]: [f64; 5]) -> Self {
        // Saturating by definition of `as`; exact for every value that was saved.
        Self { load, quiet_steps: quiet_steps as u32, jump, acceleration, stiffness }
    }

    /// Learns the stiffness from the contact-free acceleration (m/s²) in a step of size `h` (s) after a jump.
    pub(crate) fn learn(&mut self, acceleration: f64, h: f64) {
        if self.jump != 0.0 {
            self.stiffness = ((acceleration - self.acceleration) * h / self.jump).abs();
            self.jump = 0.0;
        }
    }
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self::OPEN
    }
}
