//! Thin airfoils.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{Airfoil, Coefficient, Coefficients};

/// An airfoil without stall: lift grows with the angle of attack, drag with its square.
///
/// ```text
///   cl = a (α − α₀)        cd = d₀ + d₂ α²        cm = m₀
/// ```
///
/// Beyond ±90° the angle is counted from the trailing edge, `α → ±π − α`. It is meant for flow that is attached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThinAirfoil {
    /// `a` (1/rad); 2π in theory.
    pub lift_slope: f64,
    /// `α₀` (rad), the angle without lift.
    pub zero_lift: f64,
    /// `d₀` (–).
    pub drag: f64,
    /// `d₂` (1/rad²).
    pub drag_by_square: f64,
    /// `m₀` (–).
    pub moment: f64,
}

impl ThinAirfoil {
    /// Lift alone, with this slope (1/rad).
    #[must_use]
    pub fn lifting(lift_slope: f64) -> Self {
        Self { lift_slope, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 }
    }
}

impl Airfoil for ThinAirfoil {
    fn coefficients(&self, alpha: f64, _mach: f64) -> Coefficients {
        let (folded, sign) =
            if alpha.abs() <= FRAC_PI_2 { (alpha, 1.0) } else { (PI.copysign(alpha) - alpha, -1.0) };
        let lift = self.lift_slope * (folded - self.zero_lift);
        let drag = self.drag + self.drag_by_square * folded * folded;
        Coefficients {
            lift: Coefficient { value: lift, by_alpha: sign * self.lift_slope, by_mach: 0.0 },
            drag: Coefficient {
                value: drag,
                by_alpha: 2.0 * sign * self.drag_by_square * folded,
                by_mach: 0.0,
            },
            moment: Coefficient { value: self.moment, by_alpha: 0.0, by_mach: 0.0 },
        }
    }
}
