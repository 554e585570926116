//! Mechanical energy.

/// Mechanical energy (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// `½ vᵀ M v` (J).
    pub kinetic: f64,
    /// Potential of the conservative forces (J).
    pub potential: f64,
}

impl Energy {
    /// Kinetic plus potential energy (J).
    #[must_use]
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}
