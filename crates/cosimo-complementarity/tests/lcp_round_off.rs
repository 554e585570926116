//! Linear complementarity problems at the edge of what numbers resolve: large solutions are found, none is claimed or denied
//! by round-off.

use cosimo_complementarity::{LcpProblem, LcpSolver, LcpStatus, LemkeWorkspace};
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
