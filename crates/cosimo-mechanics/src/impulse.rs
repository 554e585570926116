//! Impulses inside a step.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Impulses inside a step, by their moments about the step's end; each vector `V` has one entry per row.
///
/// An impulse `ξ` at the time `s` before the end moves the end state by
///
/// ```text
///   Δv = J⁻¹Zᵀ ξ + (c_v − s) J⁻¹ C J⁻¹Zᵀ ξ        Δq = s J⁻¹Zᵀ ξ + s (c_v − s/2) J⁻¹ C J⁻¹Zᵀ ξ
/// ```
///
/// with the iteration matrix `J`, the damping `C` and the weight `c_v` of the step, so that any number of them is four sums.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ImpulseMoments<V = Vec<f64>> {
    /// `Σ ξ` (N s): velocity change.
    pub velocity: V,
    /// `Σ (c_v − s) ξ` (N s²): velocity change fed back through the damping.
    pub velocity_damped: V,
    /// `Σ s ξ` (N s²): position change.
    pub position: V,
    /// `Σ s (c_v − s/2) ξ` (N s³): position change fed back through the damping.
    pub position_damped: V,
}

impl ImpulseMoments {
    /// No impulses on `rows` rows.
    #[must_use]
    pub fn zeros(rows: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            velocity: zero.clone(),
            velocity_damped: zero.clone(),
            position: zero.clone(),
            position_damped: zero,
        }
    }

    /// Removes all impulses, keeping the storage.
    pub fn clear(&mut self) {
        for part in
            [&mut self.velocity, &mut self.velocity_damped, &mut self.position, &mut self.position_damped]
        {
            part.fill(0.0);
        }
    }

    /// The same, borrowed.
    #[must_use]
    pub fn view(&self) -> ImpulseMoments<&[f64]> {
        ImpulseMoments {
            velocity: &self.velocity,
            velocity_damped: &self.velocity_damped,
            position: &self.position,
            position_damped: &self.position_damped,
        }
    }
}

impl<V: AsRef<[f64]>> ImpulseMoments<V> {
    /// The time (s) before the end of a step of size `h` at which one impulse in place of those on these rows would act:
    /// `Σ s ξ` against `Σ ξ`, or the whole step where these do not determine it. `None` without impulses, rows that there are
    /// not included.
    #[must_use]
    pub fn remaining_time(&self, rows: Range<usize>, h: f64) -> Option<f64> {
        let (velocity, position) =
            (self.velocity.as_ref().get(rows.clone())?, self.position.as_ref().get(rows)?);
        let (mut both, mut square, mut is_none) = (0.0, 0.0, true);
        for (velocity, position) in velocity.iter().zip(position) {
            both += velocity * position;
            square += position * position;
            is_none &= *velocity == 0.0;
        }
        let s = if both > 0.0 { (square / both).min(h) } else { h };
        (!is_none).then_some(s)
    }
}
