//! The one-step θ rule.

use crate::{Collocation, ConstraintLevel, MotionState, Prediction, Stage, StepRule, SystemError};

/// One-step θ rule, the time discretisation of Moreau and Jean:
///
/// ```text
///   M (v₁ − v₀) = h f(t_θ, q_θ, v_θ) + Zᵀ X      q₁ = q₀ + h (θ v₁ + (1 − θ) v₀)
///   q_θ = (1 − θ) q₀ + θ q₁      v_θ = (1 − θ) v₀ + θ v₁
/// ```
///
/// Order two and free of numerical dissipation for `θ = ½` (the implicit midpoint rule), order one and dissipative
/// above. `X` is the impulse of all loads over the step, finite or not.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theta {
    theta: f64,
}

impl Theta {
    /// The rule with this `θ` in \[½, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(theta: f64) -> Result<Self, SystemError> {
        if (0.5..=1.0).contains(&theta) {
            Ok(Self { theta })
        } else {
            Err(SystemError::OutOfRange { quantity: "theta", found: theta, rule: "in [0.5, 1]" })
        }
    }

    /// The parameter `θ`.
    #[must_use]
    pub fn theta(&self) -> f64 {
        self.theta
    }
}

impl Default for Theta {
    /// The implicit midpoint rule, `θ = ½`.
    fn default() -> Self {
        Self { theta: 0.5 }
    }
}

impl From<Theta> for Box<dyn StepRule> {
    fn from(rule: Theta) -> Self {
        Box::new(rule)
    }
}

impl StepRule for Theta {
    fn name(&self) -> &'static str {
        "theta"
    }

    fn label(&self) -> String {
        format!("theta {}", self.theta)
    }

    fn has_past(&self) -> bool {
        false
    }

    fn collocation(&self) -> Collocation {
        Collocation::Mean
    }

    fn constraint_level(&self) -> ConstraintLevel {
        ConstraintLevel::Velocity
    }

    fn stage(&self, h: f64) -> Stage {
        let theta = self.theta;
        Stage {
            time_share: theta,
            velocity: theta * h,
            position: theta * theta * h * h,
            end_velocity: h,
            end_position: theta * h * h,
            end_load: theta * h,
            start_load: h - theta * h,
        }
    }

    fn predict(&self, h: f64, state: &MotionState, out: &mut Prediction) {
        let stage_step = self.theta * h;
        let n = state.q.len();
        let (q, v) = (&state.q[..n], &state.v[..n]);
        let (stage_q, stage_v) = (&mut out.stage_q[..n], &mut out.stage_v[..n]);
        let (end_q, end_v) = (&mut out.end_q[..n], &mut out.end_v[..n]);
        for i in 0..n {
            (stage_q[i], stage_v[i]) = (q[i] + stage_step * v[i], v[i]);
            (end_q[i], end_v[i]) = (q[i] + h * v[i], v[i]);
        }
    }

    fn accept(&mut self, _h: f64, _before: &MotionState, _after: &mut MotionState) {}

    fn restart(&mut self, _state: &MotionState) {}

    fn needs_acceleration(&self) -> bool {
        false
    }

    fn save(&self, _out: &mut Vec<f64>) {}

    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
