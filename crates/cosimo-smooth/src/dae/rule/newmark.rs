//! Newmark's family: generalized-α, HHT, Newmark.

use cosimo_dynamics::Coordinates;

use super::{DaeRule, DaeState, Link, Plan};
use crate::generalized_alpha::Parameters;

/// The rules that integrate an algorithmic acceleration `a` which follows the true one, `u`:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]        q₁ = q₀ ∘ exp(h v₀ + h² [(½ − β) a₀ + β a₁])
/// ```
///
/// HHT has `αm = 0, αf = −α`, Newmark `αm = αf = 0`.
///
/// Reference: O. Brüls, A. Cardona, M. Arnold, *Lie group generalized-α time integration of constrained flexible multibody
/// systems*, Mech. Mach. Theory 48, 2012.
#[derive(Debug)]
pub(crate) struct NewmarkFamily {
    parameters: Parameters,
    algorithmic: Vec<f64>,
    /// Size of the last step (s); zero where the past was forgotten.
    previous_step: f64,
}

impl NewmarkFamily {
    fn new(parameters: Parameters, coordinates: &Coordinates) -> Self {
        Self { parameters, algorithmic: vec![0.0; coordinates.velocities()], previous_step: 0.0 }
    }

    pub(crate) fn generalized_alpha(rho: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::new(rho), coordinates)
    }

    pub(crate) fn hht(alpha: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::with(0.0, -alpha, 0.5 - alpha), coordinates)
    }

    pub(crate) fn newmark(gamma: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::with(0.0, 0.0, gamma), coordinates)
    }

    /// Factor of `a₀ − u₀` for a step of size `h`: the instant of `a` lies `(γ − ½) h` before that of `u`.
    fn lag(&self, h: f64) -> f64 {
        if self.previous_step > 0.0 { h / self.previous_step } else { 0.0 }
    }
}

impl DaeRule for NewmarkFamily {
    fn plan(&mut self, h: f64, state: &DaeState, _coordinates: &Coordinates, out: &mut Plan) {
        let Parameters { beta, gamma, kappa, past: [share_u, share_a] } = self.parameters;
        let lag = self.lag(h);
        for (i, a) in self.algorithmic.iter().enumerate() {
            let (v, u) = (state.v[i], state.a[i]);
            let start = u + lag * (a - u);
            let known = share_u * u + share_a * start;
            out.velocity[i] = v + h * ((1.0 - gamma) * start + gamma * known);
            out.increment[i] = h * (v + h * ((0.5 - beta) * start + beta * known));
        }
        out.guess.copy_from_slice(&state.a);
        (out.velocity_weight, out.position_weight) = (kappa * gamma * h, kappa * beta * h * h);
        (out.link, out.share) = (Link::Acceleration, 1.0);
    }

    fn accept(&mut self, h: f64, before: &DaeState, after: &DaeState) {
        let Parameters { kappa, past: [share_u, share_a], .. } = self.parameters;
        let lag = self.lag(h);
        for (i, a) in self.algorithmic.iter_mut().enumerate() {
            let u = before.a[i];
            let start = u + lag * (*a - u);
            *a = share_u * u + share_a * start + kappa * after.a[i];
        }
        self.previous_step = h;
    }

    fn is_at_start(&self) -> bool {
        self.previous_step == 0.0
    }

    fn restart(&mut self, _state: &DaeState) {
        self.previous_step = 0.0;
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous_step);
        out.extend_from_slice(&self.algorithmic);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let length = 1 + self.algorithmic.len();
        let (step, algorithmic) = saved.get(..length)?.split_first()?;
        self.previous_step = *step;
        self.algorithmic.copy_from_slice(algorithmic);
        Some(length)
    }
}
