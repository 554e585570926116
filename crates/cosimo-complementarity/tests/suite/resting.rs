//! Spheres poured into a box, nearly at rest: where sweeps crawl and the central path turns back.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::friction::{
    FrictionConfig, FrictionSolver, GaussSeidel, GaussSeidelConfig, InteriorPoint, ProximalPoint,
    PseudoTransient,
};
use nalgebra::Vector3;

use crate::box_of_spheres::BoxOfSpheres;

/// Coulomb's law at every contact, with velocities (m/s) that miss it by a share of all and impulses by what makes them.
#[track_caller]
fn check_law(spheres: &BoxOfSpheres, r: &[f64], tolerance: f64) {
    let most = tolerance * spheres.offset.iter().map(|q| q * q).sum::<f64>().sqrt();
    let u = spheres.problem().velocities(r).unwrap();
    for ((u, r), mu) in u.chunks_exact(3).zip(r.chunks_exact(3)).zip(&spheres.friction) {
        let (u, r) = (Vector3::from_column_slice(u), Vector3::from_column_slice(r));
        let (slip, friction) = (u.yz().norm(), r.yz().norm());
        assert!(r[0] >= -most && friction <= mu * r[0] + most, "{r}");
        assert!(u[0] >= -most && (r[0] * u[0]).abs() <= most * (1.0 + r[0]), "{u} {r}");
        // Friction takes all it can where the contact slides.
        let dissipation = u.yz().dot(&r.yz()) + mu * r[0] * slip;
        assert!(dissipation.abs() <= most * (1.0 + slip + r[0]), "{u} {r}");
    }
}

/// Sweeps end at 1e-5, and interior points where the central path turns back.
#[test]
fn spheres_nearly_at_rest_are_solved_in_pseudo_time() {
    let spheres = BoxOfSpheres::read("2733");
    let problem = spheres.problem();
    let mut swept = vec![0.0; spheres.offset.len()];
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 1000, ..GaussSeidelConfig::default() };
    assert!(!GaussSeidel::new(config).unwrap().solve(&problem, &mut swept).unwrap().is_solved());
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    let solver = PseudoTransient::new(config).unwrap();
    let mut r = vec![0.0; spheres.offset.len()];
    let outcome = solver.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved(), "{outcome:?}");
    assert_eq!(outcome.residual, problem.residual(&r));
    check_law(&spheres, &r, 1e-6);
}

/// A solver that is asked for nothing but a solution, and again to the same bits.
#[test]
fn what_sweeps_and_patches_leave_is_solved() {
    let spheres = BoxOfSpheres::read("801");
    let problem = spheres.problem();
    let mut r = vec![0.0; spheres.offset.len()];
    let mut solver = FrictionSolver::new(1e-6).unwrap();
    let outcome = solver.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved(), "{outcome:?}");
    check_law(&spheres, &r, 1e-6);
    let mut again = vec![0.0; r.len()];
    let _ = solver.solve(&problem, &mut again).unwrap();
    assert!(r.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));
    // From a solution nothing is done.
    let before = r.clone();
    let transient = PseudoTransient::new(FrictionConfig { tolerance: 1e-6, ..Default::default() }).unwrap();
    assert_eq!(transient.solve(&problem, &mut r).unwrap().iterations, 0);
    assert_eq!(r, before);
}

/// Where steps that leave the sliding velocity as it is creep.
#[test]
fn pseudo_time_passes_where_interior_points_creep() {
    let spheres = BoxOfSpheres::read("801");
    let problem = spheres.problem();
    let (mut a, mut b) = (vec![0.0; spheres.offset.len()], vec![0.0; spheres.offset.len()]);
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    let transient = PseudoTransient::new(config).unwrap().solve(&problem, &mut a).unwrap();
    let config = FrictionConfig { tolerance: 1e-6, max_iterations: Some(transient.iterations) };
    let interior = InteriorPoint::new(config).unwrap().solve(&problem, &mut b).unwrap();
    assert!(transient.is_solved() && !interior.is_solved(), "{transient:?} {interior:?}");
}

/// Spheres that were stopped in their fall: sweeps crawl along at a residual of 1e-5, and pseudo-time ends there.
#[test]
fn proximal_points_lead_on_where_sweeps_crawl() {
    let spheres = BoxOfSpheres::read("716");
    let problem = spheres.problem();
    let mut r = vec![0.0; spheres.offset.len()];
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 5000, ..GaussSeidelConfig::default() };
    assert!(!GaussSeidel::new(config).unwrap().solve(&problem, &mut r.clone()).unwrap().is_solved());
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    assert!(!PseudoTransient::new(config).unwrap().solve(&problem, &mut r.clone()).unwrap().is_solved());
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 200, ..GaussSeidelConfig::default() };
    let _ = GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap();
    let proximal = ProximalPoint::new(FrictionConfig { tolerance: 1e-6, ..Default::default() }).unwrap();
    let outcome = proximal.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved() && outcome.iterations <= 4000, "{outcome:?}");
    assert_eq!(outcome.residual, problem.residual(&r));
    check_law(&spheres, &r, 1e-6);
    // From a solution nothing is done.
    let again = proximal.solve(&problem, &mut r).unwrap();
    assert!(again.is_solved() && again.iterations == 0, "{again:?}");
}
