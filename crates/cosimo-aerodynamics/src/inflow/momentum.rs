//! Momentum theory of the whole disk.

use std::f64::consts::PI;

use super::DiskFlow;
use crate::number::Number;

/// Share of the nominal speed below which the inflow is blended out.
const BLENDED: f64 = 0.1;
/// Velocity (m/s) that is added to every flow through the disk, in squares: it keeps derivatives finite in still air.
const STILL: f64 = 1e-6;

/// What momentum theory knows of a rotor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// Radius `R` (m).
    pub radius: f64,
    /// Density of the air `ρ` (kg/m³).
    pub density: f64,
    /// Nominal speed of the rotor (rad/s).
    pub nominal_speed: f64,
}

impl Momentum {
    /// `ρ A` (kg/m).
    pub(crate) fn mass(&self) -> f64 {
        self.density * PI * self.radius * self.radius
    }

    /// Speed of the tips at the nominal speed of the rotor (m/s).
    pub(crate) fn tip_speed(&self) -> f64 {
        self.nominal_speed * self.radius
    }

    /// `b` (–): `s² (3 − 2 s)` with the share `s` of a tenth of the nominal speed, one above.
    pub(crate) fn blend<T: Number>(&self, speed: T) -> T {
        let share = speed.abs() * (1.0 / (BLENDED * self.nominal_speed));
        if share.value() >= 1.0 { T::constant(1.0) } else { share * share * (share * -2.0 + 3.0) }
    }

    /// Speed of the rotor that advance ratios are counted by (rad/s), not below a tenth of the nominal one.
    pub(crate) fn reference_speed<T: Number>(&self, speed: T) -> T {
        let (size, least) = (speed.abs(), BLENDED * self.nominal_speed);
        if size.value() < least { T::constant(least) } else { size }
    }

    /// `2 V_T v − b T/(ρA)`, over the speed of the tips (m/s): zero for the uniform inflow `v`.
    pub(crate) fn balance<T: Number>(&self, flow: &DiskFlow<T>, induced: T, thrust: T) -> T {
        let through = speed(edgewise_squared(flow), flow.climb + induced);
        let forced = self.blend(flow.speed) * thrust * (1.0 / self.mass());
        (through * induced * 2.0 - forced) * (1.0 / self.tip_speed())
    }
}

/// `U²` (m²/s²).
pub(crate) fn edgewise_squared<T: Number>(flow: &DiskFlow<T>) -> T {
    flow.along[0] * flow.along[0] + flow.along[1] * flow.along[1]
}

/// `V_T = √(U² + λ²)` (m/s), never zero.
pub(crate) fn speed<T: Number>(edgewise_squared: T, through: T) -> T {
    (edgewise_squared + through * through + STILL * STILL).sqrt()
}
