//! What acts during a step and what it does to the energy.

use crate::Energy;

/// Impulses inside a step, by their moments about the step's end; each vector `V` has one entry a row.
///
/// An impulse `ξ` at the time `s` before the end moves the end state by
///
/// ```text
///   Δv = J⁻¹Zᵀ ξ + (c_v − s) J⁻¹ C J⁻¹Zᵀ ξ        Δq = s J⁻¹Zᵀ ξ + s (c_v − s/2) J⁻¹ C J⁻¹Zᵀ ξ
/// ```
///
/// so that any number of them is four sums.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

/// Energies of one step (J), for the balance
/// `ΔE = port + contact + external − dissipated + jumps + numerical`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepWork {
    /// Energy at the end of the step.
    pub energy: Energy,
    /// Work of the loads on the ports.
    pub port: f64,
    /// Work of the loads on the contacts.
    pub contact: f64,
    /// Work of time-dependent loads.
    pub external: f64,
    /// Energy taken out by damping.
    pub dissipated: f64,
    /// Energy change by impulses inside the step.
    pub jumps: f64,
    /// What remains: energy that the step rule created (positive) or dissipated.
    pub numerical: f64,
}
