//! A workspace that has seen its largest problem allocates nothing.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use allocation_counter::measure;
use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, FacetedCone, FacetedSolver, FrictionConfig, FrictionProblem, GaussSeidel,
    GaussSeidelConfig,
};
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

/// A chain of 6 contacts, some of which slide: what solves it may allocate only the first time.
#[track_caller]
fn assert_only_the_first_allocates(mut solve: impl FnMut(&FrictionProblem<'_, 3>, &mut [f64])) {
    let diagonal = (0..18).map(|i| (i, i, 2.0));
    let beside = (0..15).flat_map(|i| [(i, i + 3, 0.9), (i + 3, i, 0.9)]);
    let matrix = BlockMatrix::<3>::from_triplets(6, diagonal.chain(beside)).unwrap();
    let offset: Vec<f64> = (0..18).map(|i| if i % 3 == 0 { -1.0 } else { f64::from(i).sin() }).collect();
    let friction = [0.4; 6];
    let mut r = [0.0; 18];
    let mut run = || {
        r.fill(0.0);
        solve(&FrictionProblem::new(&matrix, &offset, &friction).unwrap(), &mut r);
    };
    assert!(measure(&mut run).count_total > 0, "the counter counts");
    assert_eq!(measure(&mut run).count_total, 0);
}

#[test]
fn second_friction_problem_allocates_nothing() {
    let mut solver =
        GaussSeidel::new(GaussSeidelConfig { window: 3, ..GaussSeidelConfig::default() }).unwrap();
    assert_only_the_first_allocates(|problem, r| {
        let outcome = solver.solve(problem, r).unwrap();
        assert!(outcome.is_solved() && outcome.iterations > 5, "{outcome:?}");
    });
}

#[test]
fn second_problem_of_a_few_contacts_allocates_nothing_in_newtons_method() {
    let mut solver = AlartCurnier::new(FrictionConfig::default()).unwrap();
    assert_only_the_first_allocates(|problem, r| {
        let outcome = solver.solve(problem, r).unwrap();
        assert!(outcome.is_solved() && outcome.iterations > 1, "{outcome:?}");
    });
}

#[test]
fn second_problem_with_facets_allocates_nothing() {
    let (mut solver, cone) = (FacetedSolver::default(), FacetedCone::new(8).unwrap());
    assert_only_the_first_allocates(|problem, r| {
        assert!(solver.solve(problem, |_| cone, r).unwrap().is_solved());
    });
}
