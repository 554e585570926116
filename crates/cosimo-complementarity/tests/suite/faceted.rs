//! Facets in place of the exact cone: their law, and their anisotropy.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use std::f64::consts::PI;

use cosimo_complementarity::friction::{
    BlockMatrix, FacetedCone, FrictionError, FrictionProblem, FrictionSolver,
};
use nalgebra::{DMatrix, Vector2, Vector3};

const FRICTION: f64 = 0.3;

/// Impulse on a mass of 1 kg that slides in a direction, with a weight of 1 N s.
fn sliding(cone: Option<FacetedCone>, direction: Vector2<f64>) -> Vector3<f64> {
    let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let offset = [-1.0, 10.0 * direction.x, 10.0 * direction.y];
    let friction = [FRICTION];
    let problem = FrictionProblem::new(&mass, &offset, &friction).unwrap();
    let mut r = [0.0; 3];
    match cone {
        Some(cone) => assert!(cone.solve(&problem, &mut r).unwrap().is_solved()),
        None => assert!(FrictionSolver::new(1e-13).unwrap().solve(&problem, &mut r).unwrap().is_solved()),
    }
    Vector3::from(r)
}

#[test]
fn friction_is_exact_against_a_normal_and_too_large_by_the_closed_form_between_two() {
    for facets in [3, 4, 5, 6, 8, 16, 33] {
        let cone = FacetedCone::new(facets).unwrap().turned(0.1);
        for facet in 0..facets {
            let normal = cone.normal(facet);
            let r = sliding(Some(cone), -normal);
            let exact = sliding(None, -normal);
            assert!((r - exact).norm() < 1e-11, "{facets} facets, against {facet}: {r}");
            if facets % 2 == 1 {
                // Opposite to a normal of an odd polygon lies a corner.
                let r = sliding(Some(cone), normal);
                let expected = -normal * (FRICTION / (PI / facets as f64).cos());
                assert!((r.yz() - expected).norm() < 1e-11, "{facets} facets, along {facet}: {r}");
            }
            let corner = (normal + cone.normal((facet + 1) % facets)).normalize();
            let r = sliding(Some(cone), -corner);
            let expected = FRICTION / (PI / facets as f64).cos();
            assert!((r.yz() - corner * expected).norm() < 1e-11, "{facets} facets, after {facet}: {r}");
        }
    }
}

/// Between normal and corner the force stays at the corner: beside the sliding by up to π/ω.
#[test]
fn friction_points_to_the_corner() {
    let cone = FacetedCone::new(16).unwrap();
    let corner = (cone.normal(0) + cone.normal(1)).normalize();
    for share in [0.1, 0.3, 0.6] {
        let angle = share * PI / 16.0;
        let r = sliding(Some(cone), -Vector2::new(angle.cos(), angle.sin()));
        assert!((r.yz().normalize() - corner).norm() < 1e-11);
        let exact = sliding(None, -Vector2::new(angle.cos(), angle.sin()));
        assert!((exact.yz() - Vector2::new(angle.cos(), angle.sin()) * FRICTION).norm() < 1e-11);
    }
}

#[test]
fn sticking_does_not_depend_on_the_cone() {
    let cone = FacetedCone::new(5).unwrap();
    let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let (offset, friction) = ([-1.0, 0.1, -0.2], [FRICTION]);
    let problem = FrictionProblem::new(&mass, &offset, &friction).unwrap();
    let mut r = [0.0; 3];
    assert!(cone.solve(&problem, &mut r).unwrap().is_solved());
    assert!((Vector3::from(r) + Vector3::from(offset)).norm() < 1e-12);
}

/// Several contacts: the law of the facets, at every one of them.
#[test]
fn the_law_holds_for_a_brick_on_four_corners() {
    let pile = crate::piles::wall(1, 1, 1.5);
    let problem = FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap();
    for facets in [4, 7, 12] {
        let cone = FacetedCone::new(facets).unwrap();
        let mut r = vec![0.0; pile.offset.len()];
        let outcome = cone.solve(&problem, &mut r).unwrap();
        assert!(outcome.is_solved() && outcome.residual <= 1e-10, "{outcome:?}");
        let u = problem.velocities(&r).unwrap();
        for (i, mu) in pile.friction.iter().enumerate() {
            let (r, u) = (Vector3::from_column_slice(&r[3 * i..]), Vector3::from_column_slice(&u[3 * i..]));
            assert!(r[0] >= 0.0 && u[0] >= -1e-12 && (r[0] * u[0]).abs() < 1e-12);
            let room = |k: usize| mu * r[0] - cone.normal(k).dot(&r.yz());
            assert!((0..facets).all(|k| room(k) >= -1e-12));
            // Friction does the most work that the polygon allows: μ r_N times the support of its corners.
            let corner = |k: usize| (cone.normal(k) + cone.normal((k + 1) % facets)).normalize();
            let reach = mu * r[0] / (PI / facets as f64).cos();
            let most = (0..facets).map(|k| -reach * corner(k).dot(&u.yz())).fold(0.0, f64::max);
            assert!((-u.yz().dot(&r.yz()) - most).abs() < 1e-12, "{u} {r}");
        }
    }
}

#[test]
fn two_facets_are_no_cone() {
    assert!(matches!(FacetedCone::new(2), Err(FrictionError::Setting { setting: "facets", .. })));
}
