//! Sensors and violations against closed forms.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::Motion;
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    Body, Frame, Joint, JointKind, RigidBody, Sensor, SensorKind, SpatialModel, SpatialSystem,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

const TURN: f64 = 0.7;
const SPIN: f64 = 3.0;

/// A body at (1, 2, 3), turned by 0.7 about z, that spins at 3 rad/s and moves at (0.1, 0.2, 0.3).
fn body() -> Body {
    Body::new("disc", RigidBody::new(1.0, Matrix3::identity()).unwrap())
        .with_position([1.0, 2.0, 3.0])
        .with_orientation(UnitQuaternion::from_scaled_axis(Vector3::z() * TURN))
        .with_velocity([0.1, 0.2, 0.3], [0.0, 0.0, SPIN])
}

fn observed(system: &SpatialSystem) -> Vec<f64> {
    let mut out = vec![0.0; system.sensor_quantities().count()];
    system.observe_sensors(&system.initial_position(), &system.initial_velocity(), &[], &mut out);
    out
}

#[test]
fn sensors_tell_numbers_and_rates() {
    let rim = || Frame::on("disc", [2.0, 0.0, 0.0]);
    let ground = || Frame::ground([0.0; 3]);
    let system = SpatialModel::new()
        .with_body(body())
        .with_sensor(Sensor::new("rim", SensorKind::Way, ground(), rim()))
        .with_sensor(Sensor::new("reach", SensorKind::Distance, ground(), Frame::on("disc", [0.0; 3])))
        .with_sensor(Sensor::new("height", SensorKind::Displacement, ground(), rim()))
        .with_sensor(Sensor::new("turn", SensorKind::Angle, ground(), rim()))
        .build()
        .unwrap();
    let names: Vec<String> =
        system.sensor_quantities().map(|(owner, part, unit)| format!("{owner}.{part} {unit}")).collect();
    assert_eq!(names[..2], ["rim.x m", "rim.y m"]);
    assert_eq!(
        names[6..],
        [
            "reach.distance m",
            "reach.rate m/s",
            "height.displacement m",
            "height.rate m/s",
            "turn.angle rad",
            "turn.rate rad/s",
        ]
    );
    let (sine, cosine) = TURN.sin_cos();
    let reach = 14.0_f64.sqrt();
    let exact = [
        1.0 + 2.0 * cosine,
        2.0 + 2.0 * sine,
        3.0,
        0.1 - 2.0 * SPIN * sine,
        0.2 + 2.0 * SPIN * cosine,
        0.3,
        reach,
        (0.1 + 0.4 + 0.9) / reach,
        3.0,
        0.3,
        TURN,
        SPIN,
    ];
    for ((found, exact), name) in observed(&system).iter().zip(exact).zip(&names) {
        assert!((found - exact).abs() < 1e-14, "{name}: {found} instead of {exact}");
    }
}

#[test]
fn violations_are_told_by_joint_and_unit() {
    let angle = |value: f64| JointKind::Angle(TimeFunction::Linear { start: value, rate: 1.0 });
    let system = SpatialModel::new()
        .with_body(body())
        .with_joint(Joint::new("right", angle(TURN), Frame::ground([0.0; 3]), Frame::on("disc", [0.0; 3])))
        .with_joint(Joint::new(
            "off",
            angle(TURN - 0.1),
            Frame::ground([0.0; 3]),
            Frame::on("disc", [0.0; 3]),
        ))
        .with_joint(Joint::new(
            "rope",
            JointKind::Distance(TimeFunction::Constant(3.5)),
            Frame::ground([0.0; 3]),
            Frame::on("disc", [0.0; 3]),
        ))
        .build()
        .unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let found = system.violations(Motion { t: 0.0, q: &q, v: &v }, 2.5);
    assert!(found.is_empty(), "{found:?}");
    let found = system.violations(Motion { t: 0.0, q: &q, v: &v }, 1e-9);
    assert_eq!(found.iter().map(|violation| violation.joint).collect::<Vec<_>>(), [0, 1, 2]);
    // The first angle is right, but turns at 1 instead of 3 rad/s.
    assert!(found[0].angle < 1e-15 && (found[0].spin - 2.0).abs() < 1e-14, "{:?}", found[0]);
    assert!((found[1].angle - 0.1).abs() < 1e-15, "{:?}", found[1]);
    assert!((found[2].distance - (14.0_f64.sqrt() - 3.5)).abs() < 1e-14 && found[2].angle == 0.0);
    assert!((found[2].speed - 1.4 / 14.0_f64.sqrt()).abs() < 1e-14, "{:?}", found[2]);
}

#[test]
fn sensors_are_checked_as_joints_are() {
    let rejection =
        |sensor| SpatialModel::new().with_body(body()).with_sensor(sensor).build().unwrap_err().to_string();
    let ground = || Frame::ground([1.0, 2.0, 3.0]);
    let missing = rejection(Sensor::new("s", SensorKind::Way, ground(), Frame::on("disk", [0.0; 3])));
    assert!(missing.contains("sensor `s` refers to body `disk`"), "{missing}");
    let flat = rejection(Sensor::new("s", SensorKind::Distance, ground(), Frame::on("disc", [0.0; 3])));
    assert!(flat.contains("sensor `s`: its two points coincide"), "{flat}");
}

/// Of a point 2 m from the centre of a disc that turns at `ω`, falls with `a` and is sped up by `α`: `a + α × r − ω² r`.
#[test]
fn accelerations_of_points_are_those_of_the_rigid_body() {
    let rim = || Frame::on("disc", [2.0, 0.0, 0.0]);
    let kind = |on_body, proper| SensorKind::Acceleration { on_body, proper };
    let sensor = |name: &str, kind| Sensor::new(name, kind, Frame::ground([0.0; 3]), rim());
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.0])
        .with_body(body())
        .with_sensor(sensor("world", kind(false, false)))
        .with_sensor(sensor("body", kind(true, false)))
        .with_sensor(sensor("felt", kind(true, true)))
        .build()
        .unwrap();
    assert!(system.coordinate("world").is_none());
    let names: Vec<_> = system.sensor_quantities().map(|(_, part, unit)| (part, unit)).take(3).collect();
    assert_eq!(names, [("ax", "m/s²"), ("ay", "m/s²"), ("az", "m/s²")]);
    let a = [0.4, 0.5, -9.0, 0.0, 0.0, 1.5];
    let mut found = [0.0; 9];
    system.observe_sensors(&system.initial_position(), &system.initial_velocity(), &a, &mut found);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * TURN);
    let world = Vector3::new(0.4, 0.5, -9.0) + turn * Vector3::new(-2.0 * SPIN * SPIN, 2.0 * 1.5, 0.0);
    let own = turn.inverse() * world;
    let felt = own + Vector3::new(0.0, 0.0, 9.0);
    let exact = [world, own, felt];
    for (found, exact) in found.iter().zip(exact.iter().flat_map(Vector3::iter)) {
        assert!((found - exact).abs() < 1e-13, "{found} instead of {exact}");
    }
}
