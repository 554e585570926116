//! What the residual of friction problems sees: large friction, unequal masses, extreme units.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, BodyDelassus, ContactArm, Delassus, FrictionConfig, FrictionError,
    FrictionLaw, FrictionProblem, FrictionSolver, GaussSeidel, GaussSeidelConfig,
};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use proptest::prelude::*;

/// Contacts that do not meet, each with a body of this inverse mass (1/kg).
fn apart(inverse_masses: &[f64]) -> BlockMatrix<3> {
    let diagonal = inverse_masses.iter().flat_map(|inverse| [*inverse; 3]);
    BlockMatrix::from_dense(&DMatrix::from_diagonal(&DVector::from_iterator(
        3 * inverse_masses.len(),
        diagonal,
    )))
    .unwrap()
}

fn assert_near(found: &[f64], expected: &[f64], share: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= share * expected.abs(), "{found} instead of {expected}");
    }
}

/// Two bodies of 1 kg that strike the ground at 1 m/s stick, however large the friction.
#[test]
fn large_friction_hides_no_penetration() {
    let (masses, offset) = (apart(&[1.0, 1.0]), [-1.0, 3.0, 4.0, -1.0, 2.0, 1.0]);
    for friction in [5.0, 1e4, 1e9, 1e15] {
        let friction = [friction; 2];
        for law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
            let problem = FrictionProblem::new(&masses, &offset, &friction).unwrap().with_law(law);
            assert!(problem.residual(&[0.0; 6]) > 1.0 / 32.0_f64.sqrt(), "{friction:?}");
        }
        let problem = FrictionProblem::new(&masses, &offset, &friction).unwrap();
        for tolerance in [1e-4, 1e-12] {
            let mut r = [0.0; 6];
            assert!(FrictionSolver::new(tolerance).unwrap().solve(&problem, &mut r).unwrap().is_solved());
            assert_near(&r, &[1.0, -3.0, -4.0, 1.0, -2.0, -1.0], 1e-12);
            let mut r = [0.0; 6];
            let config = GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() };
            assert!(GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap().is_solved());
            assert_near(&r, &[1.0, -3.0, -4.0, 1.0, -2.0, -1.0], 1e-12);
        }
    }
}

/// A contact that opens while it slides under a small impulse, which large friction makes a large one.
#[test]
fn large_friction_hides_no_impulse_on_an_open_contact() {
    let (mass, friction) = (apart(&[1.0]), [1e6]);
    let problem = FrictionProblem::new(&mass, &[1.0, 3.0, 0.0], &friction).unwrap();
    assert!(problem.residual(&[1e-6, -1.0, 0.0]) >= 1e-6 / 10.0_f64.sqrt());
    assert_eq!(problem.residual(&[0.0; 3]), 0.0);
}

/// One scale for all contacts: a missing impulse counts as the velocity that it means to the mean diagonal, `(1 + 1e-4)/2`, also
/// of a body that it hardly moves.
#[test]
fn impulses_count_by_the_mean_diagonal() {
    let (masses, friction) = (apart(&[1.0, 1e-4]), [0.0, 0.0]);
    let offset = [-1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let problem = FrictionProblem::new(&masses, &offset, &friction).unwrap();
    let residual = problem.residual(&[1.0, 0.0, 0.0, 1e-3, 0.0, 0.0]);
    let expected = 0.5 * (1.0 + 1e-4) * 1e-3 / 2.0_f64.sqrt();
    assert!((residual - expected).abs() < 1e-15, "{residual} for {expected}");
}

/// Bodies of 1e5 and 1e-5 kg that do not meet: one sticks, one slides, and both are found to the last digits.
#[test]
fn unequal_masses_cost_no_digit() {
    let (masses, offset) = (apart(&[1e-5, 1e5]), [-1.0, 0.3, 0.2, -1.0, 0.1, 0.1]);
    for (friction, expected) in [
        ([0.5, 0.3], [1e5, -3e4, -2e4, 1e-5, -1e-6, -1e-6]),
        ([0.1, 0.3], [1e5, -1e4 * 0.3 / 0.13_f64.sqrt(), -1e4 * 0.2 / 0.13_f64.sqrt(), 1e-5, -1e-6, -1e-6]),
    ] {
        let problem = FrictionProblem::new(&masses, &offset, &friction).unwrap();
        let mut r = [0.0; 6];
        let outcome = FrictionSolver::new(1e-14).unwrap().solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved(), "{outcome:?}");
        assert_near(&r, &expected, 1e-14);
    }
}

