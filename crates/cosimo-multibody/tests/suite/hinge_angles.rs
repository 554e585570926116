//! Springs and stops of hinges that turn more than once.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::mechanisms::{Z, diagonal, start};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, PenaltyLaw, RigidBody, ScalarFunction, Sensor, SensorKind,
    SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{UnitQuaternion, Vector3};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 1.0 };
const INERTIA: f64 = 0.2;

/// A rotor on a hinge about `z` that spins at this rate (rad/s), and the force between it and the ground.
fn rotor(spin: f64, kinds: &[ForceKind]) -> DaeSolver<SpatialSystem> {
    let rotor = RigidBody::new(1.0, diagonal(INERTIA, INERTIA, INERTIA)).unwrap();
    let model = SpatialModel::new()
        .with_body(Body::new("rotor", rotor).with_velocity([0.0; 3], [0.0, 0.0, spin]))
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rotor")], ([0.0; 3], Z));
    let model = kinds.iter().enumerate().fold(model, |model, (k, kind)| {
        let ends = [Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3])];
        let [first, second] = ends;
        model.with_force(Force::new(format!("{k}"), kind.clone(), first, second))
    });
    start(model, RULE, DaeSettings { tolerance: 1e-12, ..DaeSettings::default() })
}

fn spin(solver: &DaeSolver<SpatialSystem>) -> f64 {
    solver.state().v[5]
}

/// A spring of 0.2 N m/rad on 0.2 kg m² swings with 1 rad/s, by 10 rad and more to either side of where it is free, however far
/// that is from the start.
#[test]
fn a_spring_winds_over_turns() {
    let spring = |free_angle| ForceKind::TorsionSpring { stiffness: INERTIA, damping: 0.0, free_angle };
    let pull = ScalarFunction(Arc::new(|_, angle, _| [INERTIA * angle, INERTIA, 0.0]));
    let kinds =
        [(spring(0.0), 0.0), (spring(-2.5), -2.5), (spring(20.0), 20.0), (ForceKind::AboutAxis(pull), 0.0)];
    for (kind, free) in kinds {
        let mut solver = rotor(10.0, std::slice::from_ref(&kind));
        let energy = solver.energy().total();
        for end in [2.0_f64, 5.0] {
            solver.advance_to(end, 1e-3).unwrap();
            let exact = 10.0 * end.cos() + free * end.sin();
            assert!((spin(&solver) - exact).abs() < 2e-5, "{kind:?}: {} instead of {exact}", spin(&solver));
            if !matches!(kind, ForceKind::AboutAxis(_)) {
                assert!((solver.energy().total() / energy - 1.0).abs() < 1e-6, "{kind:?}");
            }
        }
    }
}

/// Between two elastic stops a rotor goes to and fro: each is met where its limit says, beyond any number of turns, and
/// never from the back.
#[test]
fn stops_act_at_their_limits_alone() {
    let (stiffness, speed) = (1e3_f64, 3.0);
    let law = PenaltyLaw::Hertz { stiffness, exponent: 1.0 };
    // Half a period of the spring that a stop is.
    let contact = std::f64::consts::PI * (INERTIA / stiffness).sqrt();
    for [lower, upper] in [[-9.0, 2.5], [-2.5, 7.0], [-13.0, 4.0]] {
        let stop = |limit, is_upper| ForceKind::Stop { limit, is_upper, law };
        let mut solver = rotor(speed, &[stop(upper, true), stop(lower, false)]);
        let energy = solver.energy().total();
        let (mut times, mut before) = (Vec::new(), speed);
        let displacement = upper - lower;
        let exact = [0.0, 1.0, 2.0].map(|k| (upper + k * displacement) / speed + (k + 0.5) * contact);
        while solver.state().time < exact[2] + 0.1 {
            solver.step(1e-4).unwrap();
            if spin(&solver) * before < 0.0 {
                times.push(solver.state().time);
            }
            before = spin(&solver);
            assert!((solver.energy().total() / energy - 1.0).abs() < 1e-3, "at {} s", solver.state().time);
        }
        assert_eq!(times.len(), exact.len(), "{lower} to {upper}: {times:?} instead of {exact:?}");
        for (found, exact) in times.iter().zip(exact) {
            assert!((found - exact).abs() < 3e-4, "{lower} to {upper}: {times:?} instead of {exact}");
        }
    }
}

/// One stop alone: what rebounds from it turns the other way for ever.
#[test]
fn a_rebound_is_not_stopped_from_the_back() {
    let law = PenaltyLaw::Flores { stiffness: 1e5, exponent: 1.5, restitution: 0.5 };
    let mut solver = rotor(3.0, &[ForceKind::Stop { limit: 2.5, is_upper: true, law }]);
    solver.advance_to(1.0, 1e-5).unwrap();
    let after = spin(&solver);
    assert!(after < -1.0, "{after}");
    solver.advance_to(20.0, 1e-3).unwrap();
    assert!((spin(&solver) - after).abs() < 1e-12);
}

