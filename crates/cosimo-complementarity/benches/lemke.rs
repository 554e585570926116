//! Time of a solve, checks of the input included: `cargo bench -p cosimo-complementarity`.

use std::hint::black_box;

use cosimo_complementarity::{LcpOutcome, LcpProblem, LemkeWorkspace};

fn main() {
    divan::main();
}

/// Times the problem with the `matrix` and `q = −1`.
fn time(bencher: divan::Bencher, matrix: &[f64], n: usize) {
    let offset = vec![-1.0; n];
    let mut z = vec![0.0; n];
    let mut lemke = LemkeWorkspace::with_capacity(n);
    bencher.bench_local(|| -> Option<LcpOutcome> {
        let problem = LcpProblem::new(black_box(matrix), black_box(&offset)).ok()?;
        lemke.solve(problem, black_box(&mut z)).ok()
    });
}

#[divan::bench]
fn one_contact(bencher: divan::Bencher) {
    time(bencher, &[2.0], 1);
}

#[divan::bench]
fn wedge(bencher: divan::Bencher) {
    time(bencher, &[1.0, 0.995, 0.995, 1.0], 2);
}

#[divan::bench]
fn same_contact_twice(bencher: divan::Bencher) {
    time(bencher, &[1.0; 4], 2);
}

/// Bodies that stand apart on four points each: blocks of four on the diagonal of the Delassus operator.
#[divan::bench(args = [64, 256])]
fn islands(bencher: divan::Bencher, n: usize) {
    let entry = |row: usize, column: usize| match (row / 4 == column / 4, row == column) {
        (false, _) => 0.0,
        (true, true) => 2.0,
        (true, false) => 0.4 - 0.1 * row.abs_diff(column) as f64,
    };
    let matrix: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    time(bencher, &matrix, n);
}

/// A chain of bodies: tridiagonal Delassus operator.
#[divan::bench(args = [4, 16, 64, 256])]
fn chain(bencher: divan::Bencher, n: usize) {
    let entry = |row: usize, column: usize| match row.abs_diff(column) {
        0 => 2.0,
        1 => -0.9,
        _ => 0.0,
    };
    let matrix: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    time(bencher, &matrix, n);
}
