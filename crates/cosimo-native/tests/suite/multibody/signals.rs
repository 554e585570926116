//! Actuators that inputs drive, and sensors as outputs.

use std::sync::Arc;

use cosimo_mechanics::{TimeFunction, TimeInput};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, Joint, JointKind, RigidBody, ScalarFunction, Sensor, SensorKind,
    SpatialModel,
};
use cosimo_native::{Multibody, MultibodyBuilder};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::conformance::Conformance;
use cosimo_subsystem::{Hold, MacroStep, Signal, SignalInput, StepLoads, Subsystem};
use nalgebra::Matrix3;

fn input(name: &str, unit: &str, hold: Hold, default: Option<f64>) -> SignalInput {
    SignalInput { name: name.to_owned(), unit: unit.to_owned(), hold, default }
}

/// A wheel of 0.2 kg m² with a motor, and a table that is led along `x`.
fn machine(method: Method) -> Multibody {
    let (torque, place) = (TimeInput::held(0.0), TimeInput::held(0.0));
    let moment = {
        let torque = torque.clone();
        ScalarFunction(Arc::new(move |t, _, _| [-torque.at(t)[0], 0.0, 0.0]))
    };
    let body = || RigidBody::new(1.0, Matrix3::from_diagonal_element(0.2)).unwrap();
    let (ground, wheel) = (|| Frame::ground([0.0; 3]), || Frame::on("wheel", [0.0; 3]));
    let along = |frame: Frame| frame.with_axis([1.0, 0.0, 0.0]);
    let system = SpatialModel::new()
        .with_body(Body::new("wheel", body()))
        .with_body(Body::new("table", body()))
        .with_joint(Joint::new("axle", JointKind::Revolute, ground(), wheel()))
        .with_joint(Joint::new(
            "guide",
            JointKind::Displacement(TimeFunction::Input(place.clone())),
            along(ground()),
            along(Frame::on("table", [0.0; 3])),
        ))
        .with_force(Force::new("motor", ForceKind::AboutAxis(moment), ground(), wheel()))
        .with_sensor(Sensor::new("shaft", SensorKind::Angle, ground(), wheel()))
        .build()
        .unwrap();
    MultibodyBuilder::new("machine", system)
        .with_method(method)
        .with_input(input("torque", "N m", Hold::Linear, None), torque)
        .with_input(input("place", "m", Hold::Smooth, Some(0.0)), place)
        .build()
        .unwrap()
}

/// Takes a step with these inputs and gives the external work (J).
fn step(machine: &mut Multibody, step: MacroStep, inputs: &[Signal]) -> f64 {
    machine.set_inputs(inputs).unwrap();
    machine.begin(step, &[]).unwrap();
    let ledger = machine.commit(&StepLoads::zeros(0)).unwrap();
    assert!(ledger.numerical.abs() < 1e-9, "{ledger:?}");
    ledger.external_work
}

#[test]
fn a_motor_turns_the_wheel_by_its_input_and_its_work_is_external() {
    let mut machine = machine(Method::Midpoint);
    let names: Vec<_> = machine.description().outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["shaft.angle", "shaft.rate"]);
    let (h, mut work) = (1e-2, 0.0);
    for k in 0..100 {
        let time = f64::from(k) * h;
        let inputs = [Signal::linear(time, 3.0 * time, 3.0), Signal::held(time, 0.0)];
        work += step(&mut machine, MacroStep { time, size: h }, &inputs);
    }
    // 0.2 θ̈ = 3 t by the midpoint rule: θ = 2.5 t³ + 1.25 h² t.
    let mut shaft = [0.0; 2];
    machine.outputs(&[0.0, 0.0], &mut shaft).unwrap();
    assert!((shaft[0] - 2.5 - 1.25 * h * h).abs() < 1e-11 && (shaft[1] - 7.5).abs() < 1e-11, "{shaft:?}");
    assert!((work - 0.5 * 0.2 * 7.5 * 7.5).abs() < 1e-9, "{work}");
}

#[test]
fn a_joint_follows_its_input_and_the_work_is_external() {
    let mut machine = machine(Method::Midpoint);
    let (h, mut work) = (1e-2, 0.0);
    for k in 0..50 {
        let time = f64::from(k) * h;
        let place = Signal { time, coefficients: [time * time, 2.0 * time, 1.0, 0.0] };
        work += step(&mut machine, MacroStep { time, size: h }, &[Signal::held(time, 0.0), place]);
    }
    let table = machine.system().body_state(1, &machine.state().q, &machine.state().v).unwrap();
    assert!((table.position.x - 0.25).abs() < 1e-10 && (table.velocity.x - 1.0).abs() < 1e-10, "{table:?}");
    assert!((work - 0.5).abs() < 1e-9, "{work}");
}

#[test]
fn a_machine_with_signals_conforms() {
    for method in [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }] {
        // The place stays where it is; a motion that jumps is none.
        let suite = Conformance::new(|| machine(method)).step(1e-3).steps(12).ledger_tolerance(1e-2);
        let suite = suite.signals(|input, time| if input == 0 { (200.0 * time).cos() } else { 0.0 });
        suite.check().assert_passed();
    }
}
