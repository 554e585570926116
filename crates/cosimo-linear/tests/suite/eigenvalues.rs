//! Eigenvalues of matrices whose eigenvalues are known, repeated ones above all.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use std::f64::consts::TAU;

use cosimo_linear::eigenvalues;
use nalgebra::{Complex, DMatrix};

/// A matrix full of numbers without a pattern.
fn rough(n: usize, seed: f64) -> DMatrix<f64> {
    DMatrix::from_fn(n, n, |i, j| {
        ((17 * i + 5 * j) as f64 + seed).sin() + ((i * j) as f64 * 1.7 + seed).cos()
    })
}

fn rotation(n: usize, seed: f64) -> DMatrix<f64> {
    rough(n, seed).qr().q()
}

/// In the order of the real, then of the imaginary part, rounded to what may differ.
fn sorted(mut values: Vec<Complex<f64>>, tolerance: f64) -> Vec<Complex<f64>> {
    let key = |value: &Complex<f64>| ((value.re / tolerance).round(), value.im);
    values.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap());
    values
}

/// Every eigenvalue expected is found as often as expected.
fn assert_all(matrix: &DMatrix<f64>, expected: Vec<Complex<f64>>, tolerance: f64) {
    let found = sorted(eigenvalues(matrix).unwrap(), 1e3 * tolerance);
    let expected = sorted(expected, 1e3 * tolerance);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).norm() <= tolerance, "{found} instead of {expected}");
    }
}

fn real(values: impl IntoIterator<Item = f64>) -> Vec<Complex<f64>> {
    values.into_iter().map(|value| Complex::new(value, 0.0)).collect()
}

#[test]
fn every_multiplicity_is_found() {
    for n in [2, 3, 5, 30, 76, 160, 260] {
        for multiplicity in [1, 2, 3, 7, n] {
            let values = real((0..n).map(|k| 1.0 + (k / multiplicity) as f64));
            let diagonal = DMatrix::from_fn(n, n, |i, j| if i == j { values[i].re } else { 0.0 });
            let turn = rotation(n, multiplicity as f64);
            let size = values.iter().fold(0.0, |most: f64, value| most.max(value.re));
            assert_all(&(&turn * diagonal * turn.transpose()), values, 1e-13 * n as f64 * size);
        }
    }
}

/// Undamped vibrations `±iω`, repeated, behind an oblique change of coordinates.
#[test]
fn repeated_pairs_are_found() {
    for (n, multiplicity) in [(10, 2), (40, 2), (80, 4), (120, 3), (120, 60)] {
        let omega = |k: usize| 1.0 + (k / multiplicity) as f64;
        let mut matrix = DMatrix::zeros(2 * n, 2 * n);
        for k in 0..n {
            matrix[(k, n + k)] = omega(k);
            matrix[(n + k, k)] = -omega(k);
        }
        let oblique = rotation(2 * n, 0.3) + DMatrix::identity(2 * n, 2 * n) * 1.5;
        let turned = &oblique * matrix * oblique.clone().try_inverse().unwrap();
        let pairs = (0..n).flat_map(|k| [Complex::new(0.0, omega(k)), Complex::new(0.0, -omega(k))]);
        assert_all(&turned, pairs.collect(), 1e-11 * n as f64);
    }
}

/// Cyclic permutations do not change under the usual shifts.
#[test]
fn cyclic_permutations_have_the_roots_of_one() {
    for n in [3, 4, 8, 60, 200] {
        let matrix = DMatrix::from_fn(n, n, |i, j| if i == (j + 1) % n { 1.0 } else { 0.0 });
        let roots = (0..n).map(|k| Complex::from_polar(1.0, TAU * k as f64 / n as f64));
        assert_all(&matrix, roots.collect(), 1e-12);
    }
}

/// `ε^½` is what a double eigenvalue with one vector allows.
#[test]
fn defective_eigenvalues_split_by_the_root_of_the_round_off() {
    let matrix = DMatrix::from_fn(40, 40, |i, j| match (i, j) {
        (i, j) if i == j => 1.0 + (i / 2) as f64,
        (i, j) if j == i + 1 && i % 2 == 0 => 1.0,
        _ => 0.0,
    });
    let turn = rotation(40, 0.7);
    assert_all(&(&turn * matrix * turn.transpose()), real((0..40).map(|k| 1.0 + (k / 2) as f64)), 1e-6);
}

/// Free motions and equal vibrations of a body at once: double defective eigenvalues, repeated, beside repeated pairs. Every one is
/// found for any basis, within the root of the round-off.
#[test]
fn repeated_defective_eigenvalues_are_found_beside_pairs() {
    for (free, vibrations) in [(1, 0), (2, 1), (3, 3), (6, 6), (3, 20), (12, 2)] {
        let n = 2 * (free + vibrations);
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let (is_free, is_first) = (i < 2 * free, i % 2 == 0);
            match (i, j) {
                (i, j) if i == j => {
                    if is_free {
                        -1.0
                    } else {
                        -1.0 / 6.0
                    }
                }
                (i, j) if i / 2 == j / 2 && is_first => {
                    if is_free {
                        1.0
                    } else {
                        5_f64.sqrt() / 6.0
                    }
                }
                (i, j) if i / 2 == j / 2 && !is_free => -(5_f64.sqrt() / 6.0),
                _ => 0.0,
            }
        });
        for seed in 0..200 {
            let turn = rotation(n, 0.1 + f64::from(seed));
            let found = eigenvalues(&(&turn * &matrix * turn.transpose())).unwrap();
            let near = |re: f64, im: f64| {
                found.iter().filter(|own| (*own - Complex::new(re, im)).norm() < 1e-6).count()
            };
            let other = 5_f64.sqrt() / 6.0;
            let counts = [near(-1.0, 0.0), near(-1.0 / 6.0, other), near(-1.0 / 6.0, -other)];
            assert_eq!(counts, [2 * free, vibrations, vibrations], "{seed}: {found:?}");
        }
    }
}

/// Symmetric functions of the eigenvalues hold for matrices without any pattern, in units that differ by `1e12`.
#[test]
fn sum_and_sum_of_squares_are_the_traces() {
    for n in [1, 4, 33, 150] {
        let scale = |k: usize| 10_f64.powi((k % 13) as i32 - 6);
        let plain = rough(n, 0.1);
        let scaled = DMatrix::from_fn(n, n, |i, j| plain[(i, j)] * scale(i) / scale(j));
        let found = eigenvalues(&scaled).unwrap();
        let sum: Complex<f64> = found.iter().sum();
        let squares: Complex<f64> = found.iter().map(|value| value * value).sum();
        let allowed = 1e-12 * (n * n) as f64;
        assert!((sum.re - plain.trace()).abs() < allowed && sum.im.abs() < allowed);
        assert!((squares.re - (&plain * &plain).trace()).abs() < allowed * n as f64);
    }
}

#[test]
fn what_has_no_eigenvalues_is_refused() {
    assert!(eigenvalues(&DMatrix::zeros(2, 3)).is_none());
    assert!(eigenvalues(&DMatrix::from_element(2, 2, f64::NAN)).is_none());
    assert!(eigenvalues(&DMatrix::from_element(2, 2, f64::INFINITY)).is_none());
    assert_eq!(eigenvalues(&DMatrix::zeros(0, 0)).unwrap(), []);
    assert_all(&DMatrix::zeros(5, 5), real([0.0; 5]), 1e-300);
}
