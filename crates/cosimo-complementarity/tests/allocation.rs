//! A workspace that has seen its largest problem allocates nothing.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use allocation_counter::measure;
use cosimo_complementarity::{LcpProblem, LemkeWorkspace};

/// Semidefinite of rank 1, all ratios tied: every part of the method is at work.
fn solve_all_sizes(lemke: &mut LemkeWorkspace, matrix: &mut [f64], offset: &[f64], z: &mut [f64]) {
    let largest = offset.len();
    for n in (0..=largest).rev() {
        let matrix = &mut matrix[..n * n];
        for (k, entry) in matrix.iter_mut().enumerate() {
            *entry = if k % (n + 1) == 0 { 2.0 } else { 1.0 };
        }
        let problem = LcpProblem::new(matrix, &offset[..n]).unwrap();
        assert!(lemke.solve(problem, &mut z[..n]).unwrap().is_solved());
        let twice = LcpProblem::new(&[1.0; 9], &[-1.0; 3]).unwrap();
        assert!(lemke.solve(twice, &mut [0.0; 3]).unwrap().is_solved());
    }
}

#[test]
fn second_solve_allocates_nothing() {
    let (mut matrix, offset, mut z) = (vec![0.0; 400], vec![-1.0; 20], vec![0.0; 20]);
    let mut lemke = LemkeWorkspace::with_capacity(0);
    let first = measure(|| solve_all_sizes(&mut lemke, &mut matrix, &offset, &mut z));
    assert!(first.count_total > 0, "the counter counts");
    let second = measure(|| solve_all_sizes(&mut lemke, &mut matrix, &offset, &mut z));
    assert_eq!(second.count_total, 0);
}

#[test]
fn capacity_given_is_enough() {
    let (mut matrix, offset, mut z) = (vec![0.0; 400], vec![-1.0; 20], vec![0.0; 20]);
    let mut lemke = LemkeWorkspace::with_capacity(20);
    let first = measure(|| solve_all_sizes(&mut lemke, &mut matrix, &offset, &mut z));
    assert_eq!(first.count_total, 0);
}
