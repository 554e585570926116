//! The one-step θ rule.

use super::formula::{EndWeights, PositionUpdate, Prediction, StageFractions, StepFormula};
use super::ranges::within;
use super::state_point::StatePoint;
use super::step_rule::{Collocation, ConstraintLevel, StepRule};
use crate::{Coordinates, SystemError};

/// One-step θ rule, the time discretisation of Moreau and Jean:
///
/// ```text
///   M (v₁ − v₀) = h f(t_θ, q_θ, v_θ) + Zᵀ X      q₁ = q₀ ∘ exp(x₁)      x₁ = h v_θ
///   q_θ = q₀ ∘ exp(θ x₁)      v_θ = (1 − θ) v₀ + θ v₁
/// ```
///
/// Order two and free of numerical dissipation for `θ = ½` (the implicit midpoint rule), order one and dissipative
/// above. `X` is the impulse of all loads over the step, finite or not; accelerations and multipliers are means.
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
        within("theta", theta, (0.5, 1.0), "in [0.5, 1]").map(|()| Self { theta })
    }

    /// The rule with any `θ` in \[0, 1\], for systems that are not stiff: below ½ fast motions grow.
    #[must_use]
    pub fn of_any(theta: f64) -> Self {
        Self { theta }
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

    fn formula(&self, h: f64) -> StepFormula {
        let stage_step = self.theta * h;
        StepFormula {
            stage: StageFractions::even(self.theta),
            end: EndWeights { velocity: h, position: stage_step * h },
            jump: EndWeights { velocity: 1.0, position: stage_step },
            position_update: PositionUpdate::Acceleration,
            end_load: stage_step,
            start_load: h - stage_step,
        }
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        out.coast(h, start);
    }
}
