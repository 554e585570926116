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

use super::Air;
use crate::airfoil::Airfoil;
use crate::number::Number;

/// Angle (rad) between which and its negative flow counts as attached.
const ATTACHED: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// Lift of attached flow below which its share does not matter.
const NO_LIFT: f64 = 1e-9;

/// Lag of the separation point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DynamicStall {
    /// `T` (–): time constant in chords travelled; Øye has 4.
    pub time_constant: f64,
}

/// What is known of the separation point of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Separation {
    /// Flow is as if steady.
    Static,
    /// `f` is given, with `T`.
    Held { point: f64, time_constant: f64 },
    /// `f` at the start of a step, its rate there (1/s), half the size of the step (s), and `T`: the trapezoidal rule gives it at the end.
    Stepped { point: f64, rate: f64, half: f64, time_constant: f64 },
}

/// Lift with a separation point that lags behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lagged<T> {
    pub(super) lift: T,
    /// `f` (–) and its rate (1/s).
    pub(super) point: f64,
    pub(super) rate: f64,
}

impl Separation {
    /// The lift for the static one.
    pub(super) fn lift<T: Number>(
        self,
        airfoil: &dyn Airfoil,
        (alpha, mach, lift): (T, T, T),
        (air, chord): (Air, f64),
    ) -> Lagged<T> {
        if self == Self::Static {
            return Lagged { lift, point: 1.0, rate: 0.0 };
        }
        let attached = attached_lift(airfoil, alpha, mach);
        let root = separation_root(lift, attached);
        let steady = root * root;
        let per_time = |constant: f64| mach * (air.sound_speed / (constant * chord));
        let (point, frequency) = match self {
            Self::Static => (steady, mach),
            Self::Held { point, time_constant } => {
                // Before the first step nothing lags.
                let point = if point < 0.0 { steady } else { T::constant(point) };
                (point, per_time(time_constant))
            }
            Self::Stepped { point, rate, half, time_constant } => {
                let share = per_time(time_constant) * half;
                let end = (share * steady + (point + half * rate)) / (share + 1.0);
                (end, per_time(time_constant))
            }
        };
        let weight = (root + 3.0) / ((root + 1.0) * 4.0);
        Lagged {
            lift: lift + (point - steady) * attached * weight,
            point: point.value(),
            rate: (frequency * (steady - point)).value(),
        }
    }
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
