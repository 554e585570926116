//! Coefficients of the two-step A/L-stable rule with a tunable spectral radius.

use crate::{LoadMemory, LoadQuadrature};

/// Coefficients of one step of the two-step rule of size `h` after one of size `h₋₁`; with `α = h / h₋₁` and
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
    pub(super) fn quadrature(&self) -> LoadQuadrature {
        let Self { value: [_, a_1], rate: [b1, b0, b_1] } = *self;
        LoadQuadrature { end: b1, start: b0, past: [b_1, a_1], memory: LoadMemory::TwoPoints }
    }

    /// The Crank-Nicolson rule, which needs no previous step.
    pub(super) fn start(h: f64) -> Self {
        Self { value: [1.0, 0.0], rate: [0.5 * h, 0.5 * h, 0.0] }
    }
}