/// Turns are part of a saved state.
#[test]
fn a_restored_hinge_goes_on_with_the_same_turns() {
    let law = PenaltyLaw::Hertz { stiffness: 1e5, exponent: 1.5 };
    let kinds = [
        ForceKind::TorsionSpring { stiffness: INERTIA, damping: 0.01, free_angle: 0.3 },
        ForceKind::Stop { limit: 9.0, is_upper: true, law },
    ];
    let mut solver = rotor(10.0, &kinds);
    solver.advance_to(1.0, 1e-3).unwrap();
    let saved = solver.save();
    solver.advance_to(3.0, 1e-3).unwrap();
    let mut other = rotor(10.0, &kinds);
    other.restore(&saved).unwrap();
    other.advance_to(3.0, 1e-3).unwrap();
    assert_eq!(solver.state(), other.state());
    assert_eq!(solver.save(), other.save());
    assert!(other.restore(&saved[..saved.len() - 1]).is_none());
}

/// A sensor counts the turns of a rotor, each way, and goes on with them from what was saved.
#[test]
fn sensors_count_turns() {
    let body = RigidBody::new(1.0, diagonal(INERTIA, INERTIA, INERTIA)).unwrap();
    let model = |spin: f64| {
        SpatialModel::new()
            .with_body(Body::new("rotor", body.clone()).with_velocity([0.0; 3], [0.0, 0.0, spin]))
            .with_joint_at("hinge", JointKind::Revolute, [None, Some("rotor")], ([0.0; 3], Z))
            .with_sensor(Sensor::new(
                "turn",
                SensorKind::Angle,
                Frame::ground([0.0; 3]),
                Frame::on("rotor", [0.0; 3]),
            ))
    };
    let angle = |solver: &DaeSolver<SpatialSystem>| {
        let mut out = [0.0; 2];
        solver.system().observe_sensors(&solver.state().q, &solver.state().v, &[], &mut out);
        out[0]
    };
    for spin in [20.0, -20.0] {
        let begin = || start(model(spin), RULE, DaeSettings::default());
        let mut solver = begin();
        let mut saved = Vec::new();
        for k in 1..=10 {
            let end = 0.1 * f64::from(k);
            solver.advance_to(end, 1e-2).unwrap();
            assert!((angle(&solver) - spin * end).abs() < 1e-9, "{} at {end}", angle(&solver));
            if k == 7 {
                saved = solver.save();
            }
        }
        let mut resumed = begin();
        resumed.restore(&saved).unwrap();
        assert!((angle(&resumed) - 0.7 * spin).abs() < 1e-9, "{}", angle(&resumed));
        resumed.advance_to(1.0, 1e-2).unwrap();
        assert!((angle(&resumed) - spin).abs() < 1e-9, "{}", angle(&resumed));
    }
}

/// A spring that is free at 10 rad and starts two turns ahead, at 4 π, is wound by 4 π − 10.
#[test]
fn turns_at_the_start_wind_a_spring() {
    let kind = ForceKind::TorsionSpring { stiffness: INERTIA, damping: 0.0, free_angle: 10.0 };
    let body = RigidBody::new(1.0, diagonal(INERTIA, INERTIA, INERTIA)).unwrap();
    for turns in [-3, 0, 2] {
        let wound = 2.0 * std::f64::consts::PI * f64::from(turns) - 10.0;
        let ends = [Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3])];
        let [first, second] = ends.clone();
        let force = Force::new("spring", kind.clone(), first, second).with_turns(turns);
        let [first, second] = ends;
        let sensor = Sensor::new("turn", SensorKind::Angle, first, second).with_turns(turns);
        let model = SpatialModel::new()
            .with_body(Body::new("rotor", body.clone()))
            .with_joint_at("hinge", JointKind::Revolute, [None, Some("rotor")], ([0.0; 3], Z))
            .with_force(force)
            .with_sensor(sensor);
        let mut solver = start(model, RULE, DaeSettings { tolerance: 1e-12, ..DaeSettings::default() });
        assert!((solver.energy().potential - 0.5 * INERTIA * wound * wound).abs() < 1e-12);
        for end in [0.5_f64, 4.0] {
            solver.advance_to(end, 1e-3).unwrap();
            let exact = -wound * end.sin();
            assert!((spin(&solver) - exact).abs() < 2e-5, "{turns}: {} instead of {exact}", spin(&solver));
            let mut out = [0.0; 2];
            solver.system().observe_sensors(&solver.state().q, &solver.state().v, &[], &mut out);
            assert!((out[0] - 10.0 - wound * end.cos()).abs() < 2e-5, "{turns}: {}", out[0]);
        }
    }
}

/// The first angle is that in (−π, π].
#[test]
fn sensors_start_within_half_a_turn() {
    let body = Body::new("rotor", RigidBody::new(1.0, diagonal(INERTIA, INERTIA, INERTIA)).unwrap());
    for (turn, exact) in [(3.0, 3.0), (-3.0, -3.0), (4.0, 4.0 - 2.0 * std::f64::consts::PI)] {
        let turned = body.clone().with_orientation(UnitQuaternion::from_scaled_axis(Vector3::z() * turn));
        let ends = [Frame::ground([0.0; 3]), Frame::on("rotor", [0.0; 3])];
        let [first, second] = ends;
        let model = SpatialModel::new().with_body(turned);
        let system =
            model.with_sensor(Sensor::new("turn", SensorKind::Angle, first, second)).build().unwrap();
        let mut out = [0.0; 2];
        system.observe_sensors(&system.initial_position(), &system.initial_velocity(), &[], &mut out);
        assert!((out[0] - exact).abs() < 1e-14, "{}", out[0]);
    }
}
