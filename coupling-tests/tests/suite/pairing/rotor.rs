//! A rotor of two blades with the air on it, and a droop stop for each blade in a subsystem of its own: the pairing of smooth and
//! nonsmooth rules that a master program composes.
//!
//! Unlike rules give the flap angle that equal rules give.

use cosimo::aerodynamics::RotorAerodynamics;
use cosimo::aerodynamics::inflow::InflowModel;
use cosimo::aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};
use cosimo::dynamics::StepRule;
use cosimo::master::{Acceleration, Impacts, Scheme};
use cosimo::mechanics::TimeFunction;
use cosimo::multibody::spatial::{
    Body, Frame, Joint, JointKind, RigidBody, Sensor, SensorKind, SpatialModel, SpatialSystem,
};
use cosimo::native::{MultibodyBuilder, MultibodyPort};
use cosimo::prelude::*;
use cosimo::smooth::dae::Method;

/// At the start the blades lie on their stops (rad), and the hub turns (rad/s).
const DROOP: f64 = -10.0 * std::f64::consts::PI / 180.0;
const SPEED: f64 = 6.0;
const STATIONS: [f64; 4] = [0.5, 2.08, 4.5, 7.4];

type Error = Box<dyn std::error::Error>;

fn blades() -> Result<SpatialSystem, Error> {
    let hub = RigidBody::new(100.0, Matrix3::from_diagonal(&Vector3::new(10.0, 10.0, 20.0)))?;
    let drive = JointKind::Angle(TimeFunction::Linear { start: 0.0, rate: SPEED });
    let mut model = SpatialModel::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_body(Body::new("hub", hub))
        .with_joint_at("shaft", JointKind::Revolute, [None, Some("hub")], ([0.0; 3], [0.0, 0.0, 1.0]))
        .with_joint(Joint::new("drive", drive, Frame::ground([0.0; 3]), Frame::on("hub", [0.0; 3])));
    for i in 1..=2 {
        let blade = RigidBody::new(91.0, Matrix3::from_diagonal(&Vector3::new(1.0, 393.0, 393.0)))?;
        let azimuth = if i == 1 { 0.0 } else { std::f64::consts::PI };
        let yaw = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), azimuth);
        let turn = yaw * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -DROOP);
        let hinge = yaw * Vector3::new(0.289, 0.0, 0.0);
        let centre = hinge + turn * Vector3::new(3.6, 0.0, 0.0);
        let axis = yaw * Vector3::new(0.0, -1.0, 0.0);
        let spin = Vector3::new(0.0, 0.0, SPEED);
        let name = format!("blade_{i}");
        let moving = (spin.cross(&centre), (turn.inverse() * spin));
        let body = Body::new(&name, blade)
            .with_position(centre)
            .with_orientation(turn)
            .with_velocity(moving.0, moving.1);
        let flap = format!("flap_{i}");
        model = model.with_body(body).with_joint_at(
            &flap,
            JointKind::Revolute,
            [Some("hub"), Some(&name)],
            (hinge, axis),
        );
        // The angle of the hinge, from the blade's level.
        let level = UnitQuaternion::rotation_between(&Vector3::z(), &Vector3::new(0.0, -1.0, 0.0));
        let level = level.ok_or("no turn between the axes")?;
        let first = Frame { body: Some("hub".to_owned()), point: hinge, orientation: yaw * level };
        let second = Frame { body: Some(name), point: Vector3::new(-3.6, 0.0, 0.0), orientation: level };
        model = model.with_sensor(Sensor::new(format!("angle_{i}"), SensorKind::Angle, first, second));
    }
    Ok(model.build()?)
}

fn rotor(method: Method) -> Result<Box<dyn Subsystem>, Error> {
    let mut builder = MultibodyBuilder::new("rotor", blades()?).with_method(method);
    builder = builder.with_port("hub", MultibodyPort::frame("hub", [0.0; 3]));
    for i in 1..=2 {
        builder = builder.with_port(format!("angle_{i}"), MultibodyPort::sensor(format!("angle_{i}")));
        for (k, r) in STATIONS.iter().enumerate() {
            let place = MultibodyPort::frame(format!("blade_{i}"), [r - 0.289 - 3.6, 0.0, 0.0]);
            builder = builder.with_port(format!("b{i}_{}", k + 1), place);
        }
    }
    Ok(Box::new(builder.build()?))
}

