//! The state of a system in a vector space.

use crate::{CoordinateVector, Motion, StatePoint};

/// Positions, velocities and accelerations at a communication point, lengths `n`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionState {
    /// Time (s).
    pub time: f64,
    /// Positions (m or rad).
    pub q: CoordinateVector,
    /// Velocities, right limits (m/s or rad/s).
    pub v: CoordinateVector,
    /// Accelerations as the rule defines them (m/s² or rad/s²).
    pub a: CoordinateVector,
}

impl MotionState {
    /// The state as rules read it.
    #[inline]
    #[must_use]
    pub fn point(&self) -> StatePoint<'_> {
        StatePoint { motion: Motion { t: self.time, q: &self.q, v: &self.v }, a: &self.a }
    }

    /// The state without its accelerations.
    #[inline]
    pub(crate) fn motion(&self) -> Motion<'_> {
        self.point().motion
    }
}
