//! What holds for every problem of a class. A solution is chosen first and `q = w − M z` follows.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::{LcpOutcome, LcpProblem, LcpStatus, LemkeWorkspace};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// A problem with a solution.
#[derive(Debug, Clone)]
struct Solvable {
    matrix: DMatrix<f64>,
    offset: DVector<f64>,
    z: DVector<f64>,
    w: DVector<f64>,
}

impl Solvable {
    /// `signed` gives `z` by its positive and `w` by its negative entries; 0 is a tie.
    fn new(matrix: DMatrix<f64>, signed: &[f64]) -> Self {
        let signed = DVector::from_column_slice(signed);
        let (z, w) = (signed.map(|x| x.max(0.0)), signed.map(|x| (-x).max(0.0)));
        let offset = &w - &matrix * &z;
        Self { matrix, offset, z, w }
    }

    fn solve(&self) -> (LcpOutcome, DVector<f64>) {
        solve(&self.matrix, &self.offset)
    }
}

fn solve(matrix: &DMatrix<f64>, offset: &DVector<f64>) -> (LcpOutcome, DVector<f64>) {
    let problem = LcpProblem::from_dense(matrix, offset).unwrap();
    let mut z = DVector::from_element(offset.len(), f64::NAN);
    let outcome = LemkeWorkspace::with_capacity(0).solve(problem, z.as_mut_slice()).unwrap();
    assert_eq!(outcome.residual, problem.residual(z.as_slice()).unwrap());
    (outcome, z)
}

/// Entries of `z − w`; a third of them are 0.
fn signed_entry() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.1..2.0, -2.0..-0.1]
}

fn entries(length: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0, length)
}

/// `M = G Gᵀ + S + I/2` with `S` skew: a P-matrix, not symmetric.
fn positive_definite(n: usize) -> impl Strategy<Value = DMatrix<f64>> {
    (entries(n * n), entries(n * n)).prop_map(move |(g, s)| {
        let (g, s) = (DMatrix::from_vec(n, n, g), DMatrix::from_vec(n, n, s));
        &g * g.transpose() + (&s - s.transpose()) + DMatrix::identity(n, n) * 0.5
    })
}

/// A positive diagonal that dominates its row: a P-matrix, in general not positive definite.
fn diagonally_dominant(n: usize) -> impl Strategy<Value = DMatrix<f64>> {
    entries(n * n).prop_map(move |entries| {
        let mut matrix = DMatrix::from_vec(n, n, entries);
        for row in 0..n {
            matrix[(row, row)] = 0.1 + matrix.row(row).iter().map(|entry| entry.abs()).sum::<f64>();
        }
        matrix
    })
}

fn p_problem() -> impl Strategy<Value = Solvable> {
    (1_usize..12)
        .prop_flat_map(|n| {
            let matrix = prop_oneof![positive_definite(n), diagonally_dominant(n)];
            (matrix, prop::collection::vec(signed_entry(), n))
        })
        .prop_map(|(matrix, signed)| Solvable::new(matrix, &signed))
}

/// `M = G Gᵀ` with `G` of integers, `n × r`: exact, of rank `r` at most, with repeated rows where `G` has them.
fn semidefinite_problem() -> impl Strategy<Value = Solvable> {
    (1_usize..16)
        .prop_flat_map(|n| (Just(n), 0..=n))
        .prop_flat_map(|(n, rank)| {
            (prop::collection::vec(-2_i8..=2, n * rank), prop::collection::vec(-2_i8..=2, n), Just((n, rank)))
        })
        .prop_map(|(g, signed, (n, rank))| {
            let g = DMatrix::from_iterator(n, rank, g.into_iter().map(f64::from));
            let signed: Vec<f64> = signed.into_iter().map(f64::from).collect();
            Solvable::new(&g * g.transpose(), &signed)
        })
}

/// `M = G Gᵀ` with real `G`: rank deficient up to round-off only, which is how contacts come.
fn rounded_semidefinite_problem() -> impl Strategy<Value = Solvable> {
    (2_usize..24)
        .prop_flat_map(|n| (Just(n), 1..=n))
        .prop_flat_map(|(n, rank)| {
            (entries(n * rank), prop::collection::vec(signed_entry(), n), Just((n, rank)))
        })
        .prop_map(|(g, signed, (n, rank))| {
            let g = DMatrix::from_vec(n, rank, g);
            Solvable::new(&g * g.transpose(), &signed)
        })
}

