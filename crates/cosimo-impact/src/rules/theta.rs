//! The θ rule of Moreau and Jean, and its variant that always dissipates.

use cosimo_dynamics::Coordinates;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;

/// Moreau and Jean's rule,
///
/// ```text
///   M (v₁ − v₀) = h f(t_θ, q_θ, v_θ) + Gᵀ P        q₁ = q₀ + h v_θ        x_θ = (1 − θ) x₀ + θ x₁
/// ```
///
/// with `v₁ = v₀ + h a + w`. Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eq. 55.
#[derive(Debug)]
pub(crate) struct Theta(pub(crate) f64);

impl StepRule for Theta {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        let theta = self.0;
        (out.h, out.share, out.imposed) = (h, theta, Imposed::Velocity);
        out.coast(&state.v, (theta * h, h));
        (out.end.by_acceleration, out.end.by_jump) = ((h, theta * h * h), (1.0, theta * h));
        out.stage.by_acceleration = (theta * h, theta * theta * h * h);
        out.stage.by_jump = (theta, theta * theta * h);
    }

    fn works_at_stage(&self) -> bool {
        true
    }
}

/// The variant
///
/// ```text
///   M (v₁ − v₀) = h f(t_θ, q_θ, v_½) + Gᵀ P        q₁ = q₀ + h v_½        q_θ = (1 − θ) q₀ + θ q₁
/// ```
///
/// Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eq. 96; damping forces are taken at the mean velocity.
#[derive(Debug)]
pub(crate) struct DissipativeTheta(pub(crate) f64);

impl StepRule for DissipativeTheta {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        let theta = self.0;
        (out.h, out.share, out.imposed) = (h, theta, Imposed::Velocity);
        out.coast(&state.v, (theta * h, h));
        (out.end.by_acceleration, out.end.by_jump) = ((h, 0.5 * h * h), (1.0, 0.5 * h));
        out.stage.by_acceleration = (0.5 * h, theta * 0.5 * h * h);
        out.stage.by_jump = (0.5, theta * 0.5 * h);
    }

    fn works_at_stage(&self) -> bool {
        true
    }
}
