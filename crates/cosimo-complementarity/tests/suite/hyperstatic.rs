//! More contacts than hold the bodies: impulses are not unique, and sweeps alone crawl.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use crate::piles::Pile;
use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, Delassus, FrictionConfig, FrictionLaw, FrictionMethod, FrictionOutcome,
    FrictionProblem, FrictionSolver, FrictionStatus, GaussSeidel, GaussSeidelConfig, InteriorPoint,
    ProximalPoint, project_onto_cone,
};
use nalgebra::{DMatrix, DVector, Vector3, dmatrix};
use proptest::prelude::*;

/// What a body of 1 kg weighs in a step (N s).
const WEIGHT: f64 = 9.81e-3;

fn problem(pile: &Pile) -> FrictionProblem<'_, 3> {
    FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap()
}

fn solve(pile: &Pile, tolerance: f64) -> (FrictionOutcome, Vec<f64>) {
    let mut r = vec![0.0; pile.offset.len()];
    let outcome = FrictionSolver::new(tolerance).unwrap().solve(&problem(pile), &mut r).unwrap();
    (outcome, r)
}

fn interior(tolerance: f64) -> InteriorPoint {
    InteriorPoint::new(FrictionConfig { tolerance, ..FrictionConfig::default() }).unwrap()
}

/// Coulomb's law at every contact, relative to the weight of a body.
#[track_caller]
fn check_law(pile: &Pile, r: &[f64], tolerance: f64) {
    let u = problem(pile).velocities(r).unwrap();
    for ((u, r), mu) in u.chunks_exact(3).zip(r.chunks_exact(3)).zip(&pile.friction) {
        let (u, r) = (Vector3::from_column_slice(u) / WEIGHT, Vector3::from_column_slice(r) / WEIGHT);
        assert!(obeys(&u, &r, *mu, tolerance * (1.0 + r.norm())), "{u} {r}");
    }
}

/// Normal impulses of the first contacts, which are those with the ground.
fn on_the_ground(r: &[f64], contacts: usize) -> f64 {
    r.chunks_exact(3).take(contacts).map(|r| r[0]).sum()
}

#[test]
fn a_pyramid_of_balls_stands_and_the_ground_carries_it() {
    let pile = crate::piles::pyramid(2, 2);
    let (outcome, r) = solve(&pile, 1e-9);
    assert!(outcome.is_solved(), "{outcome:?}");
    let u = problem(&pile).velocities(&r).unwrap();
    assert!(u.iter().all(|u| u.abs() < 1e-9), "friction of 0.5 holds the pile");
    assert!((on_the_ground(&r, 4) - 5.0 * WEIGHT).abs() < 1e-8);
}

#[test]
fn a_shaken_wall_is_solved_where_sweeps_alone_are_not_enough() {
    let wall = crate::piles::wall(10, 10, 0.3);
    let mut r = vec![0.0; wall.offset.len()];
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 1000, ..GaussSeidelConfig::default() };
    let sweeps = GaussSeidel::new(config).unwrap().solve(&problem(&wall), &mut r).unwrap();
    assert_eq!(sweeps.status, FrictionStatus::IterationLimit, "{sweeps:?}");
    let (outcome, r) = solve(&wall, 1e-8);
    assert!(outcome.is_solved() && outcome.residual <= 1e-8, "{outcome:?}");
    assert_eq!(outcome.residual, problem(&wall).residual(&r));
    check_law(&wall, &r, 1e-7);
}

/// Without the bodies, by the matrix alone, whose groups of contacts take their place.
#[test]
fn walls_given_as_matrices_are_solved_by_interior_points() {
    for seed in [1, 2, 3] {
        let wall = crate::piles::careless_wall(8, 8, 0.5, seed);
        let matrix = wall.delassus.to_blocks();
        let problem = FrictionProblem::new(&matrix, &wall.offset, &wall.friction).unwrap();
        let mut r = vec![0.0; wall.offset.len()];
        let outcome = interior(1e-8).solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved(), "{outcome:?}");
        check_law(&wall, &r, 1e-7);
    }
}