/// Free velocities of a body touched at `n` places, each place twice up to `10^exponent`.
fn nearly_repeated_contacts() -> impl Strategy<Value = (DMatrix<f64>, DVector<f64>)> {
    (1_usize..16, -14.0..-4.0_f64, entries(32 * 6), entries(6)).prop_map(|(n, exponent, g, velocity)| {
        let entry = |row: usize, column: usize| g[row + 32 * column];
        let g = DMatrix::from_fn(2 * n, 6, |row, column| {
            entry(row % n, column) + if row < n { 0.0 } else { 10.0_f64.powf(exponent) * entry(row, column) }
        });
        (&g * g.transpose(), g * DVector::from_vec(velocity))
    })
}

fn relative(found: &DVector<f64>, expected: &DVector<f64>, scale: f64) -> f64 {
    (found - expected).amax() / scale.max(f64::MIN_POSITIVE)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn p_matrix_gives_the_one_solution(problem in p_problem()) {
        let (outcome, z) = problem.solve();
        prop_assert!(outcome.is_solved() && outcome.residual <= 1.0e-13, "{outcome:?}");
        let error = relative(&z, &problem.z, problem.z.amax().max(problem.offset.amax()));
        prop_assert!(error <= 1.0e-11, "z differs by {error:e}");
    }

    #[test]
    fn semidefinite_matrix_gives_the_one_complement(problem in semidefinite_problem()) {
        let (outcome, z) = problem.solve();
        prop_assert!(outcome.is_solved() && outcome.residual <= 1.0e-12, "{outcome:?}");
        let w = &problem.matrix * &z + &problem.offset;
        let error = relative(&w, &problem.w, problem.offset.amax());
        prop_assert!(error <= 1.0e-11, "w differs by {error:e}");
    }

    #[test]
    fn rounded_semidefinite_matrix_is_solved(problem in rounded_semidefinite_problem()) {
        let (outcome, z) = problem.solve();
        prop_assert!(outcome.is_solved() && outcome.residual <= 1.0e-10, "{outcome:?}");
        prop_assert!(z.iter().all(|z| *z >= 0.0));
    }

    #[test]
    fn nearly_repeated_contacts_are_solved((matrix, offset) in nearly_repeated_contacts()) {
        let (outcome, z) = solve(&matrix, &offset);
        prop_assert!(outcome.is_solved(), "{outcome:?}");
        prop_assert!(z.iter().all(|z| *z >= 0.0));
    }

    #[test]
    fn order_of_the_unknowns_does_not_matter(problem in p_problem(), keys in prop::collection::vec(any::<u32>(), 12)) {
        let n = problem.z.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|index| keys[*index]);
        let matrix = DMatrix::from_fn(n, n, |row, column| problem.matrix[(order[row], order[column])]);
        let offset = DVector::from_fn(n, |row, _| problem.offset[order[row]]);
        let (outcome, permuted) = solve(&matrix, &offset);
        prop_assert!(outcome.is_solved());
        let (_, z) = problem.solve();
        let back = DVector::from_fn(n, |row, _| z[order[row]]);
        prop_assert!(relative(&permuted, &back, problem.z.amax().max(problem.offset.amax())) <= 1.0e-11);
    }

    #[test]
    fn units_do_not_matter(problem in p_problem(), alpha in -30.0..30.0_f64, beta in -30.0..30.0_f64) {
        let (alpha, beta) = (alpha.exp(), beta.exp());
        let (outcome, scaled) = solve(&(&problem.matrix * alpha), &(&problem.offset * beta));
        prop_assert!(outcome.is_solved());
        let (_, z) = problem.solve();
        prop_assert!(relative(&(scaled * (alpha / beta)), &z, problem.z.amax().max(problem.offset.amax())) <= 1.0e-11);
    }

    #[test]
    fn powers_of_two_change_no_bit(problem in p_problem(), alpha in -60..60_i32, beta in -60..60_i32) {
        let factor = |exponent| 2.0_f64.powi(2 * exponent);
        let (_, scaled) = solve(&(&problem.matrix * factor(alpha)), &(&problem.offset * factor(beta)));
        let (_, z) = problem.solve();
        prop_assert_eq!(scaled * factor(alpha - beta), z);
    }

    #[test]
    fn mass_ratios_do_not_matter(problem in p_problem(), exponents in prop::collection::vec(-20..20_i32, 12)) {
        let n = problem.z.len();
        let size = DVector::from_fn(n, |row, _| 2.0_f64.powi(exponents[row]));
        let weights = DMatrix::from_diagonal(&size);
        let (outcome, scaled) = solve(&(&weights * &problem.matrix * &weights), &(&weights * &problem.offset));
        prop_assert!(outcome.is_solved());
        let error = relative(&(weights * scaled), &problem.z, problem.z.amax().max(problem.offset.amax()));
        prop_assert!(error <= 1.0e-11, "z differs by {error:e}");
    }

    #[test]
    fn success_is_never_claimed_for_a_wrong_sign(
        (matrix, offset) in (1_usize..7).prop_flat_map(|n| (entries(n * n), entries(n)))
    ) {
        let n = offset.len();
        let (matrix, offset) = (DMatrix::from_vec(n, n, matrix), DVector::from_vec(offset));
        let (outcome, z) = solve(&matrix, &offset);
        prop_assert!(z.iter().all(|z| *z >= 0.0 && z.is_finite()));
        if outcome.is_solved() {
            let w = &matrix * &z + &offset;
            prop_assert!(w.min() >= -1.0e-10, "{w}");
            prop_assert!(z.component_mul(&w).amax() <= 1.0e-8 * z.amax().max(1.0));
        }
    }

    /// Lemke ends at a ray only if a copositive-plus problem has no feasible point: here one row forbids it.
    #[test]
    fn infeasible_semidefinite_problem_is_a_ray(problem in semidefinite_problem()) {
        let n = problem.z.len();
        let mut matrix = problem.matrix.clone().resize(n + 1, n + 1, 0.0);
        matrix.column_mut(n).fill(0.0);
        let offset = problem.offset.clone().insert_row(n, -1.0);
        let (outcome, z) = solve(&matrix, &offset);
        prop_assert_eq!(outcome.status, LcpStatus::Ray);
        prop_assert_eq!(z.amax(), 0.0);
    }

    #[test]
    fn scalar_is_exact(entry in 1.0e-9..1.0e9_f64, offset in -1.0e6..1.0e6_f64) {
        let (outcome, z) = solve(&DMatrix::from_element(1, 1, entry), &DVector::from_element(1, offset));
        prop_assert!(outcome.is_solved());
        prop_assert_eq!(z[0], (-offset / entry).max(0.0));
    }

    #[test]
    fn scalar_without_solution_is_refused(entry in -1.0e9..=0.0_f64, offset in -1.0e6..-1.0e-9_f64) {
        let (outcome, z) = solve(&DMatrix::from_element(1, 1, entry), &DVector::from_element(1, offset));
        prop_assert_eq!((outcome.status, outcome.iterations, z[0]), (LcpStatus::Ray, 0, 0.0));
    }

    #[test]
    fn workspace_has_no_memory(problem in semidefinite_problem(), before in p_problem()) {
        let mut used = LemkeWorkspace::with_capacity(3);
        let mut z = DVector::zeros(before.z.len());
        let _ = used.solve(LcpProblem::from_dense(&before.matrix, &before.offset).unwrap(), z.as_mut_slice()).unwrap();
        let mut z = DVector::zeros(problem.z.len());
        let outcome =
            used.solve(LcpProblem::from_dense(&problem.matrix, &problem.offset).unwrap(), z.as_mut_slice()).unwrap();
        prop_assert_eq!((outcome, z), problem.solve());
    }
}

