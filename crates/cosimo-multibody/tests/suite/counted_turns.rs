//! Angles between two bodies that a step changes by half a turn or more, while each body turns by less.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use crate::mechanisms::{Z, diagonal, start};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, PenaltyLaw, RigidBody, Sensor, SensorKind, SpatialModel,
    SpatialSystem,
};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, ErrorControl, Formulation, Method};

const INERTIA: f64 = 0.1;
const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 1.0 };

/// Two rotors on one axis, `a` and `b`, that spin at these rates (rad/s).
fn rotors(spins: [f64; 2]) -> SpatialModel {
    let body = |name, spin: f64| {
        let properties = RigidBody::new(1.0, diagonal(INERTIA, INERTIA, INERTIA)).unwrap();
        Body::new(name, properties).with_velocity([0.0; 3], [0.0, 0.0, spin])
    };
    SpatialModel::new()
        .with_body(body("a", spins[0]))
        .with_body(body("b", spins[1]))
        .with_joint_at("first", JointKind::Revolute, [None, Some("a")], ([0.0; 3], Z))
        .with_joint_at("second", JointKind::Revolute, [Some("a"), Some("b")], ([0.0; 3], Z))
}

fn ends() -> [Frame; 2] {
    [Frame::on("a", [0.0; 3]), Frame::on("b", [0.0; 3])]
}

fn with_force(model: SpatialModel, kind: ForceKind) -> SpatialModel {
    let [first, second] = ends();
    model.with_force(Force::new("own", kind, first, second))
}

fn with_sensor(model: SpatialModel) -> SpatialModel {
    let [first, second] = ends();
    model.with_sensor(Sensor::new("own", SensorKind::Angle, first, second))
}

fn spring(stiffness: f64) -> ForceKind {
    ForceKind::TorsionSpring { stiffness, damping: 0.0, free_angle: 0.0 }
}

fn angle(solver: &DaeSolver<SpatialSystem>) -> f64 {
    let mut out = [0.0; 2];
    solver.system().observe_sensors(&solver.state().q, &solver.state().v, &[], &mut out);
    out[0]
}

/// 2 rad a body and step are 4 rad between them.
#[test]
fn what_counts_an_angle_refuses_half_a_turn_by_name() {
    let stop = ForceKind::Stop {
        limit: 100.0,
        is_upper: true,
        law: PenaltyLaw::Hertz { stiffness: 1.0, exponent: 1.0 },
    };
    let cases = [
        (with_force(rotors([40.0, -40.0]), spring(1e-9)), "the angle of force `own`"),
        (with_force(rotors([-40.0, 40.0]), stop), "the angle of force `own`"),
        (with_sensor(rotors([40.0, -40.0])), "the angle of sensor `own`"),
    ];
    for (model, owner) in cases {
        let mut solver = start(model, RULE, DaeSettings::default());
        let error = solver.step(0.05).unwrap_err();
        let DaeError::AngleTooFar { name, angle, allowed, time, size } = &error else {
            unreachable!("{error}")
        };
        assert_eq!((name.as_str(), *allowed, *time, *size), (owner, PI, 0.0, 0.05));
        assert!((angle - 4.0).abs() < 1e-6, "{error}");
        assert!(error.to_string().contains("use a smaller step"), "{error}");
        assert_eq!(solver.state().time, 0.0);
        solver.step(0.035).unwrap();
    }
}

/// Bodies that turn together, by 3 rad a step each, do not turn against each other.
#[test]
fn bodies_that_turn_together_are_not_refused() {
    let model = with_sensor(with_force(rotors([60.0, 60.0]), spring(0.1)));
    let mut solver = start(model, RULE, DaeSettings::default());
    solver.advance_to(1.0, 0.05).unwrap();
    assert!(angle(&solver).abs() < 1e-9 && (solver.state().v[11] - 60.0).abs() < 1e-9);
}

/// Two free rotors and the spring between them: `φ = φ̇₀/ω sin ω t`, `ω² = 2 k/J`, winds by 40 rad.
#[test]
fn a_spring_between_two_rotors_winds_as_its_closed_form_says() {
    let (stiffness, rate) = (0.2, -80.0);
    let omega = (2.0_f64 * stiffness / INERTIA).sqrt();
    let model = with_sensor(with_force(rotors([40.0, -40.0]), spring(stiffness)));
    let mut solver = start(model, RULE, DaeSettings { tolerance: 1e-12, ..DaeSettings::default() });
    for end in [0.5_f64, 2.0] {
        solver.advance_to(end, 1e-3).unwrap();
        let exact = rate / omega * (omega * end).sin();
        assert!((angle(&solver) - exact).abs() < 1e-4, "{} instead of {exact}", angle(&solver));
    }
}

/// Steps that follow the error are shortened: without forces it allows any.
#[test]
fn steps_that_follow_the_error_count_all_turns() {
    for spin in [10.0, -10.0] {
        let settings =
            DaeSettings { formulation: Formulation::PositionVelocityAcceleration, ..DaeSettings::default() };
        let rule = Method::AdaptiveBdf { largest_order: 5 };
        let mut solver = start(with_sensor(rotors([spin, -spin])), rule, settings);
        let mut control = ErrorControl::new(1e-6).unwrap();
        let steps = solver.advance_within(5.0, &mut control).unwrap();
        assert!((angle(&solver) + 10.0 * spin).abs() < 1e-6, "{} in {steps} steps", angle(&solver));
    }
}
