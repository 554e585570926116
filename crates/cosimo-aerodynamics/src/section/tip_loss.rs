//! The loss of lift at the tip.

use std::f64::consts::PI;

use crate::number::Number;

/// Nearest distance to the tip, as a share of the radius, that the factor distinguishes.
const NEAREST: f64 = 1e-4;
/// Exponent beyond which the factor is one to round-off.
const FARTHEST: f64 = 36.0;

/// Prandtl's factor for the loss of lift at the tips (Betz and Prandtl, 1919):
///
/// ```text
///   F = (2/π) acos e^{−f}        f = (N/2) (R − r) / (r |sin φ|)
/// ```
///
/// with `N` blades and the angle `φ` between the flow and the disk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TipLoss {
    /// Number of blades.
    pub blades: f64,
    /// Radius of the rotor (m).
    pub radius: f64,
}

impl TipLoss {
    /// `F` (–) at a radius (m) and for `sin φ`.
    pub(crate) fn factor<T: Number>(&self, radius: T, sine: T) -> T {
        let sine = sine.abs();
        let from_tip = (self.radius - radius.value()) / self.radius;
        let gap = if from_tip > NEAREST { -radius + self.radius } else { T::constant(NEAREST * self.radius) };
        let most = 0.5 * self.blades * gap.value();
        if !(radius.value() > 0.0) || FARTHEST * radius.value() * sine.value() <= most {
            return T::constant(1.0);
        }
        let exponent = gap * (0.5 * self.blades) / (radius * sine);
        let lost = (-exponent.value()).exp();
        let slope = 2.0 / PI * lost / (1.0 - lost * lost).sqrt();
        exponent.chain(2.0 / PI * lost.acos(), slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_falls_to_zero_at_the_tip_alone() {
        let tip = TipLoss { blades: 4.0, radius: 6.0 };
        assert!(tip.factor(3.0, 0.05) > 0.999_99);
        assert_eq!(tip.factor(3.0, 0.0), 1.0);
        // f = 2 · 0.1 / (5.9 · 0.05)
        let expected = 2.0 / PI * (-(2.0 * 0.1 / (5.9 * 0.05_f64))).exp().acos();
        assert!((tip.factor(5.9, -0.05) - expected).abs() < 1e-12);
        assert!(tip.factor(6.0, 0.05) < 0.06);
    }
}