/// The ground is pulled from under a thin wall, across it: the wall tips over one edge.
#[test]
fn a_wall_on_moving_ground_tips() {
    let wall = crate::piles::wall(6, 5, 2.0);
    let (outcome, r) = solve(&wall, 1e-8);
    assert!(outcome.is_solved(), "{outcome:?}");
    check_law(&wall, &r, 1e-7);
    let u = problem(&wall).velocities(&r).unwrap();
    let open = u.chunks_exact(3).take(20).filter(|u| u[0] > 0.1 * WEIGHT).count();
    assert_eq!(open, 10, "one edge of every brick of the lowest course");
}

#[test]
fn bodies_and_their_matrix_lead_to_the_same_velocities() {
    let wall = crate::piles::wall(4, 4, 1.0);
    let matrix = wall.delassus.to_blocks();
    let by_matrix = FrictionProblem::new(&matrix, &wall.offset, &wall.friction).unwrap();
    let (mut a, mut b) = (vec![0.0; wall.offset.len()], vec![0.0; wall.offset.len()]);
    assert!(interior(1e-9).solve(&problem(&wall), &mut a).unwrap().is_solved());
    assert!(interior(1e-9).solve(&by_matrix, &mut b).unwrap().is_solved());
    assert!((problem(&wall).residual(&b) - by_matrix.residual(&b)).abs() < 1e-12);
    let (u, v) = (problem(&wall).velocities(&a).unwrap(), by_matrix.velocities(&b).unwrap());
    assert!(u.iter().zip(&v).all(|(u, v)| (u - v).abs() < 1e-7 * WEIGHT.max(1e-2)));
}

#[test]
fn newton_ends_to_round_off() {
    let wall = crate::piles::wall(5, 4, 0.3);
    let mut newton =
        AlartCurnier::new(FrictionConfig { tolerance: 1e-12, max_iterations: Some(60) }).unwrap();
    let mut r = vec![0.0; wall.offset.len()];
    let outcome = newton.solve(&problem(&wall), &mut r).unwrap();
    assert!(outcome.is_solved() && outcome.residual < 1e-12, "{outcome:?}");
}

/// The step after, from the impulses of the step before.
#[test]
fn a_first_guess_saves_the_work() {
    let wall = crate::piles::wall(5, 4, 0.3);
    let (outcome, mut r) = solve(&wall, 1e-8);
    assert!(outcome.iterations > 0);
    let mut solver = FrictionSolver::new(1e-8).unwrap();
    let again = solver.solve(&problem(&wall), &mut r).unwrap();
    assert!(again.is_solved() && again.iterations == 0, "{again:?}");
    assert_eq!(solver.method(), FrictionMethod::Guess);
    let shaken = crate::piles::wall(5, 4, 0.301);
    let next = solver.solve(&problem(&shaken), &mut r).unwrap();
    assert!(next.is_solved() && next.iterations < outcome.iterations, "{next:?}");
}

/// A body between walls that come together: nothing can be done about it, and nobody claims to.
#[test]
fn a_problem_without_solution_is_told() {
    let squeezed = BlockMatrix::<2>::from_dense(&dmatrix![
        1.0, 0.0, -1.0, 0.0;
        0.0, 1.0, 0.0, 1.0;
        -1.0, 0.0, 1.0, 0.0;
        0.0, 1.0, 0.0, 1.0
    ])
    .unwrap();
    let (offset, friction) = ([-1.0, 0.1, -1.0, 0.1], [0.3, 0.3]);
    for law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
        let problem = FrictionProblem::new(&squeezed, &offset, &friction).unwrap().with_law(law);
        let mut r = [0.0; 4];
        let outcome = FrictionSolver::new(1e-6).unwrap().solve(&problem, &mut r).unwrap();
        assert_ne!(outcome.status, FrictionStatus::Solved);
        assert!(outcome.residual > 0.1 && r.iter().all(|r| r.is_finite()), "{outcome:?} {r:?}");
        assert_eq!(outcome.residual, problem.residual(&r));
    }
}

