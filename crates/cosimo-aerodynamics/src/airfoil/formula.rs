//! Symmetric sections over ±180° by a formula.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{Airfoil, Coefficient, Coefficients};
use crate::number::{Dual, Number};

/// A symmetric section of 12 % thickness over ±180°, without a table: attached flow with Kirchhoff's factor of the separation
/// point, blended into a flat plate at stall. With `B` the angle folded to 0…90° and `x` the same in radians,
///
/// ```text
///   a    = 2π 0.96 / √(1 − min(M, 0.75)²)
///   f    = 1 − 0.3 exp((B − 14.5°)/2.5°)                B ≤ 14.5°
///          0.04 + 0.66 exp((14.5° − B)/3°)              B > 14.5°
///   t    = 1 / (1 + exp((19° − B)/1.6°))
///   cl   = (1 − t) a sin x ((1 + √f)/2)² + 1.14 t sin 2x
///   cd   = (1 − t)(0.008 + 0.32 x²) + t (0.008 + 2.012 sin² x) + min(0.55 max(M − 0.77, 0), 0.088)
///   cm   = −t (sin x / 4) cn,   cn = cl cos x + cd sin x
/// ```
///
/// In reversed flow, beyond ±90°, `cl → −0.8 cl` and `cm = −0.8 (0.5 − 0.25 sin x) |cn|` with `cn` as above. Lift and moment are odd in the angle of
/// attack, drag is even. Against the table of the NACA 0012 at Mach 0.2 the mean errors (rms) over ±180° are 0.09, 0.12 and 0.06.
/// Where flow reverses, at ±90°, the coefficients jump a little.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FormulaAirfoil;

/// Lift, drag and moment.
type Three = [Dual<2>; 3];

impl Airfoil for FormulaAirfoil {
    fn coefficients(&self, alpha: f64, mach: f64) -> Coefficients {
        let size = alpha.abs();
        let (is_reversed, folded, slope) =
            if size <= FRAC_PI_2 { (false, size, 1.0) } else { (true, PI - size, -1.0) };
        let [lift, drag, moment] = folded_coefficients(folded, mach, is_reversed);
        let sign = 1.0_f64.copysign(alpha);
        let coefficient = |of: Dual<2>, parity: f64| Coefficient {
            value: parity * of.value,
            by_alpha: parity * slope * sign * of.by[0],
            by_mach: parity * of.by[1],
        };
        Coefficients {
            lift: coefficient(lift, sign),
            drag: coefficient(drag, 1.0),
            moment: coefficient(moment, sign),
        }
    }
}

/// The coefficients for an angle of 0…90° (rad), with their derivatives.
fn folded_coefficients(angle: f64, mach: f64, is_reversed: bool) -> Three {
    let (x, mach) = (Dual::variable(angle, 0), Dual::variable(mach, 1));
    let degrees = x * (180.0 / PI);
    let (sine, cosine) = (x.chain(angle.sin(), angle.cos()), x.chain(angle.cos(), -angle.sin()));
    let stalled = Dual::constant(1.0) / (exp((degrees + -19.0) * (-1.0 / 1.6)) + 1.0);
    let attached = -stalled + 1.0;
    let root = separation_point(degrees).sqrt();
    let shape = (root + 1.0) * 0.5;
    let mut lift = attached * lift_slope(mach) * sine * shape * shape + stalled * sine * cosine * 2.28;
    let drag = attached * (x * x * 0.32 + 0.008) + stalled * (sine * sine * 2.012 + 0.008) + drag_rise(mach);
    let moment = if is_reversed {
        let normal = lift * cosine + drag * sine;
        lift = lift * -0.8;
        normal.abs() * (sine * 0.25 + -0.5) * 0.8
    } else {
        -stalled * sine * 0.25 * (lift * cosine + drag * sine)
    };
    [lift, drag, moment]
}

fn exp(x: Dual<2>) -> Dual<2> {
    let value = x.value.exp();
    x.chain(value, value)
}

/// Prandtl and Glauert's rule.
fn lift_slope(mach: Dual<2>) -> Dual<2> {
    let bounded = if mach.value < 0.75 { mach } else { Dual::constant(0.75) };
    Dual::constant(2.0 * PI * 0.96) / (-bounded * bounded + 1.0).sqrt()
}

/// `f`, the separation point as a share of the chord.
fn separation_point(degrees: Dual<2>) -> Dual<2> {
    if degrees.value <= 14.5 {
        exp((degrees + -14.5) * 0.4) * -0.3 + 1.0
    } else {
        exp((-degrees + 14.5) * (1.0 / 3.0)) * 0.66 + 0.04
    }
}

/// Drag of compressibility.
fn drag_rise(mach: Dual<2>) -> Dual<2> {
    let rise = (mach + -0.77) * 0.55;
    if rise.value <= 0.0 {
        Dual::constant(0.0)
    } else if rise.value < 0.088 {
        rise
    } else {
        Dual::constant(0.088)
    }
}
