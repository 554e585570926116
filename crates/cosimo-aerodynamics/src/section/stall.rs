//! Dynamic stall.
//!
//! S. Øye, *Dynamic stall simulated as time lag of separation*, 4th IEA Symposium on the Aerodynamics of Wind Turbines, 1991, with the
//! static separation point by Kirchhoff's formula as in M. H. Hansen, M. Gaunaa, H. A. Madsen, Risø-R-1354, 2004:
//!
//! ```text
//!   cl_i = a sin(α − α₀)          attached flow, slope and angle without lift between ±2°
//!   s    = 2 √(cl_st/cl_i) − 1    within [0, 1];  f_st = s²
//!   ḟ    = (f_st − f)/τ           τ = T c/V
//!   cl   = cl_st + (f − f_st) cl_i (3 + s)/(4 (1 + s))
//! ```
//!
//! The last is `f cl_i + (1 − f) cl_s` with the lift of separated flow `cl_s` for which a steady `f` gives the static lift.

use super::lag::{Lagged, Memory};
use crate::airfoil::Airfoil;
use crate::number::Number;

/// Angle (rad) between which and its negative flow counts as attached.
const ATTACHED: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// Lift of attached flow below which its share does not matter.
const NO_LIFT: f64 = 1e-9;

/// The lift for the static one, and the separation point; `frequency` is `1/τ` (1/s).
pub(super) fn lagged_lift<T: Number>(
    memory: Memory,
    airfoil: &dyn Airfoil,
    (alpha, mach, lift): (T, T, T),
    frequency: T,
) -> (T, Lagged<T>) {
    let attached = attached_lift(airfoil, alpha, mach);
    let root = separation_root(lift, attached);
    let steady = root * root;
    let point = memory.follow(0, steady, frequency);
    let weight = (root + 3.0) / ((root + 1.0) * 4.0);
    (lift + (point.value - steady) * attached * weight, point)
}

/// `a sin(α − α₀)`.
fn attached_lift<T: Number>(airfoil: &dyn Airfoil, alpha: T, mach: T) -> T {
    let [up, down] = [ATTACHED, -ATTACHED].map(|angle| {
        let lift = airfoil.coefficients(angle, mach.value()).lift;
        mach.chain(lift.value, lift.by_mach)
    });
    let slope = (up - down) * (0.5 / ATTACHED);
    let zero = (up + down) * -0.5 / slope;
    let angle = alpha - zero;
    slope * angle.chain(angle.value().sin(), angle.value().cos())
}

/// `√f_st`.
fn separation_root<T: Number>(lift: T, attached: T) -> T {
    if attached.value().abs() < NO_LIFT {
        return T::constant(1.0);
    }
    let ratio = lift / attached;
    if ratio.value() <= 0.25 {
        T::constant(0.0)
    } else if ratio.value() >= 1.0 {
        T::constant(1.0)
    } else {
        ratio.sqrt() * 2.0 + -1.0
    }
}
