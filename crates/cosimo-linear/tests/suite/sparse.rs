//! Sparse factors of real and complex matrices beside products of known solutions.

use cosimo_linear::{FactorizationError, SparseLu};
use nalgebra::{Complex, DMatrix};

/// A sparse matrix without zeros on the diagonal alone: rows are exchanged.
fn entries(n: usize) -> Vec<(usize, usize, Complex<f64>)> {
    let number = |k: usize| Complex::new((7.0 * k as f64).sin(), (3.0 * k as f64 + 0.5).cos());
    let row = |i: usize| {
        [
            (i, (i + 1) % n, Complex::new(3.0, 1.0) + number(i)),
            (i, (5 * i + 2) % n, number(i + n)),
            (i, (11 * i + 7) % n, number(i + 2 * n)),
            // Added to the first.
            (i, (i + 1) % n, number(i + 3 * n)),
        ]
    };
    (0..n).flat_map(row).collect()
}

#[test]
fn complex_solutions_of_several_right_hand_sides_are_found() {
    let n = 40;
    let (entries, mut dense) = (entries(n), DMatrix::<Complex<f64>>::zeros(n, n));
    entries.iter().for_each(|(i, j, x)| dense[(*i, *j)] += x);
    let exact = DMatrix::from_fn(n, 3, |i, j| Complex::new((i + j) as f64, i as f64 - 2.0 * j as f64));
    let mut x = &dense * &exact;
    SparseLu::new(n, &entries).unwrap().solve(x.as_mut_slice());
    assert!((x - &exact).norm() <= 1e-10 * exact.norm());
}

#[test]
fn real_solutions_are_found() {
    let n = 40;
    let entries: Vec<(usize, usize, f64)> = entries(n).into_iter().map(|(i, j, x)| (i, j, x.re)).collect();
    let mut dense = DMatrix::<f64>::zeros(n, n);
    entries.iter().for_each(|(i, j, x)| dense[(*i, *j)] += x);
    let exact = DMatrix::from_fn(n, 1, |i, _| i as f64 - 3.0);
    let mut x = &dense * &exact;
    SparseLu::new(n, &entries).unwrap().solve(x.as_mut_slice());
    assert!((x - &exact).norm() <= 1e-10 * exact.norm());
}

#[test]
fn singular_matrices_are_refused() {
    let is_singular = |entries: &[(usize, usize, f64)]| {
        matches!(SparseLu::new(3, entries), Err(FactorizationError::Singular { .. }))
    };
    // Nothing in the last column; two rows in one column; places outside.
    assert!(is_singular(&[(0, 0, 1.0), (1, 1, 1.0), (2, 1, 1.0)]));
    assert!(is_singular(&[(0, 0, 1.0), (1, 0, 1.0), (2, 1, 1.0), (2, 2, 1.0)]));
    assert!(is_singular(&[(0, 0, 1.0), (1, 1, 1.0), (3, 2, 1.0)]));
    // A pivot of zero by its numbers.
    assert!(is_singular(&[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0), (2, 2, 1.0)]));
    let complex = [(0, 0, Complex::new(0.0, 1.0)), (1, 0, Complex::new(1.0, 0.0))];
    assert!(SparseLu::new(2, &complex).is_err());
}