/// Speeds and masses in units that make squares overflow or vanish change the answer by their factors.
#[test]
fn extreme_units_are_solved_or_refused() {
    let friction = [0.5, 0.2];
    for (inverse, speed) in
        [(1.0, 1e160), (1.0, 1e-200), (1.0, 1e-300), (1e90, 1e140), (1e-90, 1e-140), (1e90, 1.0)]
    {
        let masses = apart(&[inverse; 2]);
        let offset = [-1.0, 0.3, 0.2, -1.0, 0.3, 0.4].map(|q| speed * q);
        let problem = FrictionProblem::new(&masses, &offset, &friction).unwrap();
        assert!((problem.residual(&[0.0; 6]) - 1.0).abs() < 0.5);
        let mut r = [0.0; 6];
        let outcome = FrictionSolver::new(1e-12).unwrap().solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved() && outcome.residual == problem.residual(&r), "{outcome:?}");
        assert_near(&r, &[1.0, -0.3, -0.2, 1.0, -0.12, -0.16].map(|r| r * (speed / inverse)), 1e-12);
    }
    for inverse in [1e200, 1e-200] {
        let masses = apart(&[1.0, inverse]);
        let refused = FrictionProblem::new(&masses, &[-1.0; 6], &friction).unwrap_err();
        assert_eq!(refused, FrictionError::Magnitude { contact: 1, found: inverse });
    }
}

/// A body squeezed between two walls: impulses without bounds satisfy the law up to what rounding leaves of their velocities,
/// which counts, in whatever form the operator is.
#[test]
fn impulses_beyond_all_measure_are_no_solution() {
    let arm = |sign: f64| vec![ContactArm { body: 0, rows: Matrix3::identity() * sign }];
    let bodies = BodyDelassus::<3, 3>::new(&[Matrix3::identity()], [arm(1.0), arm(-1.0)]).unwrap();
    let matrix = bodies.to_blocks();
    let (offset, friction) = ([-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], [0.5; 2]);
    let large = 2.0_f64.powi(60);
    let r = [large, 0.0, 0.0, large, 0.0, 0.0];
    for form in [&bodies as &dyn Delassus<3>, &matrix] {
        let problem = FrictionProblem::new(form, &offset, &friction).unwrap();
        // Two products of 2⁶⁰ each, rounded by 2⁻⁵³, in units of ‖q‖ = √2.
        let expected = 256.0 / 2.0_f64.sqrt();
        assert!((problem.residual(&r) - expected).abs() < 1e-12 * expected, "{}", problem.residual(&r));
    }
}

proptest! {
    /// The round-off of every row by its terms, the same in both forms.
    #[test]
    fn terms_of_the_forms_agree(numbers in prop::collection::vec(-1.0_f64..1.0, 18), r in prop::array::uniform6(-1.0_f64..1.0)) {
        let arm = |k: usize| vec![ContactArm { body: 0, rows: Matrix3::from_column_slice(&numbers[9 * k..9 * k + 9]).abs() }];
        let bodies = BodyDelassus::<3, 3>::new(&[Matrix3::identity()], [arm(0), arm(1)]).unwrap();
        let (matrix, mut trail) = (bodies.to_blocks(), [0.0; 3]);
        let terms = |i: usize| {
            let of = |j: usize| matrix.between(i, j).abs() * Vector3::from_column_slice(&r[3 * j..3 * j + 3]).abs();
            (of(0) + of(1)).max()
        };
        let expected = terms(0).max(terms(1));
        prop_assert!((matrix.largest_terms(&r, &mut []) - expected).abs() <= 1e-14 * expected);
        prop_assert!((bodies.largest_terms(&r, &mut trail) - expected).abs() <= 1e-14 * expected);
    }
}