#[test]
fn edges_of_the_input() {
    let mut lemke = LemkeWorkspace::with_capacity(2);
    let mut solve = |matrix: &[f64], offset: &[f64]| {
        let mut z = vec![f64::NAN; offset.len()];
        let outcome = lemke.solve(LcpProblem::new(matrix, offset).unwrap(), &mut z).unwrap();
        (outcome.status, z)
    };
    assert_eq!(solve(&[], &[]), (LcpStatus::Solved, vec![]));
    assert_eq!(solve(&[0.0], &[0.0]), (LcpStatus::Solved, vec![0.0]));
    assert_eq!(solve(&[-1.0], &[1.0]), (LcpStatus::Solved, vec![0.0]));
    assert_eq!(solve(&[0.0; 4], &[0.0, -1.0]).0, LcpStatus::Ray);
    // −q/M overflows, or is too small for its residual.
    assert_eq!(solve(&[1.0e-300], &[-1.0e300]), (LcpStatus::Stalled, vec![0.0]));
    assert_eq!(solve(&[1.0e300], &[-1.0e-300]), (LcpStatus::Stalled, vec![0.0]));
    let (status, z) = solve(&[1.0e-300, 0.0, 0.0, 1.0e-300], &[-1.0e300, -1.0e300]);
    assert_ne!(status, LcpStatus::Solved);
    assert!(z.iter().all(|z| z.is_finite() && *z >= 0.0), "{z:?}");
}
