//! The rule of Schatzman and Paoli.

use cosimo_dynamics::Coordinates;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;
use crate::tape::Tape;

/// The two-step rule on positions,
///
/// ```text
///   M (x₁ + x₋₁) = ½ h (h + h₋₁) f(t + θ h, x_θ, v) + Gᵀ p        v = (x₁ − x̂₋₁)/(h + h₋₁)        x_θ = θ x₁
///   0 ≤ g( (x₁ + e x₋₁)/(1 + e) )  ⟂  p ≥ 0
/// ```
///
/// with increments `x` from the position between: `x̂₋₁` to the one before, and `x₋₁ = x̂₋₁ h/h₋₁` the same for a step as long as this
/// one. Forces act on the divided difference of second order, also where steps change: with steps of one size that is the rule of the
/// source. The velocity is a mean over two steps: it takes the share `h/(h + h₋₁)` of an impulse in its own step and the rest in the next
/// one. A first step follows one of its own size back along `x₋₁ = −h v₀ + ½ h² a₀`. Source: V. Acary, *The nonsmooth dynamics
/// framework*, 2019, eqs. 56 and 57.
#[derive(Debug)]
pub(crate) struct SchatzmanPaoli {
    theta: f64,
    /// Size of the last step (s); zero at a start.
    previous: f64,
    /// Share of the impulses of the last step that its velocity has not seen.
    rest: f64,
    q: Vec<f64>,
}

impl SchatzmanPaoli {
    pub(crate) fn new(theta: f64, state: &ImpactState) -> Self {
        Self { theta, previous: 0.0, rest: 0.0, q: state.q.clone() }
    }
}

/// Writes how a step of size `h` (s) goes on after one of another size from what leads back, with the mean velocity over both at its end.
pub(super) fn go_on(theta: f64, (h, previous): (f64, f64), out: &mut Plan) {
    for (i, back) in out.back.iter().enumerate() {
        (out.end.velocity[i], out.end.increment[i]) = (-back / h, -back);
        (out.stage.velocity[i], out.stage.increment[i]) = (-back / h, -theta * back);
    }
    let (square, both) = (0.5 * h * (h + previous), (h + previous).recip());
    (out.end.by_acceleration, out.end.by_jump) = ((0.5 * h, square), (both, 1.0));
    (out.stage.by_acceleration, out.stage.by_jump) = ((0.5 * h, theta * square), (both, theta));
}

impl StepRule for SchatzmanPaoli {
    fn plan(&mut self, h: f64, state: &ImpactState, coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.share, out.imposed) = (h, self.theta, Imposed::Position);
        let mut previous = h;
        if self.previous > 0.0 {
            previous = self.previous;
            let growth = h / previous;
            coordinates.difference(&state.q, &self.q, &mut out.back);
            out.back.iter_mut().for_each(|back| *back *= growth);
        } else {
            for (back, (v, a)) in out.back.iter_mut().zip(state.v.iter().zip(&state.a)) {
                *back = h * (0.5 * h * a - v);
            }
        }
        go_on(self.theta, (h, previous), out);
    }

    fn accept(&mut self, h: f64, start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        end.algorithmic.copy_from_slice(&end.a);
        self.rest = 1.0 - self.shares_of_impulses(h)[0];
        self.previous = h;
        self.q.copy_from_slice(&start.q);
    }

    fn shares_of_impulses(&self, h: f64) -> [f64; 2] {
        let previous = if self.previous > 0.0 { self.previous } else { h };
        [h / (h + previous), self.rest]
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend([self.previous, self.rest]);
        out.extend_from_slice(&self.q);
    }

    fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        (self.previous, self.rest) = (saved.number()?, saved.number()?);
        saved.fill(&mut self.q)
    }
}
