//! The cone complementarity relaxation, with the artefact that it is known for.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::friction::{
    BlockMatrix, FrictionConfig, FrictionError, FrictionLaw, FrictionProblem, FrictionSolver, GaussSeidel,
    GaussSeidelConfig, InteriorPoint, ProjectedGradient,
};
use nalgebra::DMatrix;

const FRICTION: [f64; 1] = [0.4];
/// A mass of 1 kg that falls by 0.01 m/s in the step, and slides at 3 m/s.
const SLIDING: [f64; 3] = [-0.01, 3.0, 0.0];

fn solve(law: FrictionLaw, offset: &[f64; 3]) -> ([f64; 3], Vec<f64>) {
    let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let problem = FrictionProblem::new(&mass, offset, &FRICTION).unwrap().with_law(law);
    let mut r = [0.0; 3];
    assert!(FrictionSolver::new(1e-12).unwrap().solve(&problem, &mut r).unwrap().is_solved());
    (r, problem.velocities(&r).unwrap())
}

/// Coulomb: the weight, friction by it, and no motion away from the ground. Relaxed: with `W = 1` the impulse is the
/// projection of `−q` onto the cone, `r_N = (g h + μ v)/(1 + μ²)`, and the contact opens at `μ ‖u_T‖`.
#[test]
fn a_sliding_contact_lifts_off_by_the_friction_times_its_speed() {
    let [fall, slip, mu] = [0.01, 3.0, FRICTION[0]];
    let (exact, u) = solve(FrictionLaw::Coulomb, &SLIDING);
    assert!((exact[0] - fall).abs() < 1e-12 && (exact[1] + mu * fall).abs() < 1e-12 && u[0].abs() < 1e-12);
    let (relaxed, u) = solve(FrictionLaw::Associated, &SLIDING);
    let excess = (fall + mu * slip) / (1.0 + mu * mu);
    assert!((relaxed[0] - excess).abs() < 1e-9, "{} instead of {excess}", relaxed[0]);
    assert!((u[0] - mu * u[1]).abs() < 1e-9 && u[0] > 0.1, "{u:?}");
    assert!(relaxed[0] > 100.0 * exact[0], "the normal impulse is of the sliding, not of the weight");
}

#[test]
fn a_sticking_contact_is_the_same_for_both_laws() {
    let held = [-0.01, 0.003, 0.0];
    let ((a, u), (b, v)) = (solve(FrictionLaw::Coulomb, &held), solve(FrictionLaw::Associated, &held));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-10));
    assert!(u.iter().chain(&v).all(|u| u.abs() < 1e-10));
}

#[test]
fn gradients_and_interior_points_agree() {
    // A chain of contacts, each on the next.
    let n = 30;
    let diagonal = (0..3 * n).map(|i| (i, i, 2.0));
    let beside = (0..3 * n - 3).flat_map(|i| [(i, i + 3, 0.9), (i + 3, i, 0.9)]);
    let matrix = BlockMatrix::<3>::from_triplets(n, diagonal.chain(beside)).unwrap();
    let offset: Vec<f64> =
        (0..3 * n).map(|i| if i % 3 == 0 { -1.0 } else { 2.0 * (i as f64).sin() }).collect();
    let friction = vec![0.4; n];
    let problem =
        FrictionProblem::new(&matrix, &offset, &friction).unwrap().with_law(FrictionLaw::Associated);
    let (mut a, mut b) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
    let gradient = FrictionConfig { tolerance: 1e-10, ..FrictionConfig::default() };
    let interior = FrictionConfig { tolerance: 1e-8, ..FrictionConfig::default() };
    assert!(ProjectedGradient::new(gradient).unwrap().solve(&problem, &mut a).unwrap().is_solved());
    let outcome = InteriorPoint::new(interior).unwrap().solve(&problem, &mut b).unwrap();
    assert!(outcome.is_solved(), "{outcome:?}");
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn solvers_refuse_the_law_that_they_do_not_know() {
    let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let coulomb = FrictionProblem::new(&mass, &SLIDING, &FRICTION).unwrap();
    let mut r = [0.0; 3];
    let gradient = ProjectedGradient::new(FrictionConfig::default()).unwrap().solve(&coulomb, &mut r);
    assert!(matches!(gradient, Err(FrictionError::Law { .. })));
    let relaxed = coulomb.with_law(FrictionLaw::Associated);
    let sweeps = GaussSeidel::new(GaussSeidelConfig::default()).unwrap().solve(&relaxed, &mut r);
    assert!(matches!(sweeps, Err(FrictionError::Law { .. })));
}