fn air() -> Result<Box<dyn Subsystem>, Error> {
    let blade = BladeSpec::straight(STATIONS.to_vec(), [2.08, 7.4], 0.537, AirfoilSpec::Naca0012);
    let mut spec = RotorSpec::new(2, blade, 7.49, 28.0);
    spec.inflow = InflowModel::Uniform;
    Ok(Box::new(RotorAerodynamics::new("air", &spec)?))
}

fn stop(name: &str, rule: Box<dyn StepRule>) -> Result<Box<dyn Subsystem>, Error> {
    let system = LinearSystem::new(DMatrix::from_element(1, 1, 0.5))?;
    let mechanism = MechanismBuilder::new(name, system)
        .with_rule(rule)
        .with_ports(&[("angle", 1)], LinearRows(vec![LinearRow::coordinate(0)]))
        .with_contacts(&[("droop", 0.8)], LinearRows(vec![LinearRow::dense(&[1.0], DROOP)]))
        .with_initial_state(vec![DROOP], vec![0.0]);
    Ok(Box::new(mechanism.build()?))
}

/// Flap angle (degrees) after a second.
fn angle(
    method: Method,
    has_theta: bool,
    law: &InterfaceLaw,
    config: MasterConfig,
    h: f64,
) -> Result<f64, Error> {
    let rule = || -> Result<Box<dyn StepRule>, Error> {
        Ok(if has_theta { Box::new(Theta::new(0.5)?) } else { Box::new(Multistep::new(0.6)?) })
    };
    let parts = vec![rotor(method)?, air()?, stop("stop_1", rule()?)?, stop("stop_2", rule()?)?];
    let mut joints = vec![Interface::new("shaft_air", "rotor.hub", "air.hub", InterfaceLaw::Load)];
    for i in 1..=2 {
        let ports = [format!("stop_{i}.angle"), format!("rotor.angle_{i}")];
        joints.push(Interface::new(format!("stop_joint_{i}"), &ports[0], &ports[1], law.clone()));
        for k in 1..=STATIONS.len() {
            let ports = [format!("rotor.b{i}_{k}"), format!("air.blade_{i}_{k}")];
            joints.push(Interface::new(format!("air_{i}_{k}"), &ports[0], &ports[1], InterfaceLaw::Load));
        }
    }
    let mut master = Master::new(parts, joints, config, 0.0)?;
    master.run(1.0, h, &mut NoObserver)?;
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values)?;
    let label =
        master.labels().iter().position(|label| label.owner == "rotor" && label.name == "angle_1.angle");
    Ok(values[label.ok_or("no angle")?].to_degrees())
}

const TWO_STEP: Method = Method::Multistep { spectral_radius: 0.6 };

/// The angle with the same rule on both sides of every joint.
fn right() -> Result<f64, Error> {
    angle(TWO_STEP, false, &InterfaceLaw::Rigid, MasterConfig::default(), 1e-4)
}

#[test]
fn unlike_rules_flap_as_equal_ones() -> Result<(), Error> {
    let laws = [
        InterfaceLaw::Rigid,
        InterfaceLaw::Tikhonov { constant: 1e-9 },
        InterfaceLaw::Tikhonov { constant: 5e-9 },
    ];
    let right = right()?;
    for (method, has_theta) in [(TWO_STEP, true), (Method::Midpoint, false)] {
        for law in &laws {
            let found = angle(method, has_theta, law, MasterConfig::default(), 1e-4)?;
            assert!(
                (found - right).abs() < 2e-3,
                "{method:?}, stops on theta {has_theta}, {law:?}: {found}°"
            );
        }
    }
    Ok(())
}

#[test]
fn equal_rules_flap_alike() -> Result<(), Error> {
    let right = right()?;
    for (method, has_theta) in [(TWO_STEP, false), (Method::Midpoint, true)] {
        let found = angle(method, has_theta, &InterfaceLaw::Rigid, MasterConfig::default(), 2e-4)?;
        assert!((found - right).abs() < 4e-3, "{method:?}: {found}°");
    }
    Ok(())
}

/// By turns impacts are those of the plain problem, of order one.
#[test]
fn so_they_do_by_turns() -> Result<(), Error> {
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        acceleration: Acceleration::Aitken { first: 0.5 },
        impacts: Impacts::PLAIN,
        ..MasterConfig::default()
    };
    let law = InterfaceLaw::Tikhonov { constant: 5e-9 };
    let found = angle(TWO_STEP, true, &law, config, 5e-4)?;
    assert!((found - right()?).abs() < 0.2, "{found}°");
    Ok(())
}
