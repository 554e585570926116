//! Newmark's family with jumps: Newmark, HHT, generalized-α.

use cosimo_dynamics::Coordinates;
use serde::{Deserialize, Serialize};

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan, Point};
use crate::state::ImpactState;
use crate::tape::Tape;

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

    /// Writes the explicit part of the end of a step of size `h` (s), with this share carried of `a₀ − u₀`.
    pub(crate) fn plan_end(&self, h: f64, carried: f64, state: &ImpactState, out: &mut Plan) {
        let Self { beta, gamma, .. } = *self;
        let (kappa, share_u, share_a) = self.known();
        // Weights of `u₀` and `a₀` in `[(1 − γ) a₀ + γ a*]` and `[(½ − β) a₀ + β a*]`, after `a₀ ← (1 − c) u₀ + c a₀`.
        let weights = |explicit: f64, implicit: f64| {
            let of_a = explicit + implicit * share_a;
            (implicit * share_u + (1.0 - carried) * of_a, carried * of_a)
        };
        let ((v_u, v_a), (q_u, q_a)) = (weights(1.0 - gamma, gamma), weights(0.5 - beta, beta));
        let Point { velocity, increment, .. } = &mut out.end;
        let known = state.v.iter().zip(state.a.iter().zip(&state.algorithmic));
        for (out, (v, (u, a))) in velocity.iter_mut().zip(known.clone()) {
            *out = v + h * (v_u * u + v_a * a);
        }
        for (out, (v, (u, a))) in increment.iter_mut().zip(known) {
            *out = h * (v + h * (q_u * u + q_a * a));
        }
        out.end.by_acceleration = (kappa * gamma * h, kappa * beta * h * h);
    }

    /// Writes `a₁` of the end.
    pub(crate) fn complete(&self, carried: f64, start: &ImpactState, end: &mut ImpactState) {
        let (kappa, share_u, share_a) = self.known();
        let (of_u, of_a) = (share_u + (1.0 - carried) * share_a, carried * share_a);
        let ImpactState { a, algorithmic, .. } = end;
        let before = start.a.iter().zip(&start.algorithmic);
        for ((out, u), (u0, a0)) in algorithmic.iter_mut().zip(a).zip(before) {
            *out = kappa * *u + of_u * u0 + of_a * a0;
        }
    }
}

/// The largest growth of a step over which the algorithmic acceleration goes on.
const LARGEST_GROWTH: f64 = 2.0;

/// Size of the step before (s), which determines for what instant the algorithmic acceleration stands: it is that of the smooth motion at
/// a fixed share of a step beside the end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct PreviousStep(pub(crate) Option<f64>);

impl PreviousStep {
    /// The share of `a₀ − u₀` that goes on into a step of size `h` (s), `h/h₋₁`: the same share of the new step. After a step that was
    /// much shorter the rule begins anew with `a₀ = u₀`, as at the start; what a short step says of the slope of `u` is round-off
    /// and forces that have jumped.
    pub(crate) fn carried(self, h: f64) -> f64 {
        self.0.map(|previous| h / previous).filter(|growth| *growth <= LARGEST_GROWTH).unwrap_or(0.0)
    }

    /// Appends it; zero stands for none.
    pub(crate) fn save(self, out: &mut Vec<f64>) {
        out.push(self.0.unwrap_or(0.0));
    }

    /// Reads it; `None` if there is no number left.
    pub(crate) fn restore(saved: &mut Tape<'_>) -> Option<Self> {
        Some(Self(Some(saved.number()?).filter(|previous| *previous > 0.0)))
    }
}

/// Rules that integrate an algorithmic acceleration `a`, beside that of the smooth motion, `u`:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u₁ + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁] + w        q₁ = q₀ + h v₀ + h² [(½ − β) a₀ + β a₁] + ½ h w
/// ```
///
/// with `a₀` corrected where the size of the step changes, see [`PreviousStep`]. Forces without those of contacts balance `u` at the
/// end; the jump `w` is what impulses make. Source: V. Acary, *The nonsmooth
/// dynamics framework*, 2019, eqs. 80 and 101 to 116; Q.-Z. Chen, V. Acary, G. Virlez, O. Brüls, Int. J. Numer. Meth. Engng 96,
/// 2013.
#[derive(Debug)]
pub(crate) struct NewmarkFamily {
    parameters: NewmarkParameters,
    previous: PreviousStep,
}

impl NewmarkFamily {
    pub(crate) fn new(parameters: NewmarkParameters) -> Self {
        Self { parameters, previous: PreviousStep::default() }
    }
}

impl StepRule for NewmarkFamily {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.imposed) = (h, Imposed::Velocity);
        self.parameters.plan_end(h, self.previous.carried(h), state, out);
        out.end.by_jump = (1.0, 0.5 * h);
        out.balance_at_end();
    }

    fn accept(&mut self, h: f64, start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        self.parameters.complete(self.previous.carried(h), start, end);
        self.previous = PreviousStep(Some(h));
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.previous.save(out);
    }

    fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        self.previous = PreviousStep::restore(saved)?;
        Some(())
    }
}
