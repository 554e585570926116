//! The two-step A/L-stable rule with a tunable spectral radius.

use cosimo_dynamics::{
    Collocation, ConstraintLevel, LoadMemory, LoadQuadrature, MotionState, Prediction, Stage, StepRule,
    SystemError,
};

use crate::spectral_radius::check_spectral_radius;

/// Two-step rule of order two, A-stable, whose spectral radius at infinite frequency is a parameter `ρ`:
///
/// ```text
///   v₁ = a₀ v₀ + a₋₁ v₋₁ + b₁ u + b₀ u₀ + b₋₁ u₋₁
///   q₁ = a₀ q₀ + a₋₁ q₋₁ + b₁ v₁ + b₀ v₀ + b₋₁ v₋₁
/// ```
///
/// where `u`, the acceleration at the end of the step, satisfies the equations of motion there. The coefficients
/// are those of [`TwoStepCoefficients`]; they follow the step size. `ρ = 0` is the second-order backward
/// differentiation formula, `ρ = 1` conserves; 0.6 is the usual choice.
///
/// A rule of two steps needs a past. The first step, and the first after a jump of the velocity, is one of the
/// Crank-Nicolson rule, which starts from a consistent acceleration.
///
/// Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
/// Problems*, Politecnico di Milano 2012, section 5.1 (its print needs corrections);
/// P. Masarati, M. Lanz, P. Mantegazza, *Multistep integration of ordinary, stiff and differential-algebraic
/// problems for multibody dynamics applications*, XVI Congresso Nazionale AIDAA, 2001.
#[derive(Debug, Clone, PartialEq)]
pub struct Multistep {
    spectral_radius: f64,
    previous: MotionState,
    /// Size of the last step (s); zero where the past was forgotten.
    previous_step: f64,
}

/// Coefficients of one step of [`Multistep`] of size `h` after one of size `h₋₁`; with `α = h / h₋₁` and
/// `D = 2 (1 + α) − (1 − ρ)²`
///
/// ```text
///   β = α [(2 + α)(1 − ρ)² + 2 (1 + α)(2 ρ − 1)] / D        δ = α² (1 − ρ)² / (2 D)
///   a₀  = 1 − β                                             a₋₁ = β
///   b₁  = h₋₁ (δ/α + α/2)
///   b₀  = h₋₁ (β/2 + α/2 − (1 + α) δ/α)
///   b₋₁ = h₋₁ (β/2 + δ)
/// ```
///
/// They are of order two for every `α`, and `b₁ z² + b₀ z + b₋₁ = b₁ (z + ρ)²`: at infinite frequency the spectral
/// radius is `ρ` whatever the step sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoStepCoefficients {
    /// `a₀` and `a₋₁` (–).
    pub value: [f64; 2],
    /// `b₁`, `b₀` and `b₋₁` (s).
    pub rate: [f64; 3],
}

impl TwoStepCoefficients {
    /// Coefficients of a step of size `h` (s) after one of size `previous` (s), both positive, for the spectral
    /// radius `rho`.
    #[must_use]
    pub fn new(rho: f64, h: f64, previous: f64) -> Self {
        let alpha = h / previous;
        let damping = (1.0 - rho) * (1.0 - rho);
        let d = 2.0 * (1.0 + alpha) - damping;
        let beta = alpha * ((2.0 + alpha) * damping + 2.0 * (1.0 + alpha) * (2.0 * rho - 1.0)) / d;
        let delta = alpha * alpha * damping / (2.0 * d);
        Self {
            value: [1.0 - beta, beta],
            rate: [
                previous * (delta / alpha + 0.5 * alpha),
                previous * (0.5 * (beta + alpha) - (1.0 + alpha) * delta / alpha),
                previous * (0.5 * beta + delta),
            ],
        }
    }

    /// The quadrature of a load by this step.
    pub(crate) fn quadrature(&self) -> LoadQuadrature {
        let Self { value: [_, a_1], rate: [b1, b0, b_1] } = *self;
        LoadQuadrature { end: b1, start: b0, past: [b_1, a_1], memory: LoadMemory::TwoPoints }
    }

    /// The Crank-Nicolson rule, which needs no previous step.
    pub(crate) fn start(h: f64) -> Self {
        Self { value: [1.0, 0.0], rate: [0.5 * h, 0.5 * h, 0.0] }
    }
}

