//! Where a system with contacts is.

use cosimo_dynamics::{Motion, StatePoint};

/// Positions, velocities and accelerations at an instant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImpactState {
    /// Time (s).
    pub time: f64,
    /// Positions, see [`Coordinates`](cosimo_dynamics::Coordinates).
    pub q: Vec<f64>,
    /// Velocities (m/s and rad/s): those after an impact.
    pub v: Vec<f64>,
    /// Accelerations of the smooth motion (m/s² and rad/s²), without what impulses do.
    pub a: Vec<f64>,
    /// Multipliers of the constraints in the smooth motion (N and N m): constraints push with `−Φᵀ μ`.
    pub mu: Vec<f64>,
}

impl ImpactState {
    /// Time, position and velocity.
    #[must_use]
    pub fn motion(&self) -> Motion<'_> {
        Motion { t: self.time, q: &self.q, v: &self.v }
    }

    /// The state as rules read it.
    pub(crate) fn point(&self) -> StatePoint<'_> {
        StatePoint { motion: self.motion(), a: &self.a }
    }

    /// Takes over everything of another of the same lengths.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.time = other.time;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
        self.mu.copy_from_slice(&other.mu);
    }
}
