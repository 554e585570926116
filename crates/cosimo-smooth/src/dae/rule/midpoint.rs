//! The midpoint rule.

use cosimo_dynamics::Coordinates;

use crate::dae::dae_rule::DaeRule;
use crate::dae::plan::{Link, Plan};
use crate::dae::state::DaeState;

/// Forces and reactions balance in the middle of the step and act as their mean over it:
///
/// ```text
///   M u + g − f + Φᵀ μ = 0  at  t₀ + h/2,  q₀ ∘ exp(x/2),  (v₀ + v₁)/2
///   v₁ = v₀ + h u           q₁ = q₀ ∘ exp(x),  x = h (v₀ + v₁)/2 + U
/// ```
///
/// It has no past. Accelerations and multipliers are means.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10 (the rule of
/// Moreau and Jean with θ = ½).
#[derive(Debug)]
pub(crate) struct Midpoint;

impl DaeRule for Midpoint {
    fn plan(&mut self, h: f64, state: &DaeState, _coordinates: &Coordinates, out: &mut Plan) {
        out.velocity.copy_from_slice(&state.v);
        out.increment.iter_mut().zip(&state.v).for_each(|(x, v)| *x = h * v);
        out.guess.copy_from_slice(&state.a);
        (out.velocity_weight, out.position_weight) = (h, 0.5 * h * h);
        (out.link, out.share) = (Link::Acceleration, 0.5);
    }

    fn accept(&mut self, _h: f64, _before: &DaeState, _after: &DaeState) {}

    fn is_at_start(&self) -> bool {
        false
    }

    fn takes_means(&self) -> bool {
        true
    }

    fn restart(&mut self, _state: &DaeState) {}

    fn save(&self, _out: &mut Vec<f64>) {}

    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
