//! Load ports: the other causality. The subsystem takes motion and answers with loads.
//!
//! A load port has the coordinates of the port that it is joined to, and the loads work on their rates: `+λ` acts on the
//! body at that port, `−λ` on the subsystem with the load port.

use nalgebra::UnitQuaternion;
use serde::{Deserialize, Serialize};

use crate::RowMatrix;

/// Where load ports are and how they move at an instant, one entry per coordinate of all load ports.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PortState {
    /// Coordinates (m, rad); of frames the point (m) and the rotation vector since the start of the step (rad).
    pub positions: Vec<f64>,
    /// Their rates (m/s, rad/s); of frames the velocity of the point and the angular velocity, along the axes of space.
    pub velocities: Vec<f64>,
    /// Orientation of every load port that is a frame, in the order of the ports.
    pub orientations: Vec<UnitQuaternion<f64>>,
}

impl PortState {
    /// At rest in the origin, with room for so many coordinates and frames.
    #[must_use]
    pub fn zeros(coordinates: usize, frames: usize) -> Self {
        Self {
            positions: vec![0.0; coordinates],
            velocities: vec![0.0; coordinates],
            orientations: vec![UnitQuaternion::identity(); frames],
        }
    }

    /// Takes over another state without new storage where the sizes agree.
    pub fn copy_from(&mut self, other: &Self) {
        self.positions.clone_from(&other.positions);
        self.velocities.clone_from(&other.velocities);
        self.orientations.clone_from(&other.orientations);
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let coordinates = self.positions.iter().chain(&self.velocities);
        coordinates.chain(self.orientations.iter().flat_map(|q| q.coords.iter())).all(|x| x.is_finite())
    }
}

/// Motion of the load ports over a step: at its start, right limits after a jump of velocities, and at its end.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PortMotion {
    /// At the start of the step.
    pub start: PortState,
    /// At its end.
    pub end: PortState,
}

impl PortMotion {
    /// At rest in the origin, with room for so many coordinates and frames.
    #[must_use]
    pub fn zeros(coordinates: usize, frames: usize) -> Self {
        Self { start: PortState::zeros(coordinates, frames), end: PortState::zeros(coordinates, frames) }
    }

    /// Takes over another motion without new storage where the sizes agree.
    pub fn copy_from(&mut self, other: &Self) {
        self.start.copy_from(&other.start);
        self.end.copy_from(&other.end);
    }
}

/// Loads of the load ports for a motion over the step, one entry per coordinate.
///
/// ```text
///   λ₁(z₁ + δz, ż₁ + δż) ≈ λ₁ + position_tangent δz + velocity_tangent δż
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadResponse {
    /// Loads at the start of the step (N, N m).
    pub start: Vec<f64>,
    /// Loads at its end (N, N m).
    pub end: Vec<f64>,
    /// `∂λ₁/∂z₁` (N/m), square; `0 × 0` from a subsystem that does not know it. States that move within the step count.
    pub position_tangent: RowMatrix,
    /// `∂λ₁/∂ż₁` (N s/m), of the same shape.
    pub velocity_tangent: RowMatrix,
}

impl LoadResponse {
    /// No loads on so many coordinates, without tangents.
    #[must_use]
    pub fn zeros(coordinates: usize) -> Self {
        Self {
            start: vec![0.0; coordinates],
            end: vec![0.0; coordinates],
            position_tangent: RowMatrix::zeros(0),
            velocity_tangent: RowMatrix::zeros(0),
        }
    }

    /// The same with tangents that are zero.
    #[must_use]
    pub fn with_tangents(coordinates: usize) -> Self {
        let zero = RowMatrix::zeros(coordinates);
        Self { position_tangent: zero.clone(), velocity_tangent: zero, ..Self::zeros(coordinates) }
    }

    /// Takes up which coordinates need tangents, one entry each, see [`set_active_rows`](crate::Subsystem::set_active_rows): zero ones for
    /// all, or none at all where no coordinate does.
    pub fn limit(&mut self, needed: &[bool]) {
        let size = if needed.contains(&true) { self.end.len() } else { 0 };
        (self.position_tangent, self.velocity_tangent) = (RowMatrix::zeros(size), RowMatrix::zeros(size));
    }

    /// Whether it has tangents.
    #[must_use]
    pub fn has_tangents(&self) -> bool {
        !self.position_tangent.is_empty()
    }
}