impl Multistep {
    /// The rule with this spectral radius at infinite frequency, in \[0, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(spectral_radius: f64) -> Result<Self, SystemError> {
        check_spectral_radius(spectral_radius)?;
        Ok(Self { spectral_radius, previous: MotionState::default(), previous_step: 0.0 })
    }

    /// The spectral radius at infinite frequency.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        self.spectral_radius
    }

    fn is_started(&self) -> bool {
        self.previous_step > 0.0
    }

    fn coefficients(&self, h: f64) -> TwoStepCoefficients {
        if self.is_started() {
            TwoStepCoefficients::new(self.spectral_radius, h, self.previous_step)
        } else {
            TwoStepCoefficients::start(h)
        }
    }
}

impl From<Multistep> for Box<dyn StepRule> {
    fn from(rule: Multistep) -> Self {
        Box::new(rule)
    }
}

impl StepRule for Multistep {
    fn name(&self) -> &'static str {
        "multistep"
    }

    fn label(&self) -> String {
        format!("multistep {}", self.spectral_radius)
    }

    fn collocation(&self) -> Collocation {
        Collocation::End
    }

    fn constraint_level(&self) -> ConstraintLevel {
        ConstraintLevel::Position
    }

    fn stage(&self, h: f64) -> Stage {
        let [b1, ..] = self.coefficients(h).rate;
        Stage {
            time_share: 1.0,
            velocity: b1,
            position: b1 * b1,
            end_velocity: b1,
            end_position: b1 * b1,
            end_load: b1,
            start_load: 0.0,
        }
    }

    fn end_share(&self) -> f64 {
        TwoStepCoefficients::new(self.spectral_radius, 1.0, 1.0).rate[0]
    }

    fn predict(&self, h: f64, state: &MotionState, out: &mut Prediction) {
        let TwoStepCoefficients { value: [a0, a_1], rate: [b1, b0, b_1] } = self.coefficients(h);
        let MotionState { q: q_1, v: v_1, a: u_1, .. } = &self.previous;
        let n = state.q.len();
        let (q, v, u) = (&state.q[..n], &state.v[..n], &state.a[..n]);
        let (q_1, v_1, u_1) = (&q_1[..n], &v_1[..n], &u_1[..n]);
        let (end_q, end_v) = (&mut out.end_q[..n], &mut out.end_v[..n]);
        for i in 0..n {
            let velocity = a0 * v[i] + a_1 * v_1[i] + b0 * u[i] + b_1 * u_1[i];
            end_v[i] = velocity;
            end_q[i] = a0 * q[i] + a_1 * q_1[i] + b0 * v[i] + b_1 * v_1[i] + b1 * velocity;
        }
        out.stage_q.copy_from_slice(end_q);
        out.stage_v.copy_from_slice(end_v);
    }

    fn quadrature(&self, h: f64) -> LoadQuadrature {
        self.coefficients(h).quadrature()
    }

    fn move_past(&mut self, way: &[f64]) {
        self.previous.q.iter_mut().zip(way).for_each(|(q, way)| *q += way);
    }

    fn accept(&mut self, h: f64, before: &MotionState, _after: &mut MotionState) {
        self.previous.q.copy_from_slice(&before.q);
        self.previous.v.copy_from_slice(&before.v);
        self.previous.a.copy_from_slice(&before.a);
        self.previous_step = h;
    }

    fn restart(&mut self, state: &MotionState) {
        let MotionState { q, v, a, .. } = &mut self.previous;
        for part in [q, v, a] {
            part.set_zeros(state.q.len());
        }
        self.previous_step = 0.0;
    }

    fn needs_acceleration(&self) -> bool {
        !self.is_started()
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.push(self.previous_step);
        for part in [&self.previous.q, &self.previous.v, &self.previous.a] {
            out.extend_from_slice(part);
        }
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let n = self.previous.q.len();
        let (step, history) = saved.get(..1 + 3 * n)?.split_first()?;
        self.previous_step = *step;
        self.previous.q.copy_from_slice(&history[..n]);
        self.previous.v.copy_from_slice(&history[n..2 * n]);
        self.previous.a.copy_from_slice(&history[2 * n..]);
        Some(1 + 3 * n)
    }
}
