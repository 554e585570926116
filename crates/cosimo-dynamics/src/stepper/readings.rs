//! What is known of a stepper and its step.

use cosimo_mechanics::Energy;
use nalgebra::DMatrix;

use super::Stepper;
use crate::rules::StepFormula;
use crate::{LinearSystem, MotionState, StepRule};

impl Stepper {
    /// Row positions at the present state (m).
    #[must_use]
    pub fn start_positions(&self) -> &[f64] {
        &self.response.start_positions
    }

    /// Row velocities at the present state (m/s).
    #[must_use]
    pub fn start_velocities(&self) -> &[f64] {
        &self.response.start_velocities
    }

    /// Row velocities at the present state if the system stood still, `∂z/∂t` (m/s); empty where no row moves by
    /// itself.
    #[must_use]
    pub fn surface_velocities(&self) -> &[f64] {
        &self.response.inverse_masses.surface_velocities
    }

    /// Row positions at the end of the trial step, with the loads of the last solve (m).
    #[must_use]
    pub fn end_positions(&self) -> &[f64] {
        &self.response.end_positions
    }

    /// Row velocities at the end of the trial step, with the loads of the last solve (m/s).
    #[must_use]
    pub fn end_velocities(&self) -> &[f64] {
        &self.response.end_velocities
    }

    /// `W = Z J⁻¹ Zᵀ`, `r × r` (1/kg): change of the end velocities for unit impulses.
    #[must_use]
    pub fn inverse_mass(&self) -> &DMatrix<f64> {
        &self.response.inverse_masses.inverse_mass
    }

    /// `Z J⁻¹ C J⁻¹ Zᵀ`, `r × r` (1/(kg s)), or `0 × 0` without damping: the first-order change of the answer to
    /// an impulse with its time in the step.
    #[must_use]
    pub fn damped_inverse_mass(&self) -> &DMatrix<f64> {
        &self.response.inverse_masses.damped
    }

    /// `Y`, `r × r` (1/kg): change of the end positions for unit moves; `0 × 0` where it is the inverse mass, or not asked for.
    #[must_use]
    pub fn move_mass(&self) -> &DMatrix<f64> {
        &self.response.inverse_masses.move_mass
    }

    /// Counts the changes of the inverse mass.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.response.revision
    }

    /// Coefficients of the trial step.
    #[must_use]
    pub fn formula(&self) -> &StepFormula {
        &self.plan.formula
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &MotionState {
        &self.state
    }

    /// The system that is stepped.
    #[must_use]
    pub fn system(&self) -> &LinearSystem {
        &self.system
    }

    /// The step rule.
    #[must_use]
    pub fn rule(&self) -> &dyn StepRule {
        &*self.rule
    }

    /// Energy of the present state (J).
    #[must_use]
    pub fn energy(&self) -> Energy {
        self.energy
    }

    /// Whether the answer to loads is exactly affine.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        self.rows.are_constant()
    }

    /// Numeric factorisations so far.
    #[must_use]
    pub fn factorizations(&self) -> u64 {
        self.linear.count()
    }
}
