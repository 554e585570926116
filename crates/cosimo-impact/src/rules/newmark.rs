//! Newmark's family with jumps: Newmark, HHT, generalized-α.

use cosimo_dynamics::Coordinates;
use serde::{Deserialize, Serialize};

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan, Point};
use crate::state::ImpactState;

/// Parameters of Newmark's family.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NewmarkParameters {
    /// `αm`.
    pub alpha_m: f64,
    /// `αf`.
    pub alpha_f: f64,
    /// `β`.
    pub beta: f64,
    /// `γ`.
    pub gamma: f64,
}

impl NewmarkParameters {
    /// Chung and Hulbert's parameters for this spectral radius at infinite frequency, in \[0, 1\].
    #[must_use]
    pub fn generalized_alpha(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::of_order_two(alpha_m, alpha_f)
    }

    /// The parameters of Hilber, Hughes and Taylor for `α` in \[0, 1/3\].
    #[must_use]
    pub fn hht(alpha: f64) -> Self {
        Self::of_order_two(0.0, alpha)
    }

    fn of_order_two(alpha_m: f64, alpha_f: f64) -> Self {
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }

    /// `κ`, and the shares of `u₀` and `a₀` in `a* = a₁ − κ u₁`.
    pub(crate) fn known(&self) -> (f64, f64, f64) {
        let scale = 1.0 - self.alpha_m;
        ((1.0 - self.alpha_f) / scale, self.alpha_f / scale, -self.alpha_m / scale)
    }

    /// Writes the explicit part of the end of a step of size `h` (s).
    pub(crate) fn plan_end(&self, h: f64, state: &ImpactState, out: &mut Plan) {
        let Self { beta, gamma, .. } = *self;
        let (kappa, share_u, share_a) = self.known();
        let Point { velocity, increment, .. } = &mut out.end;
        let known = state.algorithmic.iter().zip(&state.a).map(|(a, u)| (a, share_u * u + share_a * a));
        for ((out, v), (a, known)) in velocity.iter_mut().zip(&state.v).zip(known.clone()) {
            *out = v + h * ((1.0 - gamma) * a + gamma * known);
        }
        for ((out, v), (a, known)) in increment.iter_mut().zip(&state.v).zip(known) {
            *out = h * (v + h * ((0.5 - beta) * a + beta * known));
        }
        out.end.by_acceleration = (kappa * gamma * h, kappa * beta * h * h);
    }

    /// Writes `a₁` of the end.
    pub(crate) fn complete(&self, start: &ImpactState, end: &mut ImpactState) {
        let (kappa, share_u, share_a) = self.known();
        let ImpactState { a, algorithmic, .. } = end;
        let before = start.a.iter().zip(&start.algorithmic);
        for ((out, u), (u0, a0)) in algorithmic.iter_mut().zip(a).zip(before) {
            *out = kappa * *u + share_u * u0 + share_a * a0;
        }
    }
}

/// Rules that integrate an algorithmic acceleration `a`, beside that of the smooth motion, `u`:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u₁ + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁] + w        q₁ = q₀ + h v₀ + h² [(½ − β) a₀ + β a₁] + ½ h w
/// ```
///
/// Forces without those of contacts balance `u` at the end; the jump `w` is what impulses make. Source: V. Acary, *The nonsmooth
/// dynamics framework*, 2019, eqs. 80 and 101 to 116; Q.-Z. Chen, V. Acary, G. Virlez, O. Brüls, Int. J. Numer. Meth. Engng 96,
/// 2013.
#[derive(Debug)]
pub(crate) struct NewmarkFamily(pub(crate) NewmarkParameters);

impl StepRule for NewmarkFamily {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.imposed) = (h, Imposed::Velocity);
        self.0.plan_end(h, state, out);
        out.end.by_jump = (1.0, 0.5 * h);
        out.balance_at_end();
    }

    fn accept(&mut self, _h: f64, start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        self.0.complete(start, end);
    }
}
