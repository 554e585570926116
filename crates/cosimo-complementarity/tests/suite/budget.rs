//! Bounds on a solve, and what is known where it ends at them.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cosimo_complementarity::friction::{
    FrictionConfig, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionSolver, FrictionStatus,
    GaussSeidel, GaussSeidelConfig, InteriorPoint, Patches, ProximalPoint, PseudoTransient,
};
use cosimo_complementarity::{
    Budget, FischerBurmeister, FischerBurmeisterConfig, LcpProblem, LcpSolver, LcpStatus, LemkeWorkspace,
};

use crate::friction::{matrix_of, reference};

/// Sweeps do little for this wall, so that all methods are asked.
fn with_hard_problem(solve: impl Fn(FrictionProblem<'_, 3>, usize)) {
    let wall = crate::piles::wall(6, 6, 0.3);
    let problem = FrictionProblem::new(&wall.delassus, &wall.offset, &wall.friction).unwrap();
    solve(problem, wall.offset.len());
}

#[test]
fn what_is_stopped_leaves_the_best_point() {
    let stop = AtomicBool::new(true);
    let stopped = Budget { stop: Some(&stop), ..Budget::default() };
    let late = Budget { until: Some(Instant::now()), ..Budget::default() };
    for budget in [stopped, late] {
        with_hard_problem(|problem, size| {
            for law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
                let (problem, mut r) = (problem.with_law(law).within(budget), vec![0.0; size]);
                let outcome = FrictionSolver::new(1e-8).unwrap().solve(&problem, &mut r).unwrap();
                assert_eq!((outcome.status, outcome.iterations), (FrictionStatus::Interrupted, 0), "{law:?}");
                assert_eq!(outcome.residual, problem.residual(&r));
            }
        });
    }
}

#[test]
fn iterations_of_all_methods_together_are_bounded() {
    for most in [1, 20, 130, 160] {
        with_hard_problem(|problem, size| {
            let budget = Budget { max_iterations: Some(most), ..Budget::default() };
            let (problem, mut r) = (problem.within(budget), vec![0.0; size]);
            let outcome = FrictionSolver::new(1e-13).unwrap().solve(&problem, &mut r).unwrap();
            // A step of proximal points is not cut short.
            assert!(outcome.iterations <= most + 20, "{most}: {outcome:?}");
            assert!(outcome.is_solved() || outcome.status == FrictionStatus::IterationLimit, "{outcome:?}");
            assert_eq!(outcome.residual, problem.residual(&r));
        });
    }
}

/// What one of the methods solves, the automatic choice does, by no more iterations than all of them take together.
#[test]
fn the_automatic_choice_solves_what_a_method_solves() {
    let names = ["cubic_99", "packing_100", "bricks_92", "uneven_packing_72", "uneven_tower_72"];
    for (name, tolerance) in names.iter().flat_map(|name| [(name, 1e-4), (name, 1e-6), (name, 1e-8)]) {
        let text = reference(name);
        let matrix = matrix_of(&text);
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        let from_rest = || vec![0.0; text.offset.len()];
        let config = FrictionConfig { tolerance, ..FrictionConfig::default() };
        let sweeps = GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() };
        let by_name: [FrictionOutcome; 5] = [
            GaussSeidel::new(sweeps).unwrap().solve(&problem, &mut from_rest()).unwrap(),
            InteriorPoint::new(config).unwrap().solve(&problem, &mut from_rest()).unwrap(),
            Patches::new(config).unwrap().solve(&problem, &mut from_rest()).unwrap(),
            ProximalPoint::new(config).unwrap().solve(&problem, &mut from_rest()).unwrap(),
            PseudoTransient::new(config).unwrap().solve(&problem, &mut from_rest()).unwrap(),
        ];
        assert!(by_name.iter().any(FrictionOutcome::is_solved), "{name}");
        let outcome = FrictionSolver::new(tolerance).unwrap().solve(&problem, &mut from_rest()).unwrap();
        assert!(outcome.is_solved(), "{name} {tolerance}: {outcome:?}");
        let together: usize = by_name.iter().map(|outcome| outcome.iterations).sum();
        assert!(outcome.iterations <= together, "{name} {tolerance}: {outcome:?} {by_name:?}");
    }
}

#[test]
fn linear_problems_are_stopped_too() {
    let stop = AtomicBool::new(true);
    let n = 30;
    let matrix: Vec<f64> = (0..n * n).map(|k| if k % (n + 1) == 0 { 2.0 } else { 1.0 }).collect();
    let offset: Vec<f64> = (0..n).map(|i| -1.0 - i as f64).collect();
    let problem = LcpProblem::new(&matrix, &offset).unwrap();
    let stopped = problem.within(Budget { stop: Some(&stop), ..Budget::default() });
    let mut z = vec![0.0; n];
    let outcome = LcpSolver::default().solve(stopped, &mut z).unwrap();
    assert_eq!(outcome.status, LcpStatus::Interrupted);
    let mut newton = FischerBurmeister::new(FischerBurmeisterConfig::default()).unwrap();
    assert_eq!(newton.solve(stopped, &mut z).unwrap().status, LcpStatus::Interrupted);
    let few = problem.within(Budget { max_iterations: Some(2), ..Budget::default() });
    assert_eq!(newton.solve(few, &mut z).unwrap().iterations, 2);
    z.fill(0.0);
    assert!(LcpSolver::default().solve(problem, &mut z).unwrap().is_solved());
}

/// `y ≥ 0` with `Mᵀ y ≤ 0` and `qᵀ y < 0`, in the units of the problem.
#[test]
fn what_has_no_solution_is_proved_to_have_none() {
    // Bodies of unequal masses that are pressed together, a free one beside them, and one number alone.
    let pressed = ([1.0, -1e3, 0.0, -1e3, 1e6, 0.0, 0.0, 0.0, 2.0], [-1.0, -1e3, -1.0]);
    let single = ([-1.0], [-1.0]);
    let problems: [(&[f64], &[f64]); 2] = [(&pressed.0, &pressed.1), (&single.0, &single.1)];
    for (matrix, offset) in problems {
        let (problem, n) = (LcpProblem::new(matrix, offset).unwrap(), offset.len());
        let (mut lemke, mut automatic) = (LemkeWorkspace::with_capacity(n), LcpSolver::default());
        assert_eq!(lemke.solve(problem, &mut vec![0.0; n]).unwrap().status, LcpStatus::Ray);
        assert_eq!(automatic.solve(problem, &mut vec![0.0; n]).unwrap().status, LcpStatus::Ray);
        for y in [lemke.certificate().unwrap(), automatic.certificate().unwrap()] {
            let dot = |a: &[f64]| a.iter().zip(y).map(|(a, y)| a * y).sum::<f64>();
            let size = y.iter().fold(0.0_f64, |size, y| size.max(*y));
            assert!(size > 0.0 && y.iter().all(|y| *y >= 0.0), "{y:?}");
            assert!(dot(offset) < 0.0);
            assert!(matrix.chunks_exact(n).all(|column| dot(column) <= 1e-12 * size), "{y:?}");
        }
    }
    // A problem with a solution has no such proof, whatever was solved before.
    let mut lemke = LemkeWorkspace::with_capacity(1);
    let none = LcpProblem::new(&[-1.0], &[-1.0]).unwrap();
    let _ = lemke.solve(none, &mut [0.0]).unwrap();
    assert!(lemke.certificate().is_some());
    let one = LcpProblem::new(&[1.0], &[-1.0]).unwrap();
    assert!(lemke.solve(one, &mut [0.0]).unwrap().is_solved() && lemke.certificate().is_none());
}
