//! The half-implicit rule with cone complementarity.

use cosimo_dynamics::Coordinates;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;

/// The half-implicit Euler rule,
///
/// ```text
///   M (v₁ − v₀) = h f(t₀, q₀, v₀) − Φᵀ h μ + Gᵀ P        q₁ = q₀ + h v₁
///   φ₀/h + Φ v₁ + ∂φ/∂t = 0                              K ∋ P ⟂ (g₀/h + U_N, U_T) ∈ K*
/// ```
///
/// with matrices of the start. Source: D. Negrut, R. Serban, A. Tasora, J. Comput. Nonlinear Dynam. 13, 2018, eqs. 5 and 7.
#[derive(Debug)]
pub(crate) struct HalfImplicitEuler;

impl StepRule for HalfImplicitEuler {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.share, out.imposed) = (h, 0.0, Imposed::Stabilized);
        out.coast(&state.v, (0.0, h));
        (out.end.by_acceleration, out.end.by_jump) = ((h, h * h), (1.0, h));
        (out.stage.by_acceleration, out.stage.by_jump) = ((0.0, 0.0), (0.0, 0.0));
    }
}
