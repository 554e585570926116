//! The θ rule.

use cosimo_dynamics::{Coordinates, Theta};

use crate::dae::dae_rule::DaeRule;
use crate::dae::plan::{Link, Plan};
use crate::dae::state::DaeState;

/// Forces and reactions balance at the share `θ` of the step and act as their mean over it:
///
/// ```text
///   M u + g − f + Φᵀ μ = 0  at  t₀ + θ h,  q₀ ∘ exp(θ x),  v_θ = (1 − θ) v₀ + θ v₁
///   v₁ = v₀ + h u           q₁ = q₀ ∘ exp(x),  x = h v_θ + U
/// ```
///
/// It has no past. Accelerations and multipliers are means. `θ = ½` is the midpoint rule.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10 (the rule of
/// Moreau and Jean).
#[derive(Debug)]
pub(crate) struct ThetaRule(pub(crate) Theta);

impl DaeRule for ThetaRule {
    fn plan(&mut self, h: f64, state: &DaeState, _coordinates: &Coordinates, out: &mut Plan) {
        out.velocity.copy_from_slice(&state.v);
        out.increment.iter_mut().zip(&state.v).for_each(|(x, v)| *x = h * v);
        out.guess.copy_from_slice(&state.a);
        let theta = self.0.theta();
        (out.velocity_weight, out.position_weight) = (h, theta * h * h);
        (out.link, out.share) = (Link::Acceleration, theta);
    }

    fn accept(&mut self, _h: f64, _before: &DaeState, _after: &DaeState) {}

    fn is_at_start(&self) -> bool {
        false
    }

    fn mean_share(&self) -> Option<f64> {
        Some(self.0.theta())
    }

    fn restart(&mut self, _state: &DaeState) {}

    fn save(&self, _out: &mut Vec<f64>) {}

    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
