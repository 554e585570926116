//! The iterative solvers of linear complementarity problems, against problems whose solution was chosen first.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::{
    FischerBurmeister, FischerBurmeisterConfig, LcpError, LcpMethod, LcpOutcome, LcpProblem, LcpSolver,
    LcpStatus, MixedLcpProblem, MixedLcpSolver, ProjectedGaussSeidel, ProjectedGaussSeidelConfig,
};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

fn entries(length: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0, length)
}

fn signed(n: usize) -> impl Strategy<Value = DVector<f64>> {
    prop::collection::vec(prop_oneof![Just(0.0), 0.1..2.0, -2.0..-0.1], n).prop_map(DVector::from_vec)
}

/// `M`, and `z` by the positive entries of a vector whose negative ones are those of `−w`.
fn problem(shift: f64, skew: f64) -> impl Strategy<Value = (DMatrix<f64>, DVector<f64>)> {
    (1_usize..16).prop_flat_map(|n| (entries(n * n), entries(n * n), signed(n))).prop_map(
        move |(g, s, signed)| {
            let n = signed.len();
            let (g, s) = (DMatrix::from_vec(n, n, g), DMatrix::from_vec(n, n, s));
            let matrix = &g * g.transpose() + (&s - s.transpose()) * skew + DMatrix::identity(n, n) * shift;
            (matrix, signed)
        },
    )
}

fn offset(matrix: &DMatrix<f64>, signed: &DVector<f64>) -> DVector<f64> {
    signed.map(|x| (-x).max(0.0)) - matrix * signed.map(|x| x.max(0.0))
}

/// Each product `M z` is known up to the rounding `n ε |M| |z|` of a sum of `n` terms, which solver and test order differently.
fn conditions(matrix: &DMatrix<f64>, q: &DVector<f64>, z: &DVector<f64>, tolerance: f64) -> bool {
    let w = matrix * z + q;
    let rounding = matrix.abs() * z.abs() * (q.len() as f64 * f64::EPSILON);
    let scale = matrix.diagonal().abs().mean();
    (0..q.len()).all(|i| {
        let bound = tolerance * q.amax().max(1e-300) + rounding[i];
        z[i] >= 0.0 && w[i] >= -bound && (scale * z[i]).min(w[i]) <= bound
    })
}

