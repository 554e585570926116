//! Friction-contact problems, solved and checked by Coulomb's law itself.

#![expect(clippy::unwrap_used, reason = "a broken reference file must stop the test")]

use std::io::Read;

use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, Delassus, FrictionConfig, FrictionError, FrictionLaw, FrictionProblem,
    FrictionSolver, FrictionStatus, FrictionText, GaussSeidel, GaussSeidelConfig, InteriorPoint,
};
use nalgebra::{DMatrix, DVector};

pub(crate) fn reference(name: &str) -> FrictionText {
    let path = format!("{}/tests/reference/friction/{name}.txt.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    FrictionText::parse(&text).unwrap()
}

pub(crate) fn matrix_of(text: &FrictionText) -> BlockMatrix<3> {
    BlockMatrix::from_triplets(text.friction.len(), text.entries.iter().copied()).unwrap()
}

fn solver(tolerance: f64) -> GaussSeidel {
    GaussSeidel::new(GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() }).unwrap()
}

/// Largest violation of Coulomb's law: of signs, of the cone, of the direction of friction, and of the product of
/// normal velocity and impulse; velocities relative to `speed`, impulses to `impulse`.
fn violation(u: &[f64], r: &[f64], friction: &[f64], (speed, impulse): (f64, f64)) -> f64 {
    let contacts = u.chunks_exact(3).zip(r.chunks_exact(3)).zip(friction);
    let of = |((u, r), mu): ((&[f64], &[f64]), &f64)| {
        let (slip, friction) = (u[1].hypot(u[2]), r[1].hypot(r[2]));
        let power = u[1] * r[1] + u[2] * r[2];
        let dissipation = (power + mu * r[0] * slip).abs() / (speed * impulse);
        let gap = (u[0].max(0.0) * r[0].max(0.0)) / (speed * impulse);
        let cone = (friction - mu * r[0]).max(-r[0]).max(0.0) / impulse;
        cone.max((-u[0]).max(0.0) / speed).max(gap).max(dissipation)
    };
    contacts.map(of).fold(0.0, f64::max)
}

/// Bodies whose masses differ by up to 1e6, at rest: sweeps alone solve neither.
#[test]
fn bodies_of_very_different_masses_are_solved() {
    for (name, tolerance) in [("uneven_packing_72", 1e-8), ("uneven_tower_72", 1e-8)] {
        let text = reference(name);
        let matrix = matrix_of(&text);
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        let mut r = vec![0.0; text.offset.len()];
        let outcome = FrictionSolver::new(tolerance).unwrap().solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved() && problem.residual(&r) <= tolerance, "{name}: {outcome:?}");
    }
}

#[test]
fn reference_problems_are_solved_at_both_accuracies() {
    for (name, contacts) in [("cubic_99", 99), ("packing_100", 110), ("bricks_92", 92), ("cubic_1000", 960)] {
        let text = reference(name);
        let matrix = matrix_of(&text);
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        assert_eq!(problem.contacts(), contacts);
        let norm = text.offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        for tolerance in [1e-4, 1e-8] {
            let mut r = vec![0.0; text.offset.len()];
            let outcome = FrictionSolver::new(tolerance).unwrap().solve(&problem, &mut r).unwrap();
            assert!(outcome.is_solved() && outcome.residual <= tolerance, "{name}: {outcome:?}");
            assert!(problem.unscaled_residual(&r) <= tolerance, "{name}");
            let u = problem.velocities(&r).unwrap();
            let impulse = norm / problem.diagonal_scale();
            let worst = violation(&u, &r, &text.friction, (norm, impulse));
            assert!(worst <= 2.0 * tolerance, "{name}: Coulomb's law is off by {worst:e}");
        }
    }
}

/// The methods that fall back on each other are not needed here; each must be able to take over.
#[test]
fn every_method_solves_the_reference_problems_by_itself() {
    for name in ["cubic_99", "packing_100", "bricks_92"] {
        let text = reference(name);
        let matrix = matrix_of(&text);
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        let mut r = vec![0.0; text.offset.len()];
        let interior = InteriorPoint::new(FrictionConfig::default()).unwrap();
        let outcome = interior.solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved() && outcome.iterations < 40, "{name}: {outcome:?}");
        r.fill(0.0);
        let mut newton = AlartCurnier::new(FrictionConfig::default()).unwrap();
        let outcome = newton.solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved(), "{name}: {outcome:?}");
        let relaxed = problem.with_law(FrictionLaw::Associated);
        r.fill(0.0);
        let outcome = interior.solve(&relaxed, &mut r).unwrap();
        assert!(outcome.is_solved() && relaxed.residual(&r) <= 1e-8, "{name}: {outcome:?}");
    }
}

