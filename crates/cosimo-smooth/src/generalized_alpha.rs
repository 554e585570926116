//! The generalized-alpha rule.

use cosimo_dynamics::{
    Collocation, ConstraintLevel, LoadQuadrature, MotionState, Prediction, Stage, StepRule, SystemError,
};

use crate::algorithmic::{Algorithmic, Parameters};
use crate::spectral_radius::check_spectral_radius;

/// Generalized-alpha rule of order two with the spectral radius `ρ` at infinite frequency as its parameter.
///
/// The unknown `u` is the acceleration that satisfies the equations of motion at the end of the step; the rule
/// integrates an algorithmic acceleration `a` that follows it:
///
/// ```text
///   (1 − αm) a₁ + αm a₀ = (1 − αf) u + αf u₀
///   v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]        q₁ = q₀ + h v₀ + h² [(½ − β) a₀ + β a₁]
///
///   αm = (2ρ − 1)/(ρ + 1)      αf = ρ/(ρ + 1)      γ = ½ + αf − αm      β = (γ + ½)²/4
/// ```
///
/// so that with `κ = (1 − αf)/(1 − αm)` and `a* = (αf u₀ − αm a₀)/(1 − αm)` the step is one implicit stage,
/// `a₁ = a* + κ u`, `c_v = κ γ h`, `c_q = κ β h²`. Both accelerations are equal at the start and after a jump.
///
/// The algorithmic acceleration is the true one `(αf − αm) h` earlier. Where the step changes from `h₋₁` to `h`, `a₀` is
/// therefore taken from
///
/// ```text
///   a₀ − Δ (h/h₋₁ − 1) r − λ (a₀ − u₀ + Δ r)      r = w (u₀ − u₋₁) + (1 − w)(a₀ − a₋₁)      Δ = αf − αm
///   w = max(0, 1 − ½ (1 + αm)/Δ)                  λ = w max(0, 1 − h₋₁/h)
/// ```
///
/// which keeps the order two and lets die out what a jump of `u` leaves in `a`, growing steps or not.
///
/// Reference: J. Chung, G. M. Hulbert, *A time integration algorithm for structural dynamics with improved
/// numerical dissipation: the generalized-α method*, J. Appl. Mech. 60, 1993; the form with two accelerations:
/// M. Arnold, O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, Multibody
/// Syst. Dyn. 18, 2007.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneralizedAlpha {
    spectral_radius: f64,
    parameters: Parameters,
    algorithmic: Algorithmic,
}

impl GeneralizedAlpha {
    /// The rule with this spectral radius at infinite frequency, in \[0, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(spectral_radius: f64) -> Result<Self, SystemError> {
        check_spectral_radius(spectral_radius)?;
        let parameters = Parameters::new(spectral_radius);
        Ok(Self { spectral_radius, parameters, algorithmic: Algorithmic::default() })
    }

    /// The spectral radius at infinite frequency.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        self.spectral_radius
    }
}

impl From<GeneralizedAlpha> for Box<dyn StepRule> {
    fn from(rule: GeneralizedAlpha) -> Self {
        Box::new(rule)
    }
}

impl StepRule for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        "generalized-alpha"
    }

    fn label(&self) -> String {
        format!("generalized-alpha {}", self.spectral_radius)
    }

    fn collocation(&self) -> Collocation {
        Collocation::End
    }

    fn constraint_level(&self) -> ConstraintLevel {
        ConstraintLevel::Position
    }

    fn stage(&self, h: f64) -> Stage {
        let Parameters { beta, gamma, kappa, .. } = self.parameters;
        let (velocity, position) = (kappa * gamma * h, kappa * beta * h * h);
        Stage {
            time_share: 1.0,
            velocity,
            position,
            end_velocity: velocity,
            end_position: position,
            end_load: velocity,
            start_load: 0.0,
        }
    }

    fn predict(&self, h: f64, state: &MotionState, out: &mut Prediction) {
        let Parameters { beta, gamma, past: [share_u, share_a], .. } = self.parameters;
        let n = state.q.len();
        let (q, v, u) = (&state.q[..n], &state.v[..n], &state.a[..n]);
        let (end_q, end_v) = (&mut out.end_q[..n], &mut out.end_v[..n]);
        for (i, start) in self.algorithmic.at_start(&self.parameters, h, u).enumerate() {
            let known = share_u * u[i] + share_a * start;
            end_v[i] = v[i] + h * ((1.0 - gamma) * start + gamma * known);
            end_q[i] = q[i] + h * (v[i] + h * ((0.5 - beta) * start + beta * known));
        }
        out.stage_q.copy_from_slice(end_q);
        out.stage_v.copy_from_slice(end_v);
    }

    fn quadrature(&self, h: f64) -> LoadQuadrature {
        self.algorithmic.quadrature(&self.parameters, h)
    }

    fn accept(&mut self, h: f64, before: &MotionState, after: &mut MotionState) {
        self.algorithmic.accept(&self.parameters, h, &before.a, &after.a);
    }

    fn restart(&mut self, state: &MotionState) {
        self.algorithmic.restart(state.a.len());
    }

    fn needs_acceleration(&self) -> bool {
        !self.algorithmic.is_started()
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.algorithmic.save(out);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        self.algorithmic.restore(saved)
    }
}
