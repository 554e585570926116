//! Habits of units of other tools.

use cosimo_dynamics::Theta;
use cosimo_fmi::binary::Version;
use cosimo_fmi::unit::{FaceKind, Start, UnitOptions, Value};
use cosimo_subsystem::{MacroStep, Signal, StepLoads, Subsystem, SubsystemError};

use crate::{VERSIONS, open};

const FACES: [FaceKind; 2] = [FaceKind::ModelExchange, FaceKind::CoSimulation];

fn options(values: &[(&str, Value)]) -> UnitOptions {
    UnitOptions {
        parameters: values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        quantities: vec!["*".into()],
        ..UnitOptions::default()
    }
}

/// An instance of a unit in one of its faces; none where there is no compiler.
fn make(
    (unit, version, face): (&str, Version, FaceKind),
    defines: &[(&str, &str)],
    options: &UnitOptions,
) -> Option<Box<dyn Subsystem>> {
    let mut fmu = open(unit, version, defines)?;
    Some(match face {
        FaceKind::ModelExchange => {
            Box::new(fmu.model_exchange("u", Box::new(Theta::default()), options, Start::default()).unwrap())
        }
        FaceKind::CoSimulation => Box::new(fmu.co_simulation("u", options, Start::default()).unwrap()),
    })
}

fn step(unit: &mut dyn Subsystem, time: f64, size: f64) -> Result<(), SubsystemError> {
    unit.begin(MacroStep { time, size }, &[])?;
    unit.commit(&StepLoads::zeros(0)).map(drop)
}

fn observed(unit: &dyn Subsystem, name: &str) -> f64 {
    let quantities = &unit.description().quantities;
    let mut values = vec![0.0; quantities.len()];
    unit.observe(&mut values);
    values[quantities.iter().position(|quantity| quantity.name == name).unwrap()]
}

fn outputs(unit: &dyn Subsystem, inputs: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; unit.description().outputs.len()];
    unit.outputs(inputs, &mut values).unwrap();
    values
}

#[test]
fn events_that_are_due_where_steps_end_belong_to_them() {
    for (version, face) in VERSIONS.into_iter().flat_map(|version| FACES.map(|face| (version, face))) {
        let Some(mut unit) = make(("stair", version, face), &[], &options(&[])) else { return };
        let h = 0.1;
        for k in 0..19 {
            step(&mut *unit, f64::from(k) * h, h).unwrap();
            // 0.1 k is now above, now below a sum or product of tenths.
            assert_eq!(observed(&*unit, "count"), f64::from(k + 1), "{version:?}, {face:?}");
        }
    }
}

#[test]
fn a_run_may_end_where_the_unit_asks_for_the_end_and_no_later() {
    for (version, face) in VERSIONS.into_iter().flat_map(|version| FACES.map(|face| (version, face))) {
        let Some(mut unit) = make(("stair", version, face), &[], &options(&[("last", Value::Integer(3))]))
        else {
            return;
        };
        for k in 0..3 {
            step(&mut *unit, f64::from(k) * 0.1, 0.1).unwrap();
        }
        assert_eq!(observed(&*unit, "count"), 3.0, "{version:?}, {face:?}");
        let error = step(&mut *unit, 0.3, 0.1).unwrap_err().to_string();
        assert!(error.contains("asks at 0.3") && error.contains("for the simulation to end"), "{error}");
    }
}

