//! Friction that holds a contact better than it brakes a sliding one.

use serde::{Deserialize, Serialize};

use super::rules::{ContactLawError, STRIBECK_EXPONENT, STRIBECK_SPEED};

/// Friction of contacts that stick, and how it falls to that of sliding as they slide faster:
///
/// ```text
///   μ(0) = μ_s        μ(s) = μ                                        without Stribeck's curve
///                     μ(s) = μ + (μ_s − μ) exp(−(s/v)^p)              with it
/// ```
///
/// at the slip speed `s`, with the coefficient `μ` of the [law](crate::ContactLaw).
///
/// Reference: B. Armstrong-Hélouvry, P. Dupont, C. Canudas de Wit, *A survey of models, analysis tools and compensation methods
/// for the control of machines with friction*, Automatica 30 (1994), eq. 6.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StaticFriction {
    /// Coefficient `μ_s` of a contact that sticks, at least that of one that slides (–).
    pub coefficient: f64,
    /// How it falls; `None` for at once.
    pub stribeck: Option<Stribeck>,
}

/// Stribeck's curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stribeck {
    /// Slip speed `v` at which `1/e` of the difference is left, positive (m/s).
    pub speed: f64,
    /// Exponent `p`, positive (–): 1 of Tustin's curve, 2 of Gauss'.
    pub exponent: f64,
}

impl StaticFriction {
    /// `μ(s)` at the slip speed `s` (m/s) above the coefficient `sliding` of fast slip.
    #[must_use]
    pub fn at(&self, sliding: f64, speed: f64) -> f64 {
        match self.stribeck {
            _ if speed == 0.0 => self.coefficient,
            None => sliding,
            Some(Stribeck { speed: of_curve, exponent }) => {
                sliding + (self.coefficient - sliding) * (-(speed / of_curve).powf(exponent)).exp()
            }
        }
    }

    /// Whether a contact that sticks is held at least as well as one that slides with the coefficient `sliding` is braked.
    #[must_use]
    pub fn holds_above(coefficient: f64, sliding: f64) -> bool {
        coefficient >= sliding && coefficient.is_finite()
    }

    /// Checks the numbers beside the coefficient of sliding.
    pub(super) fn check(&self, sliding: f64) -> Result<(), ContactLawError> {
        if !Self::holds_above(self.coefficient, sliding) {
            return Err(ContactLawError::StaticBelowSliding { found: self.coefficient, sliding });
        }
        if sliding == 0.0 {
            return Err(ContactLawError::SlidesFreely);
        }
        let Some(Stribeck { speed, exponent }) = self.stribeck else { return Ok(()) };
        STRIBECK_SPEED.check(speed)?;
        STRIBECK_EXPONENT.check(exponent)
    }
}
