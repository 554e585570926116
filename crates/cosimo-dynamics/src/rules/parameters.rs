//! Parameters of the generalized-α family.

use serde::{Deserialize, Serialize};

/// Parameters of the generalized-α family.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GeneralizedAlphaParameters {
    /// `αm`.
    pub alpha_m: f64,
    /// `αf`.
    pub alpha_f: f64,
    /// `β`.
    pub beta: f64,
    /// `γ`.
    pub gamma: f64,
}

impl GeneralizedAlphaParameters {
    /// Chung and Hulbert's parameters for this spectral radius at infinite frequency, in \[0, 1\].
    #[must_use]
    pub fn generalized_alpha(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::evenly_damped(alpha_m, alpha_f, 0.5 + alpha_f - alpha_m)
    }

    /// The parameters of Hilber, Hughes and Taylor for `α` in \[−1/3, 0\].
    #[must_use]
    pub fn hht(alpha: f64) -> Self {
        Self::evenly_damped(0.0, -alpha, 0.5 - alpha)
    }

    /// Those of Newmark's rule for `γ` in \[½, 1\].
    #[must_use]
    pub fn newmark(gamma: f64) -> Self {
        Self::evenly_damped(0.0, 0.0, gamma)
    }

    /// `β = (γ + ½)²/4`: the member of the family that is damped as evenly as `γ` allows.
    fn evenly_damped(alpha_m: f64, alpha_f: f64, gamma: f64) -> Self {
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }

    /// `(1 − γ) a₀ + γ a₁`, which a step adds to the velocity `h` times.
    #[must_use]
    pub fn velocity_sum(&self, [a0, a1]: [f64; 2]) -> f64 {
        (1.0 - self.gamma) * a0 + self.gamma * a1
    }

    /// `(½ − β) a₀ + β a₁`, which a step adds to the position `h²` times, beside `h v₀`.
    #[must_use]
    pub fn position_sum(&self, [a0, a1]: [f64; 2]) -> f64 {
        (0.5 - self.beta) * a0 + self.beta * a1
    }
}
