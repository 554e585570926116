//! Steps allocate nothing once every buffer has been used.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::event_driven::Problem;
use crate::common::{assert_balance, energy, stepper};
use allocation_counter::measure;
use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{ImpactResolution, MoreauJean, MovingPlane, MovingPlanes, PlaneMotion};
use nalgebra::{DMatrix, DVector, Vector3, dmatrix, dvector};

/// Steps after the first, through impacts, closings and releases.
fn assert_no_allocations(stepper: &mut MoreauJean, about: &str) {
    assert_no_allocations_after(1, stepper, about);
}

/// Steps after so many.
fn assert_no_allocations_after(first: usize, stepper: &mut MoreauJean, about: &str) {
    let mut changes = 0;
    let mut steps = |count: usize| {
        for _ in 0..count {
            stepper.step(1e-3).unwrap();
            changes += stepper.contacts().changes.len();
        }
    };
    steps(first);
    let found = measure(|| steps(2000));
    assert_eq!(found.count_total, 0, "{about}");
    assert!(changes > 5, "{about}: {changes} changes");
}

#[test]
fn steps_of_linear_systems_allocate_nothing() {
    let problem = Problem {
        mass: dmatrix![1.0, 0.0, 0.0; 0.0, 0.4, 0.0; 0.0, 0.0, 0.8],
        damping: DMatrix::identity(3, 3) * 0.1,
        stiffness: dmatrix![90.0, 0.0, -90.0; 0.0, 30.0, 0.0; -90.0, 0.0, 120.0],
        force: dvector![-9.0, 0.5, -8.0],
        rows: dmatrix![1.0, -0.5, 0.0; 1.0, 0.5, 0.0; 0.0, 0.0, 1.0],
        offsets: DVector::from_column_slice(&[-0.05, -0.15, -0.1]),
        restitutions: vec![0.0, 0.6, 0.9],
    };
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        let mut stepper = problem.stepper(resolution, (&[0.1, 0.3, 0.2], &[-0.5, 0.0, -1.0]));
        assert_no_allocations(&mut stepper, &format!("{resolution:?}"));
    }
}

/// A ball that rebounds, slides and rolls in a corner of planes with friction; `planes` of them are used.
fn rolling_ball(planes: usize) -> MoreauJean {
    let normals = [Vector3::z(), Vector3::new(-1.0, 0.2, 0.1).normalize()];
    let plane = |(i, normal): (usize, Vector3<f64>)| MovingPlane {
        name: format!("p{i}"),
        motion: PlaneMotion::at_rest(Vector3::new(0.0, 0.0, 0.0), normal),
        law: ContactLaw::with_friction(0.5, 0.3),
    };
    let planes = normals.into_iter().enumerate().map(plane).take(planes).collect();
    let planes = MovingPlanes::with_spin(planes, 0.1, true).unwrap();
    let system = MovingPlanes::sphere(1.0, 4e-3, Vector3::new(3.0, 0.5, -9.81)).unwrap();
    let (q, v) = (vec![-0.5, 0.0, 0.2, 0.0, 0.0, 0.0], vec![1.0, 0.3, 0.0, 0.0, 2.0, 0.0]);
    let (laws, rule) = (planes.laws(), cosimo_dynamics::Theta::default());
    MoreauJean::new(system, rule, (Box::new(planes), laws), ImpactResolution::SubStep, (0.0, q, v)).unwrap()
}

#[test]
fn steps_with_friction_allocate_nothing() {
    assert_no_allocations(&mut rolling_ball(1), "one plane");
    // Both planes are met at once for the first time within a second.
    assert_no_allocations_after(1000, &mut rolling_ball(2), "two planes");
}

#[test]
fn steps_with_friction_keep_the_energy_balance() {
    for planes in [1, 2] {
        let mut ball = rolling_ball(planes);
        for _ in 0..3001 {
            let before = energy(&ball);
            ball.step(1e-3).unwrap();
            assert_balance(&ball, before, energy(&ball));
        }
    }
}

#[test]
fn steps_with_turning_planes_allocate_nothing() {
    let motion = PlaneMotion {
        angular_velocity: Vector3::new(0.0, 0.1, 0.0),
        ..PlaneMotion::at_rest(Vector3::zeros(), Vector3::z())
    };
    let planes = MovingPlanes::new(
        vec![MovingPlane { name: "floor".into(), motion, law: ContactLaw::frictionless(0.7) }],
        0.0,
    )
    .unwrap();
    let ball = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -9.81)).unwrap();
    let start: (&[f64], &[f64]) = (&[0.0, 0.0, 0.2], &[0.0; 3]);
    let mut stepper = stepper(ball, planes, &[0.7], ImpactResolution::SubStep, start);
    assert_no_allocations(&mut stepper, "turning plane");
}
