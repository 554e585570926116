//! The air.

use serde::{Deserialize, Serialize};

/// Properties of the air.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Air {
    /// Density (kg/m³).
    pub density: f64,
    /// Speed of sound (m/s).
    pub sound_speed: f64,
}

impl Default for Air {
    /// The standard atmosphere at sea level: 1.225 kg/m³ and 340.294 m/s.
    fn default() -> Self {
        Self { density: 1.225, sound_speed: 340.294 }
    }
}