/// Impulses are not unique, velocities need not be: what both runs share is the residual.
#[test]
fn acceleration_saves_three_quarters_of_the_sweeps() {
    let text = reference("cubic_99");
    let matrix = matrix_of(&text);
    let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
    let sweeps = |window| {
        let config = GaussSeidelConfig { tolerance: 1e-9, window, ..GaussSeidelConfig::default() };
        let mut r = vec![0.0; text.offset.len()];
        let outcome = GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved() && problem.residual(&r) <= 1e-9, "{outcome:?}");
        outcome.iterations
    };
    let (plain, fast) = (sweeps(0), sweeps(12));
    assert!(4 * fast < plain, "{fast} sweeps against {plain}");
}

#[test]
fn bodies_and_matrix_are_the_same_operator() {
    let pile = crate::piles::pyramid(4, 4);
    let n = pile.offset.len();
    let problem = FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap();
    let q = problem.velocities(&vec![0.0; n]).unwrap();
    let column = |k: usize| {
        let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == k))).collect();
        problem.velocities(&unit).unwrap()
    };
    let dense = DMatrix::from_columns(
        &(0..n).map(|k| DVector::from_vec(column(k)) - DVector::from_column_slice(&q)).collect::<Vec<_>>(),
    );
    assert!((&dense - dense.transpose()).amax() < 1e-14);
    let matrix = BlockMatrix::<3>::from_dense(&dense).unwrap();
    assert!((0..pile.friction.len()).all(|i| (matrix.block(i) - pile.delassus.block(i)).amax() < 1e-14));
    let by_matrix = FrictionProblem::new(&matrix, &pile.offset, &pile.friction).unwrap();
    let r: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let (u, v) = (problem.velocities(&r).unwrap(), by_matrix.velocities(&r).unwrap());
    assert!(u.iter().zip(&v).all(|(u, v)| (u - v).abs() < 1e-13));
}

#[test]
fn a_wall_of_bricks_stands() {
    let wall = crate::piles::wall(5, 4, 0.0);
    let problem = FrictionProblem::new(&wall.delassus, &wall.offset, &wall.friction).unwrap();
    let mut r = vec![0.0; wall.offset.len()];
    assert!(solver(1e-8).solve(&problem, &mut r).unwrap().is_solved());
    let ground: f64 = r.chunks_exact(3).take(16).map(|r| r[0]).sum();
    assert!((ground - 20.0 * 9.81e-3).abs() < 1e-7, "{ground}");
}

#[test]
fn limits_are_kept_and_told() {
    let text = reference("cubic_99");
    let matrix = matrix_of(&text);
    let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
    let config = GaussSeidelConfig { max_sweeps: 20, ..GaussSeidelConfig::default() };
    let mut r = vec![0.0; text.offset.len()];
    let outcome = GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap();
    assert_eq!((outcome.status, outcome.iterations), (FrictionStatus::IterationLimit, 20));
    assert_eq!(outcome.residual, problem.residual(&r));
    assert!(outcome.residual > 1e-8 && outcome.residual < 1.0);
}

#[test]
fn broken_rules_are_named() {
    let one = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let new = |q: &[f64], mu: &[f64]| FrictionProblem::new(&one, q, mu).unwrap_err();
    assert_eq!(new(&[0.0; 2], &[0.1]), FrictionError::Length { quantity: "q", expected: 3, found: 2 });
    assert_eq!(new(&[0.0; 3], &[-0.1]), FrictionError::Friction { contact: 0, found: -0.1 });
    assert_eq!(new(&[0.0, f64::NAN, 0.0], &[0.1]), FrictionError::NotFinite { quantity: "q", index: 1 });
    let outside = BlockMatrix::<3>::from_triplets(1, [(3, 0, 1.0)]).unwrap_err();
    assert_eq!(outside, FrictionError::Entry { row: 3, column: 0, size: 3 });
    let negative = BlockMatrix::<3>::from_dense(&-DMatrix::identity(3, 3)).unwrap();
    let refused = FrictionProblem::new(&negative, &[-1.0, 0.0, 0.0], &[0.1]).unwrap_err();
    assert_eq!(refused, FrictionError::Normal { contact: 0, found: -1.0 });
    assert!(GaussSeidel::new(GaussSeidelConfig { tolerance: 0.0, ..GaussSeidelConfig::default() }).is_err());
}

#[test]
fn impulses_that_are_not_finite_are_never_a_solution() {
    let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(6, 6)).unwrap();
    let (offset, friction) = ([-1.0, 0.2, 0.0, 0.5, 0.0, 0.0], [0.5, 0.3]);
    for law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
        let problem = FrictionProblem::new(&mass, &offset, &friction).unwrap().with_law(law);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for count in [1, 6] {
                let mut r = [0.0; 6];
                r[..count].fill(value);
                assert_eq!(problem.residual(&r), f64::INFINITY, "{law:?} {value} {count}");
            }
        }
    }
}
