//! The rule of Schatzman and Paoli in a system on which others act.

use cosimo_dynamics::rules::Prediction;
use cosimo_dynamics::{Coordinates, StatePoint, StepFormula, StepRule};

use super::schatzman_paoli::{go_on, mean_of_two_steps, size_before};

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
    /// `x₋₁`.
    back: Vec<f64>,
}

impl JoinedSchatzmanPaoli {
    pub(crate) fn new(theta: f64) -> Self {
        Self { theta, previous: 0.0, back: Vec::new() }
    }
}

impl StepRule for JoinedSchatzmanPaoli {
    fn name(&self) -> &'static str {
        "schatzman-paoli"
    }

    fn formula(&self, h: f64) -> StepFormula {
        let previous = size_before(self.previous, h);
        let mut formula = mean_of_two_steps(self.theta, h, previous);
        formula.stage.velocity = h / (h + previous);
        formula.end.velocity = 0.5 * (h + previous);
        formula.jump.velocity = h.recip();
        formula
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        let late = if self.previous > 0.0 { 0.0 } else { 0.5 * h };
        for (back, (v, a)) in self.back.iter_mut().zip(start.motion.v.iter().zip(start.a)) {
            *back = h * (late * a - v);
        }
        go_on(h, &self.back, out);
    }

    fn leads_back(&self) -> &[f64] {
        &self.back
    }

    fn accept(&mut self, h: f64, _start: StatePoint<'_>, _end: &[f64], _jumped: bool) {
        self.previous = h;
    }

    fn restart(&mut self, coordinates: &Coordinates) {
        self.previous = 0.0;
        self.back.resize(coordinates.velocities(), 0.0);
    }

    fn needs_acceleration(&self) -> bool {
        self.previous == 0.0
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        self.previous = *saved.first()?;
        Some(1)
    }
}
