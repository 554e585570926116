//! The one-step θ rule.

use crate::SystemError;

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