#[test]
fn discrete_inputs_make_events_and_are_looked_at_without_any() {
    for (version, face) in VERSIONS.into_iter().flat_map(|version| FACES.map(|face| (version, face))) {
        let given = [("level", Value::Float(0.25)), ("period", Value::Float(10.0))];
        let Some(mut unit) = make(("stair", version, face), &[], &options(&given)) else { return };
        // Without a source an input keeps the value that it was given.
        step(&mut *unit, 0.0, 0.1).unwrap();
        assert_eq!(outputs(&*unit, &[0.25]), [0.25], "{version:?}, {face:?}");
        unit.set_inputs(&[Signal::held(0.1, 3.0)]).unwrap();
        if face == FaceKind::ModelExchange {
            assert_eq!([outputs(&*unit, &[3.0]), outputs(&*unit, &[7.0])], [[3.0], [7.0]], "{version:?}");
        }
        let saved = unit.save().unwrap();
        step(&mut *unit, 0.1, 0.1).unwrap();
        assert_eq!(outputs(&*unit, &[3.0]), [3.0], "{version:?}, {face:?}");
        unit.set_inputs(&[Signal::held(0.2, -1.0)]).unwrap();
        step(&mut *unit, 0.2, 0.1).unwrap();
        assert_eq!(outputs(&*unit, &[-1.0]), [-1.0], "{version:?}, {face:?}");
        unit.restore(&saved).unwrap();
        unit.set_inputs(&[Signal::held(0.1, 5.0)]).unwrap();
        step(&mut *unit, 0.1, 0.1).unwrap();
        assert_eq!(outputs(&*unit, &[5.0]), [5.0], "{version:?}, {face:?}");
    }
}

#[test]
fn an_event_mode_that_no_instance_is_made_with_is_left_out() {
    let unit = ("stair", Version::Three, FaceKind::CoSimulation);
    let Some(mut unit) = make(unit, &[("REFUSES_EVENT_MODE", "1")], &options(&[])) else { return };
    step(&mut *unit, 0.0, 0.25).unwrap();
    assert_eq!(observed(&*unit, "count"), 2.0);
}

#[test]
fn units_are_told_that_they_are_not_put_back_before_a_step() {
    for version in VERSIONS {
        let unit = ("stair", version, FaceKind::CoSimulation);
        let Some(mut unit) = make(unit, &[("FREEZES", "1")], &options(&[])) else { return };
        step(&mut *unit, 0.0, 0.25).unwrap();
        assert_eq!(observed(&*unit, "count"), 2.0, "{version:?}");
    }
}

#[test]
fn values_of_every_type_are_set_by_name_and_recorded_as_numbers() {
    for (version, face) in VERSIONS.into_iter().flat_map(|version| FACES.map(|face| (version, face))) {
        let given = options(&[
            ("bool_in", Value::Boolean(true)),
            ("choice_in", Value::Text("two".into())),
            ("int32_in", Value::Integer(-7)),
            ("level", Value::Integer(3)),
        ]);
        let Some(mut unit) = make(("feedthrough", version, face), &[], &given) else { return };
        for time in [0.0, 0.1] {
            step(&mut *unit, time, 0.1).unwrap();
            let found = ["bool_out", "choice_out", "int32_out", "level"].map(|name| observed(&*unit, name));
            assert_eq!(found, [1.0, 2.0, -7.0, 3.0], "{version:?}, {face:?}");
        }
    }
}

#[test]
fn arrays_have_the_sizes_of_the_structural_parameters_given() {
    for face in FACES {
        let numbers = (1..=5).map(|k| Value::Float(f64::from(k))).collect();
        let given = options(&[("n", Value::Integer(5)), ("array_in", Value::List(numbers))]);
        let Some(mut unit) = make(("feedthrough", Version::Three, face), &[], &given) else { return };
        step(&mut *unit, 0.0, 0.1).unwrap();
        let names: Vec<&str> = unit.description().inputs.iter().map(|input| input.name.as_str()).collect();
        assert!(names.contains(&"array_in[5]") && !names.contains(&"array_in[6]"), "{names:?}");
        let inputs: Vec<f64> = unit.description().inputs.iter().map(|input| input.default.unwrap()).collect();
        let found = outputs(&*unit, &inputs);
        let all = unit.description().outputs.iter().map(|output| output.name.as_str());
        let array = all.zip(found).filter(|(name, _)| name.starts_with("array_out")).map(|(_, value)| value);
        assert_eq!(array.collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0]);
    }
}
