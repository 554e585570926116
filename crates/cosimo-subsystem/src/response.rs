//! What a subsystem answers.

use nalgebra::UnitQuaternion;
use serde::{Deserialize, Serialize};

use crate::RowMatrix;

/// Positions and velocities of the rows at a communication point, length `r` each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RowState {
    /// Port coordinates and gaps (m, rad).
    pub positions: Vec<f64>,
    /// Their rates, right limits (m/s, rad/s).
    pub velocities: Vec<f64>,
    /// Part of the rates that is there though the subsystem stands still, `∂z/∂t` (m/s, rad/s): that of an obstacle
    /// with a motion of its own. The work of such a motion is external. Empty, always, where no row moves by itself.
    pub surface_velocities: Vec<f64>,
    /// Orientation of every port that is a frame, in the order of the ports: it turns vectors of the frame into those
    /// of space. The rotation increments of the frame count from here.
    pub orientations: Vec<UnitQuaternion<f64>>,
    /// Of every contact, whether it is absent: from this communication point to the next it cannot carry any impulse, wherever
    /// its gap stands. Empty, always, where all contacts of the description are there all the time.
    pub absent: Vec<bool>,
    /// Of every contact, which two bodies of its [pool](crate::ContactPool) it is between, or was last; twice the same where it has been
    /// between none, and of contacts of no pool. Empty, always, where there are no pools.
    pub holders: Vec<[u32; 2]>,
    /// Of every contact, what gap and gap rate are differences of: it tells a gap of zero from one that is not. Empty, always,
    /// where only the numbers themselves are known.
    pub scales: Vec<ContactScale>,
}

/// The largest numbers that the gap of a contact and its rate are differences of: rounding is a share of them, however small the
/// differences are.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactScale {
    /// Of the gap (m, rad): coordinates of the bodies, arms, radii, limits.
    pub length: f64,
    /// Of its rate (m/s, rad/s): velocities of the bodies, and what their turning adds.
    pub speed: f64,
}

impl RowState {
    /// At rest in the origin, with room for so many rows and frames.
    #[must_use]
    pub fn zeros(rows: usize, frames: usize) -> Self {
        Self {
            positions: vec![0.0; rows],
            velocities: vec![0.0; rows],
            orientations: vec![UnitQuaternion::identity(); frames],
            ..Self::default()
        }
    }

    /// Which two bodies of its pool a contact is between, or was last.
    #[must_use]
    pub fn holders_of(&self, contact: usize) -> [u32; 2] {
        self.holders.get(contact).copied().unwrap_or_default()
    }

    /// Whether a contact is absent from this communication point to the next.
    #[must_use]
    pub fn is_absent(&self, contact: usize) -> bool {
        self.absent.get(contact).copied().unwrap_or(false)
    }
}

/// How the subsystem's time integration weighs loads. All in seconds.
///
/// A finite load that is `λ₀` at the start and `λ₁` at the end of the step is the impulse
/// `X = end · λ₁ + start · λ₀`; it changes the end velocities by `W X` and the end positions by
/// `position · W X`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct LoadWeights {
    /// Weight of the load at the end of the step.
    pub end: f64,
    /// Weight of the load at the start of the step.
    pub start: f64,
    /// `χ`: end position change per end velocity change.
    pub position: f64,
    /// `c`: weight of the damping in the iteration matrix `J = M + c C + …`.
    pub damping: f64,
}

impl LoadWeights {
    /// Whether a load acts by its mean over a step of size `h` (s): the impulse of a constant one is `h` times it.
    #[must_use]
    pub fn are_of_mean(&self, h: f64) -> bool {
        (self.end + self.start - h).abs() <= 1e-9 * h
    }

    /// Impulse of a constant load of 1 N in a step of size `h` (s): `h` where loads act by their means.
    #[must_use]
    pub fn of_constant_load(&self, h: f64) -> f64 {
        if self.are_of_mean(h) { h } else { self.end + self.start }
    }
}

/// The rows at the end of a step that is begun, and how they answer to impulses. `r` rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepResponse {
    /// End positions with the loads of the last evaluation, length `r` (m, rad).
    pub positions: Vec<f64>,
    /// End velocities with the loads of the last evaluation, length `r` (m/s, rad/s).
    pub velocities: Vec<f64>,
    /// `W = Z J⁻¹ Zᵀ`, `r × r` (1/kg): change of the end velocities for unit impulses.
    pub inverse_mass: RowMatrix,
    /// `Z J⁻¹ C J⁻¹ Zᵀ`, `r × r` (1/(kg s)); `0 × 0` without damping.
    pub damped_inverse_mass: RowMatrix,
    /// `Y = Z J⁻¹ (M + c C) J⁻¹ Zᵀ`, `r × r` (1/kg): change of the end positions for unit [moves](crate::StepLoads::moves); `0 × 0`
    /// where it is `W`, without stiffness, and where nobody [asked](crate::Subsystem::report_moves) for it.
    pub move_mass: RowMatrix,
    /// Weights of finite loads.
    pub weights: LoadWeights,
    /// Of every contact that is open at the start of the step the share of it after which its surfaces meet on the way, as the ends alone
    /// do not show of a fast body; 1 where they do not. Empty where the subsystem does not tell.
    pub touches: Vec<f64>,
    /// Changes whenever one of the matrices or the weights do: as long as it is the same, so are they.
    pub revision: u64,
}

impl StepResponse {
    /// Zero answer of `r` rows.
    #[must_use]
    pub fn zeros(r: usize) -> Self {
        Self {
            positions: vec![0.0; r],
            velocities: vec![0.0; r],
            inverse_mass: RowMatrix::zeros(r),
            damped_inverse_mass: RowMatrix::zeros(0),
            move_mass: RowMatrix::zeros(0),
            weights: LoadWeights::default(),
            touches: Vec::new(),
            revision: 0,
        }
    }
}
