//! The half-implicit rule with stabilised contacts.

use cosimo_dynamics::Coordinates;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;

/// The half-implicit Euler rule,
///
/// ```text
///   M (v₁ − v₀) = h f(t₀, q₀, v₀) − Φᵀ h μ + Gᵀ P        q₁ = q₀ + h v₁
///   φ₀/h + Φ v₁ + ∂φ/∂t = 0                              0 ≤ P_N ⟂ max(g₀/h, −c) + U_N ≥ 0,  Coulomb's law on U_T
/// ```
///
/// with matrices of the start; `c` is the speed at which overlaps are corrected at most. Source: D. Negrut, R. Serban, A. Tasora, J.
/// Comput. Nonlinear Dynam. 13, 2018, eqs. 5 and 7. There the friction is associated, which gives a contact that slides the normal
/// velocity `μ ‖U_T‖`: a body that begins to slide is thrown up. Coulomb's law is solved here instead.
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
