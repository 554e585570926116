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
/// With `by_momenta` it is the energy-momentum rule: the inertial forces `M u + g` are the change of the momenta,
///
/// ```text
///   (exp(θ/2) J w₁ − exp(−θ/2) J w₀)/h        θ = h (w₀ + w₁)/2
/// ```
///
/// in the axes of the middle. Without joints momentum, angular momentum and kinetic energy are kept exactly, and the work of moments
/// and of forces at the centre of mass is that on their way.
///
/// References: J. C. Simo, K. K. Wong, *Int. J. Numer. Meth. Engng* 31, 1991 (algorithm C1); V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10 (the rule of
/// Moreau and Jean).
#[derive(Debug)]
pub(crate) struct ThetaRule {
    theta: f64,
    by_momenta: bool,
}

impl ThetaRule {
    pub(crate) fn new(theta: Theta) -> Self {
        Self { theta: theta.theta(), by_momenta: false }
    }

    /// The energy-momentum rule.
    pub(crate) fn energy_momentum() -> Self {
        Self { by_momenta: true, ..Self::new(Theta::default()) }
    }
}

impl DaeRule for ThetaRule {
    fn plan(&mut self, h: f64, state: &DaeState, _coordinates: &Coordinates, out: &mut Plan) {
        out.velocity.copy_from_slice(&state.v);
        out.increment.iter_mut().zip(&state.v).for_each(|(x, v)| *x = h * v);
        out.guess.copy_from_slice(&state.a);
        (out.velocity_weight, out.position_weight) = (h, self.theta * h * h);
        (out.link, out.share) = (Link::Acceleration, self.theta);
        out.takes_momenta = self.by_momenta;
    }

    fn accept(&mut self, _h: f64, _before: &DaeState, _after: &DaeState) {}

    fn is_at_start(&self) -> bool {
        false
    }

    fn mean_share(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn restart(&mut self, _state: &DaeState) {}

    fn save(&self, _out: &mut Vec<f64>) {}

    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
