//! Gradients of the inflow in forward flight, by the angle of the wake.
//!
//! `v (1 + k_x r cos ψ + k_y r sin ψ)` with `r` over the radius, `ψ = 0` downwind and 90° on the advancing side, and the wake's
//! angle `χ = atan(U/|W + v|)`:
//!
//! ```text
//!   Coleman   k_x = tan(χ/2)                                k_y = 0
//!   Drees     k_x = 4/3 (1 − cos χ − 1.8 μ²)/sin χ          k_y = −2 μ          μ = U/(ΩR)
//! ```
//!
//! R. P. Coleman, A. M. Feingold, C. W. Stempin, NACA ARR L5E10, 1945; J. M. Drees, *J. Helicopter Assoc. GB* 3, 1949.

use super::{DiskFlow, Momentum, momentum};
use crate::number::Number;

/// Share of the tip speed below which flow across the axis has no direction.
const STILL: f64 = 1e-9;

/// `[k_x, k_y]` for `U`, `V_T`, `|W + v|` and `μ`.
pub(crate) type Gradients<T> = fn(edgewise: T, speed: T, through: T, advance: T) -> [T; 2];

/// Coleman's.
pub(super) fn coleman<T: Number>(edgewise: T, speed: T, through: T, _advance: T) -> [T; 2] {
    [edgewise / (speed + through), T::constant(0.0)]
}

/// Drees'.
pub(super) fn drees<T: Number>(edgewise: T, speed: T, through: T, advance: T) -> [T; 2] {
    let (sine, cosine) = (edgewise / speed, through / speed);
    let first = (-cosine + 1.0 - advance * advance * 1.8) / sine * (4.0 / 3.0);
    [first, advance * -2.0]
}

impl Momentum {
    /// Mean and gradients of the field (m/s at the edge of the disk) for the mean `v`.
    pub(super) fn linear_field<T: Number>(
        &self,
        flow: &DiskFlow<T>,
        (induced, sign): (T, f64),
        gradients: Gradients<T>,
    ) -> [T; 3] {
        let zero = T::constant(0.0);
        let squared = momentum::edgewise_squared(flow);
        let edgewise = squared.sqrt();
        if edgewise.value() < STILL * self.tip_speed() {
            return [induced, zero, zero];
        }
        let through = flow.climb + induced;
        let advance = edgewise / (self.reference_speed(flow.speed) * self.radius);
        let [k_x, k_y] = gradients(edgewise, momentum::speed(squared, through), through.abs(), advance);
        let downwind = [-flow.along[0] / edgewise, -flow.along[1] / edgewise];
        let advancing = [-downwind[1] * sign, downwind[0] * sign];
        let along = |k: usize| induced * (k_x * downwind[k] + k_y * advancing[k]);
        [induced, along(0), along(1)]
    }
}
