//! The rule of Schatzman and Paoli.

use cosimo_dynamics::rules::{EndWeights, Prediction, StageFractions};
use cosimo_dynamics::{Coordinates, StatePoint, StepFormula, StepRule};

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
    /// `x₋₁`.
    back: Vec<f64>,
}

impl SchatzmanPaoli {
    pub(crate) fn new(theta: f64) -> Self {
        Self { theta, previous: 0.0, rest: 0.0, q: Vec::new(), back: Vec::new() }
    }
}

/// How a step of size `h` (s) goes on after one of another size, with the mean velocity over both at its end.
pub(super) fn mean_of_two_steps(theta: f64, h: f64, previous: f64) -> StepFormula {
    let both = h + previous;
    StepFormula {
        stage: StageFractions { time: theta, velocity: 1.0, position: theta },
        end: EndWeights { velocity: 0.5 * h, position: 0.5 * h * both },
        jump: EndWeights { velocity: both.recip(), position: 1.0 },
        ..StepFormula::default()
    }
}

/// Lets a step of size `h` (s) go on from what leads back.
pub(super) fn go_on(h: f64, back: &[f64], out: &mut Prediction) {
    for (i, back) in back.iter().enumerate() {
        (out.velocity[i], out.increment[i]) = (-back / h, -back);
    }
}

/// The size of the step before one of size `h` (s): the same at a start.
pub(super) fn size_before(previous: f64, h: f64) -> f64 {
    if previous > 0.0 { previous } else { h }
}

impl StepRule for SchatzmanPaoli {
    fn name(&self) -> &'static str {
        "schatzman-paoli"
    }

    fn formula(&self, h: f64) -> StepFormula {
        mean_of_two_steps(self.theta, h, size_before(self.previous, h))
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, coordinates: &Coordinates, out: &mut Prediction) {
        if self.previous > 0.0 {
            let growth = h / self.previous;
            coordinates.difference(start.motion.q, &self.q, &mut self.back);
            self.back.iter_mut().for_each(|back| *back *= growth);
        } else {
            for (back, (v, a)) in self.back.iter_mut().zip(start.motion.v.iter().zip(start.a)) {
                *back = h * (0.5 * h * a - v);
            }
        }
        go_on(h, &self.back, out);
    }

    fn leads_back(&self) -> &[f64] {
        &self.back
    }

    fn accept(&mut self, h: f64, start: StatePoint<'_>, _end: &[f64], _jumped: bool) {
        self.rest = 1.0 - self.shares_of_impulses(h)[0];
        self.previous = h;
        self.q.copy_from_slice(start.motion.q);
    }

    fn shares_of_impulses(&self, h: f64) -> [f64; 2] {
        [h / (h + size_before(self.previous, h)), self.rest]
    }

    fn restart(&mut self, coordinates: &Coordinates) {
        (self.previous, self.rest) = (0.0, 0.0);
        self.q.resize(coordinates.positions(), 0.0);
        self.back.resize(coordinates.velocities(), 0.0);
    }

    fn needs_acceleration(&self) -> bool {
        self.previous == 0.0
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend([self.previous, self.rest]);
        out.extend_from_slice(&self.q);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let count = 2 + self.q.len();
        let own = saved.get(..count)?;
        (self.previous, self.rest) = (own[0], own[1]);
        self.q.copy_from_slice(&own[2..]);
        Some(count)
    }
}