type Solve = fn(LcpProblem<'_>, &mut [f64]) -> LcpOutcome;

fn newton(problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
    FischerBurmeister::new(FischerBurmeisterConfig::default()).unwrap().solve(problem, z).unwrap()
}

fn sweeps(problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
    let config = ProjectedGaussSeidelConfig { tolerance: 1e-10, max_sweeps: 100_000, relaxation: 1.3 };
    ProjectedGaussSeidel::new(config).unwrap().solve(problem, z).unwrap()
}

fn automatic(problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
    LcpSolver::default().solve(problem, z).unwrap()
}

fn solve(by: Solve, matrix: &DMatrix<f64>, q: &DVector<f64>) -> (LcpOutcome, DVector<f64>) {
    let mut z = DVector::zeros(q.len());
    let outcome = by(LcpProblem::from_dense(matrix, q).unwrap(), z.as_mut_slice());
    (outcome, z)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn newton_solves_p_matrices((matrix, signed) in problem(0.3, 1.0)) {
        let q = offset(&matrix, &signed);
        let (outcome, z) = solve(newton, &matrix, &q);
        prop_assert!(outcome.is_solved(), "{outcome:?}");
        prop_assert!(conditions(&matrix, &q, &z, 1.1e-10));
        prop_assert!((z - signed.map(|x| x.max(0.0))).amax() < 1e-7);
    }

    #[test]
    fn over_relaxed_sweeps_solve_symmetric_problems((matrix, signed) in problem(0.3, 0.0)) {
        let q = offset(&matrix, &signed);
        let (outcome, z) = solve(sweeps, &matrix, &q);
        prop_assert!(outcome.is_solved(), "{outcome:?}");
        prop_assert!(conditions(&matrix, &q, &z, 1.1e-10));
    }

    /// Any rank, ties, and signs of any kind: solved, or told that it is not.
    #[test]
    fn no_solver_takes_a_wrong_point_for_a_solution(
        (g, q, rank) in (1_usize..10).prop_flat_map(|n| (entries(n * n), signed(n), 0..=n)),
        sign in prop_oneof![Just(1.0), Just(-1.0)],
    ) {
        let n = q.len();
        let g = DMatrix::from_vec(n, n, g).columns(0, rank).into_owned();
        let matrix = &g * g.transpose() * sign;
        for by in [newton as Solve, sweeps, automatic] {
            let (outcome, z) = solve(by, &matrix, &q);
            prop_assert!(z.iter().all(|z| z.is_finite() && *z >= 0.0), "{outcome:?} {z}");
            if outcome.is_solved() && matrix.amax() > 0.0 {
                prop_assert!(conditions(&matrix, &q, &z, 1.1e-10), "{outcome:?} {z}");
            }
        }
    }

    /// Impulses of 1e6 at contacts that nearly repeat each other: the rounding of the condition is above its tolerance.
    #[test]
    fn solutions_of_nearly_singular_problems_hold_to_their_rounding(small in -6.0..-3.0_f64, q in signed(3)) {
        let g = DMatrix::from_row_slice(3, 3, &[1.0, 0.2, 0.0, 1.0, 0.2, 10_f64.powf(small), -0.9, 0.3, 0.0]);
        let matrix = &g * g.transpose();
        for by in [newton as Solve, automatic] {
            let (outcome, z) = solve(by, &matrix, &q);
            prop_assert!(!outcome.is_solved() || conditions(&matrix, &q, &z, 1.1e-10), "{outcome:?} {z}");
        }
    }

    #[test]
    fn the_automatic_choice_solves_semidefinite_problems_that_have_a_solution(
        (g, signed, rank) in (1_usize..16).prop_flat_map(|n| (entries(n * n), signed(n), 1..=n)),
    ) {
        let n = signed.len();
        let g = DMatrix::from_vec(n, n, g).columns(0, rank).into_owned();
        let matrix = &g * g.transpose();
        let q = offset(&matrix, &signed);
        let (outcome, z) = solve(automatic, &matrix, &q);
        prop_assert!(outcome.is_solved() && conditions(&matrix, &q, &z, 1.1e-10), "{outcome:?}");
    }

    /// A solution is chosen, equations that repeat each other included.
    #[test]
    fn mixed_problems_are_solved((matrix, signed) in problem(0.3, 0.5), u in entries(3), repeat in any::<bool>()) {
        let (n, m) = (signed.len(), 3);
        let mut whole = DMatrix::zeros(m + n, m + n);
        whole.view_mut((m, m), (n, n)).copy_from(&matrix);
        for k in 0..m {
            // Skew coupling, as of constraints and contacts on the same masses.
            whole[(k, k)] = 1.0 + k as f64;
            (whole[(k, m + k % n)], whole[(m + k % n, k)]) = (0.7, -0.7);
        }
        if repeat {
            let (row, column) = (whole.row(0).into_owned(), whole.column(0).into_owned());
            whole.set_row(1, &row);
            whole.set_column(1, &column);
            whole[(1, 1)] = whole[(0, 0)];
            (whole[(0, 1)], whole[(1, 0)]) = (whole[(0, 0)], whole[(0, 0)]);
        }
        let mut x = DVector::from_iterator(m + n, u.into_iter().chain(signed.iter().map(|x| x.max(0.0))));
        let mut q = -(&whole * &x);
        (0..n).for_each(|i| q[m + i] += (-signed[i]).max(0.0));
        let problem = MixedLcpProblem::new(whole.as_slice(), q.as_slice(), m).unwrap();
        prop_assert!(problem.residual(x.as_slice()).unwrap() < 1e-14);
        x.fill(0.0);
        let outcome = MixedLcpSolver::default().solve(problem, x.as_mut_slice()).unwrap();
        prop_assert!(outcome.is_solved(), "{outcome:?}");
        let w = &whole * &x + &q;
        prop_assert!(w.rows(0, m).amax() <= 1e-9 && w.rows(m, n).min() >= -1e-9);
        prop_assert!((0..n).all(|i| x[m + i] >= 0.0 && (x[m + i] * w[m + i]).abs() <= 1e-8));
    }
}

#[test]
fn equations_that_contradict_each_other_are_no_success() {
    // u = 1 and u = 2.
    let problem = MixedLcpProblem::new(&[1.0, 1.0, 0.0, 0.0], &[-1.0, -2.0], 2).unwrap();
    let outcome = MixedLcpSolver::default().solve(problem, &mut [0.0; 2]).unwrap();
    assert_eq!(outcome.status, LcpStatus::Stalled);
    assert!(MixedLcpProblem::new(&[1.0], &[1.0], 2).is_err());
}

#[test]
fn settings_are_checked() {
    let tolerance = FischerBurmeisterConfig { tolerance: 0.0, ..FischerBurmeisterConfig::default() };
    assert_eq!(FischerBurmeister::new(tolerance).unwrap_err(), LcpError::Tolerance { found: 0.0 });
    let relaxation = ProjectedGaussSeidelConfig { relaxation: 2.0, ..ProjectedGaussSeidelConfig::default() };
    assert_eq!(ProjectedGaussSeidel::new(relaxation).unwrap_err(), LcpError::Relaxation { found: 2.0 });
}

/// Balls between plates, 600 contacts: the size at which Newton's method comes first.
#[test]
fn a_large_chain_is_solved() {
    let n = 600;
    let matrix = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    let signed = DVector::from_fn(n, |i, _| (i as f64 * 0.37).sin());
    let q = offset(&matrix, &signed);
    let (outcome, z) = solve(automatic, &matrix, &q);
    assert!(outcome.is_solved() && conditions(&matrix, &q, &z, 1.1e-10), "{outcome:?}");
}

/// Of a chain between two walls that come together: nothing can be done, which Newton's method sees soon, and Lemke's proves.
#[test]
fn a_large_chain_without_solution_is_told_soon() {
    let n = 500;
    let matrix = DMatrix::from_fn(n, n, |i: usize, j| match i.abs_diff(j) {
        0 => {
            if i == 0 || i == n - 1 {
                1.0
            } else {
                2.0
            }
        }
        1 => -1.0,
        _ => 0.0,
    });
    let q = DVector::from_element(n, -1.0);
    let problem = LcpProblem::from_dense(&matrix, &q).unwrap();
    let outcome = newton(problem, DVector::zeros(n).as_mut_slice());
    assert_eq!(outcome.status, LcpStatus::Stalled);
    assert!(outcome.iterations <= 40, "{outcome:?}");
    let mut solver = LcpSolver::default();
    let outcome = solver.solve(problem, DVector::zeros(n).as_mut_slice()).unwrap();
    assert_eq!((outcome.status, solver.method()), (LcpStatus::Ray, LcpMethod::Lemke));
}

/// Masses from 1e-3 to 1e3 that share every contact, and fewer of them than contacts. There is a solution, which round-off may
/// hide from the pivots, but a ray that proves the opposite is none.
#[test]
fn rays_of_round_off_prove_nothing() {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for case in 0..300 {
        let (n, rank) = (8 + case % 9, 3 + case % 4);
        let arms = DMatrix::from_fn(n, rank, |_, _| random());
        let masses = DMatrix::from_diagonal(&DVector::from_fn(rank, |k, _| {
            10_f64.powf(12.0 * k as f64 / (rank - 1) as f64 - 6.0)
        }));
        let matrix = &arms * masses * arms.transpose();
        let q = &arms * DVector::from_fn(rank, |_, _| random());
        let (outcome, _) = solve(automatic, &matrix, &q);
        // Velocities of bodies: impulses as of glue stop them all, and so there are impulses of contacts.
        assert_ne!(outcome.status, LcpStatus::Ray, "{case}");
    }
}
