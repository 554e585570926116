//! Dynamic inflow with three states.
//!
//! D. M. Pitt, D. A. Peters, *Vertica* 5, 1981, in the nonlinear form of D. A. Peters, N. HaQuang, *J. Am. Helicopter Soc.* 33(4),
//! 1988, with velocities instead of ratios, so that it holds at any speed of the rotor:
//!
//! ```text
//!   M R v̇ + V L⁻¹ v = b C/(ρA)          M = diag(128/75π, 16/45π, 16/45π)
//!   v = (mean, gradient downwind, gradient across)        C = (T, Σ T_i x_i/R, Σ T_i y_i/R)
//!   L = [ 1/2            −15π/64 X     0           ]      X = tan(χ/2) = U/(V_T + |λ|)
//!       [ 15π/64 X        2 (1 − X²)   0           ]      λ = W + v₀
//!       [ 0               0            2 (1 + X²)  ]
//!   V = diag(V_T, V̄, V̄)      V_T = √(U² + λ²)      V̄ = (U² + |λ (λ + v₀)|)/V_T
//! ```
//!
//! `x` is the place downwind, `y` across. With first moments of the lift as `C`, more lift on one side makes more inflow there: the
//! diagonal is positive. Thrust makes more inflow downwind (row 2); lift in front makes more mean inflow than lift behind (row 1): the
//! wake builds up from front to rear.

use std::f64::consts::PI;

use super::{DiskFlow, Momentum, momentum};
use crate::number::Number;

/// Diagonal of `M`.
const MASSES: [f64; 3] = [128.0 / (75.0 * PI), 16.0 / (45.0 * PI), 16.0 / (45.0 * PI)];
/// `15π/64`.
const SKEW: f64 = 15.0 * PI / 64.0;
/// Share of the tip speed below which flow across the axis has no direction.
const STILL: f64 = 1e-9;

impl Momentum {
    /// Rates (m/s²) of mean and gradients (m/s) along the axes of the disk, for thrust and first moments over the radius (N).
    pub(super) fn pitt_peters_rates<T: Number>(
        &self,
        flow: &DiskFlow<T>,
        states: [T; 3],
        forcing: [T; 3],
    ) -> [T; 3] {
        let blend = self.blend(flow.speed);
        let decay = self.pitt_peters_decay(flow, states);
        std::array::from_fn(|k| {
            (blend * forcing[k] * (1.0 / self.mass()) - decay[k]) * (1.0 / (MASSES[k] * self.radius))
        })
    }

    /// `V L⁻¹ v` (m²/s²), along the axes of the disk.
    fn pitt_peters_decay<T: Number>(&self, flow: &DiskFlow<T>, [mean, first, second]: [T; 3]) -> [T; 3] {
        let squared = momentum::edgewise_squared(flow);
        let through = flow.climb + mean;
        let total = momentum::speed(squared, through);
        let mass_flow = (squared + (through * (through + mean)).abs()) / total;
        let (edgewise, downwind) = self.downwind(flow, squared);
        let skew = edgewise / (total + through.abs());
        let along = first * downwind[0] + second * downwind[1];
        let across = second * downwind[0] - first * downwind[1];
        let coupling = skew * SKEW;
        let longitudinal = (-skew * skew + 1.0) * 2.0;
        let determinant = longitudinal * 0.5 + coupling * coupling;
        let of_mean = (longitudinal * mean + coupling * along) / determinant * total;
        let of_along = (along * 0.5 - coupling * mean) / determinant * mass_flow;
        let of_across = across / ((skew * skew + 1.0) * 2.0) * mass_flow;
        [
            of_mean,
            of_along * downwind[0] - of_across * downwind[1],
            of_along * downwind[1] + of_across * downwind[0],
        ]
    }

    /// Velocity across the axis, and the unit vector downwind; where there is no such flow, no direction differs from another.
    fn downwind<T: Number>(&self, flow: &DiskFlow<T>, squared: T) -> (T, [T; 2]) {
        let edgewise = squared.sqrt();
        if edgewise.value() < STILL * self.tip_speed() {
            return (T::constant(0.0), [T::constant(1.0), T::constant(0.0)]);
        }
        (edgewise, [-flow.along[0] / edgewise, -flow.along[1] / edgewise])
    }
}
