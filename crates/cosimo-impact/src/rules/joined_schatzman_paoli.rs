//! The rule of Schatzman and Paoli in a system on which others act.

use cosimo_dynamics::Coordinates;

use super::schatzman_paoli::go_on;
use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;
use crate::tape::Tape;

/// The two-step rule as one of one step, with the velocity `w` in which the position has gone on,
///
/// ```text
///   M (w₁ − w₀) = ½ (h + h₋₁) f(t + θ h, x_θ, v) + Gᵀ P + Zᵀ X        x₁ = h w₁        v = (h w₁ + h₋₁ w₀)/(h + h₋₁)
///   0 ≤ g( (x₁ + e x₋₁)/(1 + e) )  ⟂  P ≥ 0                            x₋₁ = −h w₀
/// ```
///
/// The same positions as those of [`SchatzmanPaoli`](super::SchatzmanPaoli) where nobody acts. `w` takes an impulse at once, so that joints can agree on it, where the
/// mean velocity takes it by halves; and a position that a joint has moved leaves no velocity behind. As the velocity at the end of a step it is
/// late by half a step: joined to other rules the order is one. The first step begins with `w₀ = v₀ − ½ h a₀`, as there.
#[derive(Debug)]
pub(crate) struct JoinedSchatzmanPaoli {
    theta: f64,
    /// Size of the last step (s); zero at a start.
    previous: f64,
}

impl JoinedSchatzmanPaoli {
    pub(crate) fn new(theta: f64) -> Self {
        Self { theta, previous: 0.0 }
    }
}

impl StepRule for JoinedSchatzmanPaoli {
    fn plan(&mut self, h: f64, state: &ImpactState, _coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.share, out.imposed) = (h, self.theta, Imposed::Position);
        let has_begun = self.previous > 0.0;
        let (previous, late) = if has_begun { (self.previous, 0.0) } else { (h, 0.5 * h) };
        for (back, (v, a)) in out.back.iter_mut().zip(state.v.iter().zip(&state.a)) {
            *back = h * (late * a - v);
        }
        go_on(self.theta, (h, previous), out);
        (out.end.by_acceleration.0, out.end.by_jump.0) = (0.5 * (h + previous), h.recip());
    }

    fn accept(&mut self, h: f64, _start: &ImpactState, end: &mut ImpactState, _had_impulses: bool) {
        end.algorithmic.copy_from_slice(&end.a);
        self.previous = h;
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous);
    }

    fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        self.previous = saved.number()?;
        Some(())
    }
}
