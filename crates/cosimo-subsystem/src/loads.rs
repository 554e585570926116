//! What the master gives a subsystem to take a step with.

use cosimo_mechanics::ImpulseMoments;
use serde::{Deserialize, Serialize};

use crate::PortMotion;

/// Loads of one macro step, one entry per row.
///
/// Loads over the whole step come in two kinds. A **finite load** that is known at both ends of the step enters by the impulse
/// that the rule makes of it, `X = end λ₁ + start λ₀`. A **momentum** is what a row passes on in the step, whatever the rule: that of
/// a joint that passes impulses, or of a contact that the plain problem solves. A rule that acts by mean loads takes both alike. A rule
/// that remembers loads integrates the load `ℓ` of a momentum beside the motion, `ṗ = ℓ`, and weighs it so that it passes on just
/// that momentum: with `p̂` of loads of the past, predicted from the communication point on,
///
/// ```text
///   ℓ₁ = (X − p̂)/end
/// ```
///
/// The response to `X = 0` is therefore that of a step in which the row passes on nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepLoads {
    /// Impulses `X` (N s) of all loads that act over the whole step.
    pub impulses: Vec<f64>,
    /// The part of them that are momenta (N s); none where it is empty.
    pub momenta: Vec<f64>,
    /// Moves `m` (kg m) of the end that close gaps; read only when [`has_moves`](Self::has_moves). The positions before the stage,
    /// those of the past of the rule included, move by `σ = J⁻¹Zᵀ m`, so that the end moves by
    ///
    /// ```text
    ///   Δz = Y m        Δż = −(W − Y) m/χ        Y = Z J⁻¹ (M + c C) J⁻¹ Zᵀ
    /// ```
    ///
    /// with `Y` the [`move_mass`](crate::StepResponse::move_mass), and accelerations follow.
    pub moves: Vec<f64>,
    /// Whether there are moves.
    pub has_moves: bool,
    /// Impulses inside the step, with `c_v =` [`LoadWeights::damping`](crate::LoadWeights) of the step; read only when
    /// [`has_moments`](Self::has_moments).
    pub moments: ImpulseMoments,
    /// Whether there are impulses inside the step.
    pub has_moments: bool,
    /// Motion of the load ports over the step; empty where there are none.
    pub motion: PortMotion,
}

impl StepLoads {
    /// No loads on `rows` rows.
    #[must_use]
    pub fn zeros(rows: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            momenta: zero.clone(),
            moves: zero.clone(),
            impulses: zero,
            moments: ImpulseMoments::zeros(rows),
            ..Self::default()
        }
    }

    /// Removes all loads, keeping the storage.
    pub fn clear(&mut self) {
        self.impulses.fill(0.0);
        self.momenta.fill(0.0);
        self.clear_moves();
        self.clear_moments();
    }

    /// Removes the moves, keeping the storage.
    pub fn clear_moves(&mut self) {
        if std::mem::take(&mut self.has_moves) {
            self.moves.fill(0.0);
        }
    }

    /// Removes the impulses inside the step, keeping the storage.
    pub fn clear_moments(&mut self) {
        if self.has_moments {
            self.moments.clear();
            self.has_moments = false;
        }
    }
}
