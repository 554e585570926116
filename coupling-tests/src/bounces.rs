//! The bouncing ball in closed form, and the errors of a run in the mean.

use crate::{Run, fitted_order};

/// A gap that falls from rest and rebounds, `y = y₀ − ½ g t²` and `ẏ⁺ = −e ẏ⁻` at `y = 0`.
#[derive(Debug, Clone, Copy)]
pub struct Bounces {
    /// Gap at the start (m).
    pub height: f64,
    /// Acceleration towards the floor (m/s²).
    pub gravity: f64,
    /// Newton's coefficient (–).
    pub restitution: f64,
}

impl Bounces {
    /// Gap (m) and gap rate (m/s) at time `t` (s); at rest after the accumulation of the impacts.
    #[must_use]
    pub fn at(&self, t: f64) -> [f64; 2] {
        let Self { height, gravity, restitution } = *self;
        let mut impact = (2.0 * height / gravity).sqrt();
        if t < impact {
            return [height - 0.5 * gravity * t * t, -gravity * t];
        }
        if t >= impact * (1.0 + restitution) / (1.0 - restitution) {
            return [0.0, 0.0];
        }
        let mut rebound = restitution * gravity * impact;
        while t >= impact + 2.0 * rebound / gravity {
            impact += 2.0 * rebound / gravity;
            rebound *= restitution;
        }
        let s = t - impact;
        [s * (rebound - 0.5 * gravity * s), rebound - gravity * s]
    }

    /// Mean errors of gap (m) and gap rate (m/s) over a run, `Σ h |y − y(t)| / T`; `found` gives both at each
    /// communication point.
    #[must_use]
    pub fn mean_errors(&self, run: &Run, found: impl Fn(usize) -> [f64; 2]) -> [f64; 2] {
        let last = run.times.len() - 1;
        let span = run.times[last] - run.times[0];
        let mut sums = [0.0; 2];
        for k in 1..=last {
            let (exact, found) = (self.at(run.times[k]), found(k));
            for i in 0..2 {
                sums[i] += (run.times[k] - run.times[k - 1]) * (found[i] - exact[i]).abs() / span;
            }
        }
        sums
    }
}

/// Orders of the errors at these step sizes (s), each point of the fits the mean of ten neighbouring sizes: where an
/// impact falls within its step decides over the error of a single run, up to a factor of ten.
#[must_use]
pub fn orders_in_bands(steps: &[f64], errors: &[[f64; 2]]) -> [f64; 2] {
    let mean = |band: &[f64]| band.iter().sum::<f64>() / band.len() as f64;
    let centres: Vec<f64> = steps.chunks(10).map(mean).collect();
    [0, 1].map(|quantity| {
        let own: Vec<f64> = errors.iter().map(|e| e[quantity]).collect();
        let means: Vec<f64> = own.chunks(10).map(mean).collect();
        fitted_order(&centres, &means)
    })
}
