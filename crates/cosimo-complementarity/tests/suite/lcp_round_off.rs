//! Linear complementarity problems at the edge of what numbers resolve: large solutions are found, none is claimed or denied
//! by round-off.

use cosimo_complementarity::{LcpMethod, LcpProblem, LcpSolver, LcpStatus, LemkeWorkspace};
use proptest::prelude::*;

/// A body squeezed by something that gives way a little, beside one that is not squeezed: positive definite, with the one
/// solution `(1/ε, 1/ε, 1)`.
#[test]
fn what_gives_way_a_little_has_a_large_solution() {
    for power in 20..=52 {
        let stiff = 1.0 + 2.0_f64.powi(-power);
        let matrix = [stiff, -1.0, 0.0, -1.0, stiff, 0.0, 0.0, 0.0, 1.0];
        let problem = LcpProblem::new(&matrix, &[-1.0; 3]).unwrap();
        let (mut z, mut chosen) = ([0.0; 3], [0.0; 3]);
        let outcome = LemkeWorkspace::with_capacity(3).solve(problem, &mut z).unwrap();
        assert!(outcome.is_solved(), "{power}: {outcome:?}");
        assert!(LcpSolver::default().solve(problem, &mut chosen).unwrap().is_solved());
        for z in [z, chosen] {
            assert_eq!(z, [2.0_f64.powi(power), 2.0_f64.powi(power), 1.0]);
        }
    }
}

proptest! {
    /// Bodies squeezed between walls that do not give way, with masses and levers that no number holds exactly.
    #[test]
    fn squeezed_bodies_are_refused(mass in 1e-3_f64..1e3, lever in 0.1_f64..0.9, others in prop::collection::vec(0.1_f64..10.0, 1..6)) {
        let n = 2 + others.len();
        let mut matrix = vec![0.0; n * n];
        for (i, a) in [1.0, -lever].into_iter().enumerate() {
            for (j, b) in [1.0, -lever].into_iter().enumerate() {
                matrix[i + j * n] = a * b / mass;
            }
        }
        others.iter().enumerate().for_each(|(k, other)| matrix[(k + 2) * (n + 1)] = 1.0 / other);
        let offset = vec![-1.0; n];
        let problem = LcpProblem::new(&matrix, &offset).unwrap();
        let mut z = vec![0.0; n];
        let outcome = LemkeWorkspace::with_capacity(n).solve(problem, &mut z).unwrap();
        prop_assert_eq!(outcome.status, LcpStatus::Ray);
    }
}

/// The product (2²⁷ + 1)² has a bit more than a number holds, and its largest part cancels.
#[test]
fn round_off_of_large_terms_is_counted() {
    let large = 2.0_f64.powi(27);
    let (matrix, offset) = ([large + 1.0, 0.0, -large, 1.0], [-2.0 * large - 2.0, -large]);
    // w = ((2²⁷ + 1)² − 2⁵⁴ − 2²⁸ − 2, 0) = (−1, 0)
    let residual = LcpProblem::new(&matrix, &offset).unwrap().residual(&[large + 1.0, large]).unwrap();
    assert_eq!(residual, 1.0 / (2.0 * large + 2.0));
}

/// A matrix of rank 4 and 1e-9 of its size on the diagonal. The solution by rational arithmetic (Lemke's method), rounded, has
/// a residual of 7.499e-7, which no digit improves; other bases look like solutions to pivots, with residuals of order 1.
#[test]
fn nearly_singular_problems_are_solved_up_to_round_off() {
    let matrix = [
        0.008810574972403432,
        0.003032171187302477,
        -0.010496063565022877,
        -0.0018570067222096194,
        -0.005805692207909639,
        -0.007453422061742598,
        0.003032171187302477,
        0.011533369661891387,
        -0.0057753707364749845,
        -0.015006693764766274,
        -0.0036068117895243362,
        0.012506680673260337,
        -0.010496063565022877,
        -0.0057753707364749845,
        0.0129500566765044,
        0.005175035975181525,
        0.007248087435909517,
        0.005771293494725212,
        -0.0018570067222096194,
        -0.015006693764766274,
        0.005175035975181525,
        0.020070245478139247,
        0.0034271544732649155,
        -0.019072381935408216,
        -0.005805692207909639,
        -0.0036068117895243362,
        0.007248087435909517,
        0.0034271544732649155,
        0.004072366850057902,
        0.002599917248269864,
        -0.007453422061742598,
        0.012506680673260337,
        0.005771293494725212,
        -0.019072381935408216,
        0.002599917248269864,
        0.027960431245160424,
    ];
    let offset = [
        -1.0991190631678631,
        0.592196691404488,
        -1.313313437428466,
        -0.49539956700399346,
        0.20273375576037383,
        0.6135093864353722,
    ];
    let exact = [1259494810771.9624, 56784812045.57078, 999812540556.9882, 0.0, 0.0, 103973549640.49239];
    let problem = LcpProblem::new(&matrix, &offset).unwrap();
    let (mut z, mut chosen) = ([0.0; 6], [0.0; 6]);
    let outcome = LemkeWorkspace::with_capacity(6).solve(problem, &mut z).unwrap();
    let by_choice = LcpSolver::default().solve(problem, &mut chosen).unwrap();
    for (outcome, z) in [(outcome, z), (by_choice, chosen)] {
        assert_eq!(outcome.status, LcpStatus::Inaccurate, "{outcome:?}");
        assert!(outcome.residual < 7.6e-7, "{outcome:?}");
        assert_eq!(z, exact);
    }
}

/// No solution is near what is left when nothing solves a problem: that is no inaccuracy.
#[test]
fn what_is_not_solved_is_not_called_inaccurate() {
    // 1e300 / 1e-300 is no number.
    let problem = LcpProblem::new(&[1e-300], &[-1e300]).unwrap();
    let outcome = LemkeWorkspace::with_capacity(1).solve(problem, &mut [0.0]).unwrap();
    assert_eq!((outcome.status, outcome.residual), (LcpStatus::Stalled, 1.0));
}

/// Lemke's method ends on a ray; `z = (1, 1, 0)` has `w = 0`. The matrix is not copositive-plus.
#[test]
fn small_problems_outside_the_classes_of_lemke_are_solved() {
    let matrix = [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let problem = LcpProblem::new(&matrix, &[-1.0; 3]).unwrap();
    let (mut solver, mut z) = (LcpSolver::default(), [0.0; 3]);
    let outcome = solver.solve(problem, &mut z).unwrap();
    assert!(outcome.is_solved() && solver.method() == LcpMethod::Enumeration, "{outcome:?}");
    assert_eq!(problem.residual(&z).unwrap(), 0.0);
}

/// `w = (−z₂ − 1, z₁ − 1)`: the first is negative for every `z`.
#[test]
fn what_no_basis_solves_stays_unsolved() {
    let problem = LcpProblem::new(&[0.0, 1.0, -1.0, 0.0], &[-1.0, -1.0]).unwrap();
    let outcome = LcpSolver::default().solve(problem, &mut [0.0; 2]).unwrap();
    assert!(matches!(outcome.status, LcpStatus::Ray | LcpStatus::Stalled), "{outcome:?}");
}

/// Subnormal data: the solution is exact, and zero is none.
#[test]
fn subnormal_data_are_solved() {
    let offset = [-1e-320, -1e-320];
    let problem = LcpProblem::new(&[1.0, 0.0, 0.0, 1.0], &offset).unwrap();
    let mut z = [0.0; 2];
    assert!(LcpSolver::default().solve(problem, &mut z).unwrap().is_solved());
    assert_eq!(z, [1e-320; 2]);
}
