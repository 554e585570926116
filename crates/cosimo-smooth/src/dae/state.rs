//! Where a constrained system is, and what holds it there.

use cosimo_dynamics::{Motion, StatePoint};

/// Positions, velocities, accelerations and reactions at an instant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DaeState {
    /// Time (s).
    pub time: f64,
    /// Positions, see [`Coordinates`](cosimo_dynamics::Coordinates).
    pub q: Vec<f64>,
    /// Velocities (m/s and rad/s).
    pub v: Vec<f64>,
    /// Accelerations (m/s² and rad/s²), which satisfy the equations of motion.
    pub a: Vec<f64>,
    /// Multipliers `μ` of the constraints (N and N m): the constraints push with `−Φᵀ μ`. Zero for rows left out.
    pub mu: Vec<f64>,
}

impl DaeState {
    /// Time, position and velocity.
    #[must_use]
    pub fn motion(&self) -> Motion<'_> {
        Motion { t: self.time, q: &self.q, v: &self.v }
    }

    /// The state as rules read it.
    #[must_use]
    pub(super) fn point(&self) -> StatePoint<'_> {
        StatePoint { motion: self.motion(), a: &self.a }
    }

    /// Takes over time, positions, velocities and accelerations.
    pub(super) fn copy_motion(&mut self, other: &Self) {
        self.time = other.time;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
    }

    /// Takes over everything.
    pub(super) fn copy(&mut self, other: &Self) {
        self.copy_motion(other);
        self.mu.copy_from_slice(&other.mu);
    }
}
