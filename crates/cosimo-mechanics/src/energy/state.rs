//! Mechanical energy of a state.

use serde::{Deserialize, Serialize};

/// Mechanical energy of a state (J).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energy {
    /// Kinetic energy, `½ vᵀ M v` (J).
    pub kinetic: f64,
    /// Potential energy of the conservative forces (J).
    pub potential: f64,
}

impl Energy {
    /// Kinetic plus potential energy (J).
    #[must_use]
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}
