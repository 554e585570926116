//! The rule of Schatzman and Paoli.

use cosimo_dynamics::Coordinates;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;
use crate::tape::Tape;

/// Difference of two step sizes, as a share, that counts as none.
const SAME: f64 = 1e-9;

/// The two-step rule on positions,
///
/// ```text
///   M (x₁ + x₋₁) = h² f(t + θ h, x_θ, v) + Gᵀ p        v = (x₁ − x₋₁)/(2 h)        x_θ = θ x₁
///   0 ≤ g( (x₁ + e x₋₁)/(1 + e) )  ⟂  p ≥ 0
/// ```
///
/// with increments `x` from the position between. A first step, and one of another size than the step before, follows a step back
/// along `x₋₁ = −h v₀ + ½ h² a₀`. Source: V. Acary, *The nonsmooth dynamics framework*, 2019, eqs. 56 and 57.
#[derive(Debug)]
pub(crate) struct SchatzmanPaoli {
    theta: f64,
    /// Size of the last step (s); zero at a start.
    previous: f64,
    q: Vec<f64>,
}

impl SchatzmanPaoli {
    pub(crate) fn new(theta: f64, state: &ImpactState) -> Self {
        Self { theta, previous: 0.0, q: state.q.clone() }
    }
}

impl StepRule for SchatzmanPaoli {
    fn plan(&mut self, h: f64, state: &ImpactState, coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.share, out.imposed) = (h, self.theta, Imposed::Position);
        if (self.previous - h).abs() <= SAME * h {
            coordinates.difference(&state.q, &self.q, &mut out.back);
        } else {
            for (back, (v, a)) in out.back.iter_mut().zip(state.v.iter().zip(&state.a)) {
                *back = h * (0.5 * h * a - v);
            }
        }
        for (i, back) in out.back.iter().enumerate() {
            (out.end.velocity[i], out.end.increment[i]) = (-back / h, -back);
            (out.stage.velocity[i], out.stage.increment[i]) = (-back / h, -self.theta * back);
        }
        let half = 0.5 / h;
        (out.end.by_acceleration, out.end.by_jump) = ((0.5 * h, h * h), (half, 1.0));
        (out.stage.by_acceleration, out.stage.by_jump) = ((0.5 * h, self.theta * h * h), (half, self.theta));
    }

    fn accept(&mut self, h: f64, start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        end.algorithmic.copy_from_slice(&end.a);
        self.previous = h;
        self.q.copy_from_slice(&start.q);
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous);
        out.extend_from_slice(&self.q);
    }

    fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        self.previous = saved.number()?;
        saved.fill(&mut self.q)
    }
}
