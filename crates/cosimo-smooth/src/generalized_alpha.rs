//! The generalized-alpha rule.

use cosimo_dynamics::{Collocation, ConstraintLevel, MotionState, Prediction, Stage, StepRule, SystemError};

use crate::check_spectral_radius;

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
/// The algorithmic acceleration is the true one `(γ − ½) h` earlier. Where the step changes from `h₋₁` to
/// `h`, `a₀` is therefore replaced by `u₀ + (h/h₋₁)(a₀ − u₀)`, which keeps the order two.
///
/// Reference: J. Chung, G. M. Hulbert, *A time integration algorithm for structural dynamics with improved
/// numerical dissipation: the generalized-α method*, J. Appl. Mech. 60, 1993; the form with two accelerations:
/// M. Arnold, O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, Multibody
/// Syst. Dyn. 18, 2007.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneralizedAlpha {
    spectral_radius: f64,
    parameters: Parameters,
    /// `a` at the present state.
    algorithmic: Vec<f64>,
    /// Size of the last step (s); zero where the past was forgotten.
    previous_step: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
    /// `κ`.
    pub(crate) kappa: f64,
    /// `αf/(1 − αm)` and `−αm/(1 − αm)`: shares of `u₀` and `a₀` in `a*`.
    pub(crate) past: [f64; 2],
}

impl Parameters {
    pub(crate) fn new(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::with(alpha_m, alpha_f, 0.5 + alpha_f - alpha_m)
    }

    /// The family's member with these parameters, damped as evenly as `γ` allows.
    pub(crate) fn with(alpha_m: f64, alpha_f: f64, gamma: f64) -> Self {
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let scale = 1.0 - alpha_m;
        Self { beta, gamma, kappa: (1.0 - alpha_f) / scale, past: [alpha_f / scale, -alpha_m / scale] }
    }
}

impl GeneralizedAlpha {
    /// The rule with this spectral radius at infinite frequency, in \[0, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(spectral_radius: f64) -> Result<Self, SystemError> {
        check_spectral_radius(spectral_radius)?;
        let parameters = Parameters::new(spectral_radius);
        Ok(Self { spectral_radius, parameters, algorithmic: Vec::new(), previous_step: 0.0 })
    }

    /// The spectral radius at infinite frequency.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        self.spectral_radius
    }

    fn is_started(&self) -> bool {
        self.previous_step > 0.0
    }

    /// Factor of `a₀ − u₀` for a step of size `h`.
    fn lag_factor(&self, h: f64) -> f64 {
        if self.is_started() { h / self.previous_step } else { 0.0 }
    }
}

impl StepRule for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        "generalized-alpha"
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
        let (n, lag) = (state.q.len(), self.lag_factor(h));
        let (q, v, u, a) = (&state.q[..n], &state.v[..n], &state.a[..n], &self.algorithmic[..n]);
        let (end_q, end_v) = (&mut out.end_q[..n], &mut out.end_v[..n]);
        for i in 0..n {
            let now = u[i] + lag * (a[i] - u[i]);
            let known = share_u * u[i] + share_a * now;
            end_v[i] = v[i] + h * ((1.0 - gamma) * now + gamma * known);
            end_q[i] = q[i] + h * (v[i] + h * ((0.5 - beta) * now + beta * known));
        }
        out.stage_q.copy_from_slice(end_q);
        out.stage_v.copy_from_slice(end_v);
    }

    fn accept(&mut self, h: f64, before: &MotionState, after: &mut MotionState) {
        let Parameters { kappa, past: [share_u, share_a], .. } = self.parameters;
        let lag = self.lag_factor(h);
        for ((a, u0), u) in self.algorithmic.iter_mut().zip(&before.a).zip(&after.a) {
            let now = u0 + lag * (*a - u0);
            *a = share_u * u0 + share_a * now + kappa * u;
        }
        self.previous_step = h;
    }

    fn restart(&mut self, state: &MotionState) {
        self.algorithmic.clear();
        self.algorithmic.resize(state.a.len(), 0.0);
        self.previous_step = 0.0;
    }

    fn needs_acceleration(&self) -> bool {
        !self.is_started()
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
