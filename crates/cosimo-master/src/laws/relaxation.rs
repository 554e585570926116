//! The force of a Tikhonov joint, `g = c λ`, at communication points from its means over the steps.
//!
//! A momentum row finds the mean force `m = x/h` of a step. With the force `λ₀` and its slope `s₀` at the start,
//!
//! ```text
//!   λ₁ = 3/2 m − 1/2 λ₀ + 1/4 h s₀        s₁ = (m − λ₀)/h + 1/2 s₀        λ̇₁ = 2 (m − λ₀)/h
//! ```
//!
//! In steps of one size this extrapolates the means to the end of the step, `λ₁ = (3 m − m₋)/2` and `h λ̇₁ = 2 m − 3 m₋ + m₌`: of second
//! order, where the means themselves lag by half a step.
//!
//! **No growing mode.** With `w = z⁻¹` the row is `ġ₁ = (c/h²)(1 − w)(2 − w) x`, and the sides' rates are `S Lᵀ N⁻¹ L x`,
//! `S = h/(1 − w)`. On the upper half of the unit circle `(1 − w)²(2 − w)` has the argument `π − θ + arctan(sin θ/(2 − cos θ))`, in `[0, π]`:
//! its imaginary part has the sign that rigid rows of dissipating rules have.
//!
//! **No energy.** `½ c λ² + ⅛ c h² s²` changes by the work of the sides, `m c (λ₁ − λ₀)`, less `¼ c (m − 2 m₋ + m₌)²`.

use serde::{Deserialize, Serialize};

/// Factor of the mean force in the force at the end of the step.
pub(crate) const END_SHARE: f64 = 1.5;
/// Factor of the mean force in `h λ̇₁`, and of the force at the start, taken away.
pub(crate) const RATE_SHARE: f64 = 2.0;

/// The force of a coordinate of a Tikhonov joint at a communication point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RelaxedForce {
    /// `λ` (N).
    pub(crate) force: f64,
    /// `s` (N/s).
    pub(crate) slope: f64,
}

impl RelaxedForce {
    /// That of a joint at rest with this force.
    pub(crate) fn constant(force: f64) -> Self {
        Self { force, slope: 0.0 }
    }

    /// After a step of size `h` (s) with this mean force.
    pub(crate) fn after(self, mean: f64, h: f64) -> Self {
        let force = END_SHARE * mean + self.known_at_end(h);
        Self { force, slope: (mean - self.force) / h + 0.5 * self.slope }
    }

    /// What the past adds to the force at the end of a step of size `h` (s).
    pub(crate) fn known_at_end(self, h: f64) -> f64 {
        0.25 * h * self.slope - 0.5 * self.force
    }
}

/// What the past gives the equations of Tikhonov joints, by unknown; zero at other joints.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Past<'a> {
    /// Forces at the start of the step.
    pub(crate) forces: &'a [RelaxedForce],
    /// `c` times what the past adds to the forces at its end (m).
    pub(crate) gaps: &'a [f64],
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forces at the ends of steps of these sizes on a course with this mean.
    fn ends(sizes: &[f64], start: f64, mean: impl Fn(f64, f64) -> f64) -> Vec<RelaxedForce> {
        let (mut t, mut own) = (0.0, RelaxedForce::constant(start));
        let step = |h: &f64| {
            own = own.after(mean(t, t + h), *h);
            t += h;
            own
        };
        sizes.iter().map(step).collect()
    }

    #[test]
    fn steps_of_one_size_extrapolate_the_means() {
        let means = [3.0, 1.0, 4.0, 1.0, 5.0];
        let (mut own, h) = (RelaxedForce::default(), 0.1);
        for k in 0..means.len() {
            let [m, before, first] =
                [0, 1, 2].map(|back: usize| k.checked_sub(back).map_or(0.0, |j| means[j]));
            let rate = RATE_SHARE * (m - own.force) / h;
            own = own.after(m, h);
            assert!((own.force - (1.5 * m - 0.5 * before)).abs() < 1e-14);
            assert!((rate - (2.0 * m - 3.0 * before + first) / h).abs() < 1e-12);
        }
    }

    #[test]
    fn the_force_is_of_second_order_whatever_the_sizes() {
        let errors = [64, 128, 256].map(|count: usize| {
            let sizes: Vec<f64> = (0..count).map(|k| (1.0 + 0.5 * (k % 3) as f64) / count as f64).collect();
            let end: f64 = sizes.iter().sum();
            let found = ends(&sizes, 0.0, |a, b| (a.cos() - b.cos()) / (b - a));
            (found[count - 1].force - end.sin()).abs()
        });
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1]).log2() > 1.8, "{errors:?}");
        }
    }

    #[test]
    fn the_joint_takes_out_energy_alone() {
        let h = 0.1;
        let stored = |own: RelaxedForce| 0.5 * own.force * own.force + 0.125 * (h * own.slope).powi(2);
        let (mut own, mut before) = (RelaxedForce::default(), [0.0; 2]);
        for m in [3.0, 1.0, 4.0, -1.0, 5.0, -9.0, 2.0] {
            let next = own.after(m, h);
            let made = stored(next) - stored(own) - m * (next.force - own.force);
            let bend: f64 = m - 2.0 * before[0] + before[1];
            assert!((made + 0.25 * bend * bend).abs() < 1e-13, "{made}");
            (own, before) = (next, [m, before[0]]);
        }
    }
}
