//! Models as units, as an FMU drives them.
#![expect(clippy::unwrap_used, reason = "tests")]

mod dependencies;
mod files;
mod instants;
mod parameters;
mod responses;
mod subsystem;

use cosimo_export::{ExportModelError, ModelUnit};
use cosimo_fmi_export::{Causality, Change, Experiment, ExportedUnit, Step, Value};

/// A mass on a spring and a damper to the ground, with an open port and a controller whose setpoint is open.
const MODEL: &str = r#"
schema = 1
title = "A mass that is held"
time = { end = 1.0, step = 1e-3 }
[export]
parameters = ["mass.stiffness", "mass.position", "control.proportional"]
quantities = ["mass.q*"]
[[subsystem]]
name = "mass"
kind = "linear"
mass = [2.0]
stiffness = [500.0]
damping = [3.0]
position = 0.05
[[subsystem.port]]
name = "tip"
coordinates = [0]
[[subsystem]]
name = "control"
kind = "controller"
type = "pid"
proportional = 4.0
setpoint = 0.5
"#;

struct Driven {
    unit: ModelUnit,
    time: f64,
}

impl Driven {
    fn new(text: &str) -> Self {
        let mut unit = ModelUnit::new("held", text).unwrap();
        let experiment = Experiment { start: 0.0, stop: None, tolerance: None, events: false };
        unit.enter_initialisation(&experiment).unwrap();
        unit.exit_initialisation().unwrap();
        Self { unit, time: 0.0 }
    }

    /// The first scalar of a variable.
    fn scalar(&self, name: &str) -> u32 {
        let variables = &self.unit.description().variables;
        let place = variables.iter().position(|variable| variable.name == name).unwrap();
        u32::try_from(variables[..place].iter().map(|variable| variable.count()).sum::<usize>()).unwrap()
    }

    fn set(&mut self, name: &str, value: f64) {
        self.put(name, Value::Real(value));
    }

    fn put(&mut self, name: &str, value: Value) {
        let change = Change { scalar: self.scalar(name), value };
        self.unit.set(&[change]).unwrap();
    }

    fn get(&mut self, name: &str) -> f64 {
        let scalar = self.scalar(name) as usize;
        match self.unit.values().unwrap()[scalar] {
            Value::Real(x) => x,
            ref other => unreachable!("{other:?} is no number"),
        }
    }

    fn steps(&mut self, size: f64, count: u32) {
        for _ in 0..count {
            let done = self.unit.step(&Step { time: self.time, size, may_end_early: false }).unwrap();
            self.time = done.reached;
        }
    }
}

/// Position of the mass of 2 kg with 3 N s/m at `k` N/m under a force of `f` N, from position and velocity, `t` seconds later.
fn exact(k: f64, f: f64, [x, v]: [f64; 2], t: f64) -> [f64; 2] {
    let (m, d) = (2.0, 3.0);
    let (decay, rest) = (d / (2.0 * m), f / k);
    let w = (k / m - decay * decay).sqrt();
    let (a, b) = (x - rest, (v + decay * (x - rest)) / w);
    let (c, s, e) = ((w * t).cos(), (w * t).sin(), (-decay * t).exp());
    [rest + e * (a * c + b * s), e * ((b * w - decay * a) * c - (a * w + decay * b) * s)]
}

