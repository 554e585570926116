//! Steps that are too long, and the smallest that may be taken, are reported as such.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, ErrorControl, Formulation, Method};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A solver at the time `t` (s).
fn solver(
    system: SpatialSystem,
    (method, formulation): (Method, Formulation),
    t: f64,
) -> DaeSolver<SpatialSystem> {
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let settings = DaeSettings { formulation, ..DaeSettings::default() };
    DaeSolver::new(system, method, settings, (t, q, v)).unwrap()
}

/// A balanced wheel on a hinge, turning at this rate (rad/s), and a body at rest.
fn wheel(rate: f64) -> SpatialSystem {
    let properties = RigidBody::new(2.0, Matrix3::from_diagonal(&Vector3::new(0.3, 0.3, 0.4))).unwrap();
    SpatialModel::new()
        .with_body(Body::new("still", properties.clone()).with_position([3.0, 0.0, 0.0]))
        .with_body(Body::new("wheel", properties).with_velocity([0.0; 3], [0.0, 0.0, rate]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("wheel")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .build()
        .unwrap()
}

/// Half a turn a step at most, and over all steps that a method looks back.
#[test]
fn half_a_turn_a_step_is_refused_by_name() {
    let rules = [
        (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::Position, 1.0),
        (Method::Multistep { spectral_radius: 0.8 }, Formulation::PositionVelocity, 1.0),
        (Method::Midpoint, Formulation::PositionVelocity, 1.0),
        (Method::Bdf { order: 1 }, Formulation::Position, 1.0),
        (Method::Bdf { order: 3 }, Formulation::Position, 2.0),
        (Method::Bdf { order: 5 }, Formulation::Position, 4.0),
    ];
    for (method, formulation, steps) in rules {
        let h = 0.01;
        let mut slow = solver(wheel(300.0 / steps), (method, formulation), 7.0);
        slow.advance_to(7.2, h).unwrap();
        assert!((slow.state().v[11] - 300.0 / steps).abs() < 1e-9, "{method:?}: {:?}", slow.state().v);
        let mut fast = solver(wheel(-400.0 / steps), (method, formulation), 7.0);
        let error = fast.step(h).unwrap_err();
        let DaeError::TurnsTooFar { body, angle, allowed, time, size } = &error else {
            unreachable!("{method:?}: {error}")
        };
        assert_eq!((body.as_str(), *time, *size), ("body `wheel`", 7.0, h));
        assert!((angle - 4.0 / steps).abs() < 1e-9 && *allowed == PI / steps, "{method:?}: {error}");
        let trial = fast.start_trial().and_then(|()| fast.solve_trial(h));
        assert!(matches!(trial, Err(DaeError::TurnsTooFar { .. })), "{trial:?}");
        assert_eq!((fast.state().time, fast.effort().0), (7.0, 0));
        fast.step(0.7 * h).unwrap();
    }
}

/// A bar on a hinge below a spring, with a ball on its end.
fn sprung_bar() -> SpatialSystem {
    let bar = RigidBody::new(2.0, Matrix3::from_diagonal(&Vector3::new(0.01, 0.2, 0.2))).unwrap();
    let ball = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.1)).unwrap();
    let stiff =
        ForceKind::Spring { stiffness: 50.0, damping: 0.0, free_length: 1.25_f64.sqrt(), preload: 0.0 };
    SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(Body::new("bar", bar).with_centre_of_mass([0.5, 0.0, 0.0]))
        .with_body(Body::new("ball", ball).with_position([2.0, 0.0, 0.0]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("bar")], ([0.0; 3], [0.0, 1.0, 0.0]))
        .with_joint_at(
            "pin",
            JointKind::Spherical,
            [Some("bar"), Some("ball")],
            ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        )
        .with_force(Force::new(
            "spring",
            stiff,
            Frame::ground([0.0, 0.0, 1.0]),
            Frame::on("bar", [0.5, 0.0, 0.0]),
        ))
        .build()
        .unwrap()
}

#[test]
fn singular_equations_of_a_step_that_is_too_long_are_told_as_such() {
    let rule = (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::PositionVelocity);
    for h in [0.6, 0.7] {
        let error = solver(sprung_bar(), rule, 0.0).step(h).unwrap_err();
        assert!(matches!(&error, DaeError::StepTooLong { size, time: 0.0, .. } if *size == h), "{error}");
        let text = error.to_string();
        assert!(text.contains("the step is too long; use a smaller step"), "{text}");
    }
    solver(sprung_bar(), rule, 0.0).advance_to(0.5, 0.01).unwrap();
}

/// What time resolves at 1000 s, not what it does at the start.
#[test]
fn the_smallest_step_is_one_that_time_resolves() {
    let time = 1000.0;
    let mut control = ErrorControl::new(1e-300).unwrap();
    let mut solver =
        solver(sprung_bar(), (Method::AdaptiveBdf { largest_order: 5 }, Formulation::Position), time);
    let error = solver.advance_within(time + 1.0, &mut control).unwrap_err();
    let DaeError::StepTooSmall { size, .. } = error else { unreachable!("{error}") };
    let resolved = 16.0 * f64::EPSILON * time;
    assert!(size < resolved && size > 0.1 * resolved, "{size:e}");
}