/// Without friction the problem is an LCP, which Lemke's method solves.
#[test]
fn contacts_without_friction_are_those_of_the_lcp() {
    use cosimo_complementarity::{LcpProblem, LemkeWorkspace};
    let wall = crate::piles::wall(3, 3, 0.0);
    let n = wall.friction.len();
    let none = vec![0.0; n];
    let problem = FrictionProblem::new(&wall.delassus, &wall.offset, &none).unwrap();
    let mut r = vec![0.0; 3 * n];
    assert!(interior(1e-9).solve(&problem, &mut r).unwrap().is_solved());
    let u = problem.velocities(&r).unwrap();
    let blocks = wall.delassus.to_blocks();
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let mut unit = vec![0.0; 3 * n];
        unit[3 * j] = 1.0;
        blocks.row(i, &unit, &[])[0]
    });
    let q = DVector::from_fn(n, |i, _| wall.offset[3 * i]);
    let mut z = DVector::zeros(n);
    let lcp = LcpProblem::from_dense(&matrix, &q).unwrap();
    assert!(LemkeWorkspace::with_capacity(n).solve(lcp, z.as_mut_slice()).unwrap().is_solved());
    let w = matrix * z + q;
    assert!((0..n).all(|i| (w[i] - u[3 * i]).abs() < 1e-8 && r[3 * i + 1] == 0.0));
}

/// Contacts of any rank whose velocities are those of bodies: there is a solution, for either law.
fn of_bodies() -> impl Strategy<Value = (DMatrix<f64>, DVector<f64>, Vec<f64>)> {
    (1_usize..7, 1_usize..12).prop_flat_map(|(contacts, freedom)| {
        let entries = |n: usize| prop::collection::vec(-1.0..1.0_f64, n);
        (
            entries(3 * contacts * freedom).prop_map(move |h| DMatrix::from_vec(3 * contacts, freedom, h)),
            entries(freedom).prop_map(DVector::from_vec),
            prop::collection::vec(prop_oneof![Just(0.0), 0.05..0.9], contacts),
        )
    })
}

fn obeys(u: &Vector3<f64>, r: &Vector3<f64>, mu: f64, tolerance: f64) -> bool {
    let (slip, friction) = (u.yz().norm(), r.yz().norm());
    let dissipation = u.yz().dot(&r.yz()) + mu * r[0] * slip;
    let is_inside = friction <= mu * r[0] + tolerance && u[0] >= -tolerance;
    is_inside && (u[0] * r[0]).abs() <= tolerance && dissipation.abs() <= tolerance
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn coulombs_law_holds_for_bodies_of_any_kind((h, velocity, friction) in of_bodies()) {
        prop_assume!((0..friction.len()).all(|i| h.row(3 * i).norm() > 1e-2));
        let q = &h * velocity;
        let matrix = BlockMatrix::<3>::from_dense(&(&h * h.transpose())).unwrap();
        let problem = FrictionProblem::new(&matrix, q.as_slice(), &friction).unwrap();
        let mut r = vec![0.0; q.len()];
        let outcome = FrictionSolver::new(1e-9).unwrap().solve(&problem, &mut r).unwrap();
        prop_assert!(r.iter().all(|r| r.is_finite()));
        if outcome.is_solved() {
            let u = problem.velocities(&r).unwrap();
            let size = r.iter().fold(1.0_f64, |m, r| m.max(r.abs()));
            for ((u, r), mu) in u.chunks_exact(3).zip(r.chunks_exact(3)).zip(&friction) {
                let (u, r) = (Vector3::from_column_slice(u), Vector3::from_column_slice(r));
                prop_assert!(obeys(&u, &r, *mu, 1e-7 * size * q.norm().max(1.0)), "{u} {r}");
            }
        } else {
            prop_assert!(outcome.residual > 1e-9 && outcome.residual == problem.residual(&r));
        }
    }

    /// The convex law has one velocity: every method finds it.
    #[test]
    fn the_associated_law_has_one_velocity((h, velocity, friction) in of_bodies()) {
        prop_assume!((0..friction.len()).all(|i| h.row(3 * i).norm() > 1e-2));
        let q = &h * velocity;
        let matrix = BlockMatrix::<3>::from_dense(&(&h * h.transpose())).unwrap();
        let problem = FrictionProblem::new(&matrix, q.as_slice(), &friction).unwrap().with_law(FrictionLaw::Associated);
        let mut r = vec![0.0; q.len()];
        let outcome = FrictionSolver::new(1e-8).unwrap().solve(&problem, &mut r).unwrap();
        prop_assert!(outcome.is_solved(), "{outcome:?}");
        let u = problem.velocities(&r).unwrap();
        for (i, mu) in friction.iter().enumerate() {
            let (u, r) = (Vector3::from_column_slice(&u[3 * i..3 * i + 3]), Vector3::from_column_slice(&r[3 * i..3 * i + 3]));
            let kept = project_onto_cone(*mu, &(r - u));
            prop_assert!((kept - r).norm() <= 1e-6 * (1.0 + q.norm()), "{u} {r}");
        }
    }
}