#[test]
fn a_unit_shows_ports_signals_quantities_and_parameters() {
    let mut driven = Driven::new(MODEL);
    let of = |causality| {
        let variables = driven.unit.description().variables.iter();
        variables.filter(|own| own.causality == causality).map(|own| own.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(Causality::Parameter), ["mass.stiffness", "mass.position", "control.proportional"]);
    let inputs = ["mass.tip.force", "control.setpoint", "control.measurement", "impact", "mass.tip.impulse"];
    assert_eq!(of(Causality::Input), inputs);
    let outputs = ["mass.tip.position", "mass.tip.velocity", "control.output", "mass.q0"];
    assert_eq!(of(Causality::Output), outputs);
    assert_eq!(driven.unit.description().terminals[0].name, "mass.tip");
    assert_eq!((driven.get("mass.tip.position"), driven.get("mass.stiffness")), (0.05, 500.0));
    driven.set("control.setpoint", 0.75);
    driven.set("control.measurement", 0.25);
    driven.steps(1e-3, 1);
    assert!((driven.get("control.output") - 2.0).abs() < 1e-12);
}

#[test]
fn a_unit_moves_by_its_equations_with_a_parameter_changed_in_the_middle() {
    let mut driven = Driven::new(MODEL);
    driven.set("mass.tip.force", 20.0);
    driven.steps(2e-3, 200);
    let first = exact(500.0, 20.0, [0.05, 0.0], 0.4);
    assert!((driven.get("mass.tip.position") - first[0]).abs() < 2e-6);
    driven.set("mass.stiffness", 800.0);
    driven.set("mass.tip.force", -5.0);
    driven.steps(2e-3, 150);
    let second = exact(800.0, -5.0, first, 0.3);
    let found = [driven.get("mass.tip.position"), driven.get("mass.tip.velocity")];
    assert!(
        (found[0] - second[0]).abs() < 5e-6 && (found[1] - second[1]).abs() < 3e-4,
        "{found:?}, not {second:?}"
    );
    assert_eq!(driven.get("mass.q0").to_bits(), found[0].to_bits());
}

#[test]
fn a_state_goes_on_with_the_same_bits_in_this_unit_and_in_another() {
    let mut driven = Driven::new(MODEL);
    driven.set("mass.stiffness", 650.0);
    driven.set("mass.tip.force", 7.0);
    driven.steps(1e-3, 40);
    let state = driven.unit.save().unwrap();
    let bytes = driven.unit.serialise(&state).unwrap();
    let time = driven.time;
    driven.set("mass.stiffness", 900.0);
    driven.steps(1e-3, 30);
    driven.unit.restore(&state).unwrap();
    driven.time = time;
    driven.steps(1e-3, 25);
    let expected = driven.get("mass.tip.position");
    let mut other = Driven::new(MODEL);
    let state = other.unit.deserialise(&bytes).unwrap();
    other.unit.restore(&state).unwrap();
    other.time = time;
    other.steps(1e-3, 25);
    assert_eq!(other.get("mass.tip.position").to_bits(), expected.to_bits());
    assert_eq!(other.get("mass.stiffness"), 650.0);
    assert!(other.unit.deserialise(&bytes[..bytes.len() / 2]).is_err());
}

#[test]
fn parameters_set_before_the_start_change_the_start() {
    let mut unit = ModelUnit::new("held", MODEL).unwrap();
    unit.set(&[Change { scalar: 1, value: Value::Real(0.2) }]).unwrap();
    let mut driven = Driven { unit, time: 0.0 };
    assert_eq!(driven.get("mass.tip.position"), 0.2);
    driven.unit.reset().unwrap();
    assert_eq!(driven.get("mass.tip.position"), 0.05);
}

#[test]
fn mistakes_are_named() {
    let refused =
        |text: &str| ModelUnit::new("held", text).err().map(|error| error.to_string()).unwrap_or_default();
    let unknown = refused(&MODEL.replace("\"mass.stiffness\"", "\"mass.stifness\""));
    assert!(unknown.contains("`mass.stifness`"), "{unknown}");
    let port = refused(&MODEL.replace("[export]", "[export]\nports = [\"mass.end\"]"));
    assert!(port.contains("`mass.end`"), "{port}");
    let mut driven = Driven::new(MODEL);
    let wrong = driven.unit.set(&[Change { scalar: 0, value: Value::Text("stiff".to_owned()) }]).unwrap_err();
    assert!(wrong.contains("mass.stiffness"), "{wrong}");
    driven.set("mass.stiffness", -1.0);
    assert!(driven.unit.values().is_err());
    let late = ModelUnit::new("held", "schema = 1");
    assert!(matches!(late.err(), Some(ExportModelError::Model(_))));
}

/// Parameters of the file are parameters of the unit, and everything that formulas make of them follows.
#[test]
fn parameters_of_the_file_change_what_formulas_say() {
    let text = r#"schema = 1
time = { end = 1.0, step = 1e-3 }
parameters = { w = 3.0, at = [0.5, 0.25] }
export = { parameters = ["parameters.w", "parameters.at"], quantities = ["a.x"] }
[[template]]
name = "mass"
requires = ["k"]
[[template.subsystem]]
name = "{name}"
kind = "linear"
coordinates = ["x"]
mass = [1.0]
stiffness = ["= k"]
position = "= at[0]"
[[instance]]
template = "mass"
name = "a"
parameters = { k = "= w^2" }
"#;
    let mut driven = Driven::new(text);
    let names: Vec<_> = driven.unit.description().variables.iter().map(|own| own.name.clone()).collect();
    assert_eq!(&names[..2], ["w", "at"]);
    assert_eq!(driven.get("a.x"), 0.5);
    driven.set("w", 5.0);
    driven.set("at", 0.1);
    driven.steps(1e-3, 1000);
    let exact = 0.1 * 5.0_f64.cos();
    assert!((driven.get("a.x") - exact).abs() < 1e-5, "{}", driven.get("a.x"));
}