/// `3 · ⅓ − 1` is 0 in numbers and −2⁻⁵⁴ in truth. With `μ = 1e12` that is a velocity `ũ_N` of 1e12 · 2⁻⁵⁴, so that a contact that
/// seems to stick misses the law by 1e12 · 2⁻⁵⁴ / √2 of `‖q‖ = √2`.
#[test]
fn large_friction_magnifies_the_rounding_of_sliding() {
    let friction = 1e12;
    let exact = friction * 2.0_f64.powi(-54) / 2.0_f64.sqrt();
    for contacts in [1, 2] {
        let blocks =
            BlockMatrix::<2>::from_dense(&DMatrix::from_diagonal_element(2 * contacts, 2 * contacts, 3.0));
        let (blocks, offset) = (blocks.unwrap(), vec![-1.0; 2 * contacts]);
        let problem_friction = vec![friction; contacts];
        let problem = FrictionProblem::new(&blocks, &offset, &problem_friction).unwrap();
        let mut r = vec![1.0 / 3.0; 2 * contacts];
        let residual = problem.residual(&r);
        assert!((residual / exact - 1.0).abs() < 1e-3, "{residual} instead of {exact}");
        let outcome = FrictionSolver::new(1e-8).unwrap().solve(&problem, &mut r).unwrap();
        assert!(!outcome.is_solved() && outcome.residual > 1e-8, "{outcome:?}");
        // What numbers hold exactly is a solution all the same.
        let ones = BlockMatrix::<2>::from_dense(&DMatrix::identity(2 * contacts, 2 * contacts)).unwrap();
        let problem = FrictionProblem::new(&ones, &offset, &problem_friction).unwrap();
        assert!(FrictionSolver::new(1e-10).unwrap().solve(&problem, &mut r).unwrap().is_solved());
    }
}

#[test]
fn impulses_beyond_numbers_are_refused() {
    let light = BlockMatrix::<3>::from_dense(&DMatrix::from_diagonal_element(3, 3, 1e-90)).unwrap();
    let refused = FrictionProblem::new(&light, &[-1e250, 1e250, 0.0], &[0.3]).err();
    assert_eq!(refused, Some(FrictionError::Impulse { contact: 0, speed: 1e250, compliance: 1e-90 }));
    let problem = FrictionProblem::new(&light, &[-1e200, 1e200, 0.0], &[0.3]);
    let mut r = [0.0; 3];
    assert!(FrictionSolver::new(1e-10).unwrap().solve(&problem.unwrap(), &mut r).unwrap().is_solved());
}

/// Two contacts without friction, tangents without velocity: Newton's method passes −N on its way.
#[test]
fn without_friction_no_impulse_is_negative() {
    let matrix = DMatrix::from_fn(4, 4, |i, j| match (i, j) {
        _ if i == j => 1.0,
        (0, 2) | (2, 0) => 0.9,
        _ => 0.0,
    });
    let blocks = BlockMatrix::<2>::from_dense(&matrix).unwrap();
    let problem = FrictionProblem::new(&blocks, &[-1.0, 0.0, -0.1, 0.0], &[0.0, 0.0]).unwrap();
    for tolerance in [1e-1, 1.0, 1e-10] {
        let config = FrictionConfig { tolerance, ..FrictionConfig::default() };
        let mut r = [-1e-14, 0.0, -0.5, 0.0];
        let outcome = AlartCurnier::new(config).unwrap().solve(&problem, &mut r).unwrap();
        assert!(r.iter().all(|r| *r >= 0.0), "{tolerance}: {r:?} {outcome:?}");
    }
}
