//! What is refused, and how it is reported.

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel};
use cosimo_native::{MechanismError, MultibodyBuilder, MultibodyPort};
use cosimo_smooth::dae::{Formulation, Method};
use nalgebra::Matrix3;

use super::models::{elbow, four_bar, horizontal_rod, pendulum};

fn rejection(builder: MultibodyBuilder) -> (MechanismError, String) {
    let error = builder.build().map(|_| ()).unwrap_err();
    let text = error.to_string();
    (error, text)
}

#[test]
fn methods_that_take_no_loads_are_refused() {
    for method in [Method::Bdf { order: 3 }, Method::AdaptiveBdf { largest_order: 5 }] {
        let (error, text) = rejection(pendulum().with_method(method));
        assert!(matches!(error, MechanismError::Method { .. }), "{error:?}");
        assert!(text.contains("pendulum") && text.contains("remove the ports"), "{text}");
    }
}

#[test]
fn formulations_that_do_not_fit_are_refused() {
    for formulation in [
        Formulation::Position,
        Formulation::Acceleration,
        Formulation::Baumgarte { alpha: 10.0, beta: 10.0 },
        Formulation::PositionVelocityAcceleration,
    ] {
        let (error, text) = rejection(pendulum().with_formulation(formulation));
        assert!(matches!(error, MechanismError::Formulation { .. }), "{error:?}");
        assert!(text.contains("use PositionVelocity or Velocity"), "{text}");
    }
    for (alpha, beta, name) in [(-1.0, 10.0, "alpha"), (10.0, f64::NAN, "beta")] {
        let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
        let formulation = Formulation::Baumgarte { alpha, beta };
        let (_, text) = rejection(pendulum().with_method(rule).with_formulation(formulation));
        assert!(text.contains(name) && text.contains("zero or positive"), "{text}");
    }
}

#[test]
fn ports_and_numbers_that_cannot_be_are_named() {
    let cases = [
        (
            pendulum().with_port("a", MultibodyPort::point("rob", [0.0; 3])),
            "no body `rob`; the bodies are: rod",
        ),
        (
            pendulum().with_port("a", MultibodyPort::along("rod", [0.0; 3], [0.0; 3])),
            "port `a`: its direction",
        ),
        (pendulum().with_port("a", MultibodyPort::point("rod", [f64::NAN, 0.0, 0.0])), "point is not finite"),
        (pendulum().with_port("tip", MultibodyPort::point("rod", [0.0; 3])), "tip"),
        (
            elbow().with_port("a", MultibodyPort::sensor("bent")),
            "no sensor `bent` of a distance, a displacement or an angle; there are: bend, height, rope",
        ),
        (pendulum().with_tolerance(0.0), "tolerance is 0"),
        (pendulum().with_max_iterations(0), "no iterations"),
        (pendulum().with_initial_time(f64::INFINITY), "initial time"),
    ];
    for (builder, part) in cases {
        let (_, text) = rejection(builder);
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn steps_that_follow_the_error_do_not_go_with_index_3() {
    let rod = horizontal_rod().with_method(Method::AdaptiveBdf { largest_order: 5 });
    let (error, text) = rejection(rod.with_formulation(Formulation::Position));
    assert!(matches!(error, MechanismError::Formulation { .. }) && text.contains("index 3"), "{text}");
}

#[test]
fn errors_to_follow_must_be_positive() {
    for tolerance in [0.0, -1e-6, f64::NAN] {
        let rod = horizontal_rod().with_method(Method::AdaptiveBdf { largest_order: 5 });
        let (_, text) = rejection(rod.with_error_tolerance(tolerance));
        assert!(text.contains("error tolerance") && text.contains("positive"), "{text}");
    }
    let (_, text) = rejection(horizontal_rod().with_method(Method::Bdf { order: 6 }));
    assert!(text.contains("order of backward differentiation is 6.0, must be in 1 to 5"), "{text}");
}

#[test]
fn joints_that_do_not_close_are_named() {
    let body = RigidBody::new(1.0, Matrix3::identity()).unwrap();
    let far = |x: f64| ([x, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let system = SpatialModel::new()
        .with_body(Body::new("bar", body))
        .with_joint_at("left", JointKind::Spherical, [None, Some("bar")], far(0.0))
        .with_joint(cosimo_multibody::spatial::Joint::new(
            "right",
            JointKind::Spherical,
            cosimo_multibody::spatial::Frame::ground([3.0, 0.0, 0.0]),
            cosimo_multibody::spatial::Frame::on("bar", [1.0, 0.0, 0.0]),
        ))
        .build()
        .unwrap();
    let (error, text) = rejection(MultibodyBuilder::new("open", system));
    assert!(matches!(error, MechanismError::Constraints { .. }), "{error:?}");
    assert!(text.contains("open") && (text.contains("`right`") || text.contains("`left`")), "{text}");
}

#[test]
fn redundant_rows_are_told() {
    let rows = four_bar().build().unwrap().redundant_rows();
    assert_eq!(rows.len(), 3, "{rows:?}");
}