/// The lowest of a column carries all others: its impulse is the weight of the column, whatever the masses, where sweeps pass
/// on what they carry from one to the next only.
#[test]
fn columns_of_unequal_balls_are_carried_to_the_ground() {
    for (balls, ratio, friction) in [(60, 1e4, 0.5), (200, 100.0, 0.5), (200, 1e6, 0.0)] {
        let pile = crate::piles::column(balls, ratio, friction);
        let (outcome, r) = solve(&pile, 1e-8);
        assert!(outcome.is_solved(), "{balls} {ratio}: {outcome:?}");
        let mass: f64 = (0..balls).map(|k| ratio.powf(k as f64 / (balls - 1) as f64)).sum();
        assert!((r[0] / (mass * WEIGHT) - 1.0).abs() < 1e-6, "{} for {}", r[0], mass * WEIGHT);
    }
}

/// Bricks that all move in different ways: impacts, gaps that open, and faces that slide, in one problem.
#[test]
fn kicked_walls_are_solved() {
    for (seed, friction) in (1..=8).flat_map(|seed| [(seed, 0.4), (seed, 0.8)]) {
        let pile = crate::piles::kicked_wall((5, 5), 0.01, friction, seed);
        let (outcome, r) = solve(&pile, 1e-6);
        assert!(outcome.is_solved(), "{seed} {friction}: {outcome:?}");
        check_law(&pile, &r, 1e-3);
    }
}

/// Contacts between neighbours of a course too, where interior points get stuck.
#[test]
fn kicked_walls_with_head_joints_are_solved() {
    for (side, kick, friction, seed) in
        [(5, 0.01, 0.8, 7), (6, 0.01, 0.5, 18), (8, 0.02, 0.3, 2), (10, 0.01, 0.5, 1), (12, 0.01, 0.3, 1)]
    {
        let pile = crate::piles::kicked_wall_with_head_joints((side, side), kick, friction, seed);
        let (outcome, r) = solve(&pile, 1e-6);
        assert!(outcome.is_solved(), "{side} {seed}: {outcome:?}");
        check_law(&pile, &r, 1e-3);
    }
}

/// What interior points and Newton's method leave of this pile is a point that sweeps do not leave: they go on where they have
/// stopped before.
#[test]
fn sweeps_go_on_where_they_have_stopped() {
    let pile = crate::piles::pyramid(6, 6);
    let (outcome, r) = solve(&pile, 1e-6);
    assert!(outcome.is_solved(), "{outcome:?}");
    check_law(&pile, &r, 1e-3);
}

/// Thousands of contacts, all kicked at once, from some sweeps in some hundred factorisations.
#[test]
fn proximal_points_solve_large_kicked_walls() {
    for kick in [0.01, 0.1] {
        let pile = crate::piles::kicked_wall((20, 20), kick, 0.5, 1);
        let mut r = vec![0.0; pile.offset.len()];
        let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 200, ..GaussSeidelConfig::default() };
        assert!(!GaussSeidel::new(config).unwrap().solve(&problem(&pile), &mut r).unwrap().is_solved());
        let proximal = FrictionConfig { tolerance: 1e-6, max_iterations: Some(2000) };
        let outcome = ProximalPoint::new(proximal).unwrap().solve(&problem(&pile), &mut r).unwrap();
        assert!(outcome.is_solved(), "{kick}: {outcome:?}");
        check_law(&pile, &r, 0.1 * kick);
    }
}

/// On its way Newton's method leaves the cones; what it gives lies in them.
#[test]
fn impulses_of_newtons_method_lie_in_their_cones() {
    let pile = crate::piles::kicked_wall((3, 4), 0.01, 0.5, 3);
    let newton = FrictionConfig { tolerance: 1e-4, ..FrictionConfig::default() };
    let mut r = vec![0.0; pile.offset.len()];
    let outcome = AlartCurnier::new(newton).unwrap().solve(&problem(&pile), &mut r).unwrap();
    assert_eq!(outcome.residual, problem(&pile).residual(&r));
    for (r, friction) in r.chunks_exact(3).zip(&pile.friction) {
        assert!(r[0] >= 0.0 && r[1].hypot(r[2]) <= friction * r[0] * (1.0 + 1e-14), "{r:?}");
    }
}
