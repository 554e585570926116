//! The ground below a rotor.
//!
//! I. C. Cheeseman, W. E. Bennett, *The Effect of the Ground on a Helicopter Rotor in Forward Flight*, ARC R&M 3021, 1955: a source
//! above the ground and its image have the induced velocity at the disk
//!
//! ```text
//!   v_g = v (1 − (R/4z)² (W + v)²/V_T²)
//! ```
//!
//! for the same thrust, with the height `z` of the hub, not less than half a radius.

use nalgebra::Vector3;

use super::{DiskFlow, Momentum, momentum};
use crate::number::Number;

/// Least height of the hub, as a share of the radius, that the formula is meant for.
const LEAST: f64 = 0.5;

/// A plane that the wake of a rotor meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Unit vector upwards.
    pub up: Vector3<f64>,
    /// Height (m) of the plane along `up`.
    pub height: f64,
}

impl Momentum {
    /// Induced velocity near the ground over that of free air, for the latter's mean.
    pub(super) fn ground_factor<T: Number>(&self, flow: &DiskFlow<T>, mean: T) -> T {
        let least = LEAST * self.radius;
        let height = if flow.height.value() > least { flow.height } else { T::constant(least) };
        let image = T::constant(0.25 * self.radius) / height;
        let through = flow.climb + mean;
        let share = through / momentum::speed(momentum::edgewise_squared(flow), through);
        -(image * image * share * share) + 1.0
    }
}
