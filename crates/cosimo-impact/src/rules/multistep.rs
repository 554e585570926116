//! The two-step rule with jumps.

use cosimo_dynamics::Coordinates;
use cosimo_smooth::TwoStepCoefficients;

use super::step_rule::StepRule;
use crate::plan::{Imposed, Plan};
use crate::state::ImpactState;
use crate::tape::Tape;

/// The two-step rule with spectral radius `ρ` at infinite frequency,
///
/// ```text
///   v₁ = a₀ v₀ + a₋₁ v₋₁ + b₁ u₁ + b₀ u₀ + b₋₁ u₋₁ + w
///   x₁ =         a₋₁ x₋₁ + b₁ ṽ + b₀ v₀ + b₋₁ v₋₁ + ½ h w         ṽ = v₁ − w
/// ```
///
/// with increments `x` from the start. A step after one with impulses, and the first, is Crank and Nicolson's: a past from before an
/// impulse would count the impulse again. Source: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in
/// Multibody Problems*, 2012, eqs. 5.4 and 5.5 with `α` the right way up.
#[derive(Debug)]
pub(crate) struct Multistep {
    radius: f64,
    /// Size of the last step (s); `None` where the past is forgotten.
    previous: Option<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    /// `x₋₁`.
    back: Vec<f64>,
}

impl Multistep {
    pub(crate) fn new(radius: f64, state: &ImpactState) -> Self {
        let zeros = vec![0.0; state.v.len()];
        let (v, u, back) = (zeros.clone(), zeros.clone(), zeros);
        Self { radius, previous: None, q: state.q.clone(), v, u, back }
    }
}

impl StepRule for Multistep {
    fn plan(&mut self, h: f64, state: &ImpactState, coordinates: &Coordinates, out: &mut Plan) {
        (out.h, out.imposed) = (h, Imposed::Velocity);
        let crank_nicolson = TwoStepCoefficients { value: [1.0, 0.0], rate: [0.5 * h, 0.5 * h, 0.0] };
        let coefficients = self.previous.map(|previous| TwoStepCoefficients::new(self.radius, h, previous));
        let TwoStepCoefficients { value: [a0, a1], rate: [b, b0, b1] } =
            coefficients.unwrap_or(crank_nicolson);
        coordinates.difference(&state.q, &self.q, &mut self.back);
        for i in 0..state.v.len() {
            let explicit = a0 * state.v[i] + a1 * self.v[i] + b0 * state.a[i] + b1 * self.u[i];
            out.end.velocity[i] = explicit;
            out.end.increment[i] = a1 * self.back[i] + b * explicit + b0 * state.v[i] + b1 * self.v[i];
        }
        (out.end.by_acceleration, out.end.by_jump) = ((b, b * b), (1.0, 0.5 * h));
        out.balance_at_end();
    }

    fn accept(&mut self, h: f64, start: &ImpactState, end: &mut ImpactState, had_impulses: bool) {
        end.algorithmic.copy_from_slice(&end.a);
        self.previous = (!had_impulses).then_some(h);
        self.q.copy_from_slice(&start.q);
        self.v.copy_from_slice(&start.v);
        self.u.copy_from_slice(&start.a);
    }

    fn save(&self, out: &mut Vec<f64>) {
        // A size of zero stands for no step before.
        out.push(self.previous.unwrap_or(0.0));
        [&self.q, &self.v, &self.u].into_iter().for_each(|past| out.extend_from_slice(past));
    }

    fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        self.previous = Some(saved.number()?).filter(|previous| *previous > 0.0);
        [&mut self.q, &mut self.v, &mut self.u].into_iter().try_for_each(|past| saved.fill(past))
    }
}
