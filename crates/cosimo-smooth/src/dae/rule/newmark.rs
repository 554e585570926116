//! Newmark's family: generalized-α, HHT, Newmark.

use cosimo_dynamics::{Coordinates, LoadQuadrature};

use crate::algorithmic::{Algorithmic, Parameters};
use crate::dae::dae_rule::DaeRule;
use crate::dae::plan::{Link, Plan};
use crate::dae::state::DaeState;

/// The rules that integrate an algorithmic acceleration `a` which follows the true one, `u`:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]        q₁ = q₀ ∘ exp(h v₀ + h² [(½ − β) a₀ + β a₁])
/// ```
///
/// HHT has `αm = 0, αf = −α`, Newmark `αm = αf = 0`. How `a` passes from steps of one size to steps of another: [`Algorithmic`].
///
/// Reference: O. Brüls, A. Cardona, M. Arnold, *Lie group generalized-α time integration of constrained flexible multibody
/// systems*, Mech. Mach. Theory 48, 2012.
#[derive(Debug)]
pub(crate) struct NewmarkFamily {
    parameters: Parameters,
    algorithmic: Algorithmic,
}

impl NewmarkFamily {
    fn new(parameters: Parameters, coordinates: &Coordinates) -> Self {
        let mut algorithmic = Algorithmic::default();
        algorithmic.restart(coordinates.velocities());
        Self { parameters, algorithmic }
    }

    pub(crate) fn generalized_alpha(rho: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::new(rho), coordinates)
    }

    pub(crate) fn hht(alpha: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::hht(alpha), coordinates)
    }

    pub(crate) fn newmark(gamma: f64, coordinates: &Coordinates) -> Self {
        Self::new(Parameters::with(0.0, 0.0, gamma), coordinates)
    }
}

impl DaeRule for NewmarkFamily {
    fn plan(&mut self, h: f64, state: &DaeState, _coordinates: &Coordinates, out: &mut Plan) {
        let Parameters { beta, gamma, kappa, past: [share_u, share_a], .. } = self.parameters;
        for (i, start) in self.algorithmic.at_start(&self.parameters, h, &state.a).enumerate() {
            let (v, u) = (state.v[i], state.a[i]);
            let known = share_u * u + share_a * start;
            out.velocity[i] = v + h * ((1.0 - gamma) * start + gamma * known);
            out.increment[i] = h * (v + h * ((0.5 - beta) * start + beta * known));
        }
        out.guess.copy_from_slice(&state.a);
        (out.velocity_weight, out.position_weight) = (kappa * gamma * h, kappa * beta * h * h);
        (out.link, out.share) = (Link::Acceleration, 1.0);
    }

    fn accept(&mut self, h: f64, before: &DaeState, after: &DaeState) {
        self.algorithmic.accept(&self.parameters, h, &before.a, &after.a);
    }

    fn quadrature(&self, h: f64, _state: &DaeState) -> LoadQuadrature {
        self.algorithmic.quadrature(&self.parameters, h)
    }

    fn is_at_start(&self) -> bool {
        !self.algorithmic.is_started()
    }

    fn restart(&mut self, state: &DaeState) {
        self.algorithmic.restart(state.a.len());
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.algorithmic.save(out);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        self.algorithmic.restore(saved)
    }
}
