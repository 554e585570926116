//! Systems with known behaviour, for the tests of this crate and of the step rules.
#![allow(dead_code, reason = "the tests of another crate use their own share")]
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use cosimo_dynamics::{LinearSystem, RowMap, StepRule, Stepper};
use nalgebra::DMatrix;

/// A stepper of `system` with these ports and no contacts.
pub(crate) fn stepper(
    system: LinearSystem,
    rule: impl StepRule + 'static,
    ports: impl RowMap + 'static,
    start: (&[f64], &[f64]),
) -> Stepper {
    let rows = (Box::new(ports), Box::new(cosimo_dynamics::NoRows));
    let start = (0.0, start.0.to_vec(), start.1.to_vec());
    Stepper::new(system, Box::new(rule), (rows.0, rows.1), start).unwrap()
}

/// The numbers that [`Stepper::save`] writes, as bits.
pub(crate) fn bits(stepper: &Stepper) -> Vec<u64> {
    let mut saved = Vec::new();
    stepper.save(&mut saved);
    saved.iter().map(|x| x.to_bits()).collect()
}

/// Slope of `log(error)` over `log(h)` by least squares.
pub(crate) fn observed_order(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let (x, y): (Vec<_>, Vec<_>) = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let covariance: f64 = x.iter().zip(&y).map(|(a, b)| (a - mx) * (b - my)).sum();
    covariance / x.iter().map(|a| (a - mx) * (a - mx)).sum::<f64>()
}

/// Chain of `n` equal masses between two walls; `damping` is a multiple of the stiffness matrix.
pub(crate) fn chain(n: usize, (mass, stiffness, damping): (f64, f64, f64)) -> LinearSystem {
    let springs = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2.0 * stiffness,
        1 => -stiffness,
        _ => 0.0,
    });
    LinearSystem::new(DMatrix::identity(n, n) * mass)
        .unwrap()
        .with_damping(&springs * (damping / stiffness))
        .unwrap()
        .with_stiffness(springs)
        .unwrap()
}
