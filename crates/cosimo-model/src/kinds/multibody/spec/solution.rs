//! How the equations of a step are written and solved.

use serde::{Deserialize, Serialize};

/// At which levels the constraints of joints are imposed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FormulationSpec {
    /// Positions.
    Index3,
    /// Velocities.
    Index2,
    /// Accelerations: direct elimination of the multipliers.
    Index1,
    /// Accelerations with feedback of rates and positions, `φ̈ + 2 α φ̇ + β² φ = 0`.
    Baumgarte {
        /// `α` (1/s), zero or positive.
        alpha: f64,
        /// `β` (1/s), zero or positive.
        beta: f64,
    },
    /// Positions and velocities (Gear, Gupta and Leimkuhler).
    StabilisedIndex2,
    /// Positions, velocities and accelerations.
    #[default]
    StabilisedIndex1,
}

impl FormulationSpec {
    /// One of each.
    pub(crate) const ALL: [Self; 6] = [
        Self::Index3,
        Self::Index2,
        Self::Index1,
        Self::Baumgarte { alpha: 0.0, beta: 0.0 },
        Self::StabilisedIndex2,
        Self::StabilisedIndex1,
    ];

    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Index3 => "index-3",
            Self::Index2 => "index-2",
            Self::Index1 => "index-1",
            Self::Baumgarte { .. } => "baumgarte",
            Self::StabilisedIndex2 => "stabilised-index-2",
            Self::StabilisedIndex1 => "stabilised-index-1",
        }
    }

    /// Whether the constraints stand in the balance of forces as those of velocities, which the midpoint rule asks for.
    #[must_use]
    pub fn imposes_velocities(&self) -> bool {
        matches!(self, Self::Index2 | Self::StabilisedIndex2)
    }
}

/// How often the matrix of a step is factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewtonSpec {
    /// At every iteration.
    Full,
    /// At the first iteration of every step, and again where that converges slowly.
    #[default]
    Modified,
    /// Where the factors of an earlier step converge slowly.
    Frozen,
}
