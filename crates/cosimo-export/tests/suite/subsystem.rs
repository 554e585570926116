//! One subsystem as a unit.

use cosimo_export::ModelUnit;
use cosimo_fmi_export::{Causality, Experiment, ExportedUnit};
use cosimo_model::{TimeSpec, read_model};
use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::{Driven, MODEL, exact};

/// The mass of the model, made again whenever it is asked for.
fn mass() -> Result<Box<dyn Subsystem>, SubsystemError> {
    let (model, _) = read_model("held", MODEL, &[]).unwrap();
    Ok(model.build_subsystem("mass").unwrap())
}

fn driven() -> Driven {
    let time = TimeSpec { start: 0.0, end: 1.0, step: 1e-3 };
    let mut unit = ModelUnit::of_subsystem(time, &["mass.q*"], mass).unwrap();
    let experiment = Experiment { start: 0.0, stop: None, tolerance: None, events: false };
    unit.enter_initialisation(&experiment).unwrap();
    unit.exit_initialisation().unwrap();
    Driven { unit, time: 0.0 }
}

#[test]
fn a_subsystem_is_a_unit_with_its_ports_and_quantities() {
    let mut driven = driven();
    let description = driven.unit.description();
    assert_eq!((description.terminals.len(), description.terminals[0].name.as_str()), (1, "mass.tip"));
    let outputs = description.variables.iter().filter(|own| own.causality == Causality::Output);
    let outputs: Vec<&str> = outputs.map(|own| own.name.as_str()).collect();
    assert_eq!(outputs, ["mass.tip.position", "mass.tip.velocity", "mass.q0"]);
    driven.set("mass.tip.force", 20.0);
    driven.steps(2e-3, 200);
    let [x, _] = exact(500.0, 20.0, [0.05, 0.0], 0.4);
    assert!((driven.get("mass.tip.position") - x).abs() < 2e-6);
    // Its responses are those of a step: h/m to the stiffness.
    driven.steps(1e-3, 1);
    let places = ["mass.tip.velocity", "mass.tip.force"].map(|name| driven.scalar(name));
    let told = driven.unit.directional_derivative(&places[..1], &places[1..], &[1.0]).unwrap()[0];
    assert!((told - 5e-4).abs() < 2e-6, "{told}");
}

#[test]
fn its_state_goes_on_in_another_and_it_begins_anew() {
    let mut first = driven();
    first.set("mass.tip.force", 7.0);
    first.steps(1e-3, 40);
    let state = first.unit.save().unwrap();
    let bytes = first.unit.serialise(&state).unwrap();
    let time = first.time;
    first.steps(1e-3, 25);
    let mut other = driven();
    let state = other.unit.deserialise(&bytes).unwrap();
    other.unit.restore(&state).unwrap();
    other.time = time;
    other.steps(1e-3, 25);
    assert_eq!(other.get("mass.tip.position").to_bits(), first.get("mass.tip.position").to_bits());
    first.unit.reset().unwrap();
    assert_eq!(first.get("mass.tip.position"), 0.05);
}
