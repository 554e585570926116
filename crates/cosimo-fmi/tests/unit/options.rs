//! What a user says of a unit, checked.

use cosimo_fmi::binary::Version;
use cosimo_fmi::unit::{CouplingMode, FaceKind, PortOptions, UnitOptions, Value};

use crate::{VERSIONS, open, oscillator_options};

#[test]
fn mistakes_in_options_are_named() {
    let Some(fmu) = open("oscillator_half", Version::Three, &[]) else { return };
    let with = |name: &str, value: Value| UnitOptions {
        parameters: [(name.to_owned(), value)].into(),
        ..oscillator_options()
    };
    for (options, expected) in [
        (with("mm", Value::Float(1.0)), "no variable `mm`; did you mean `m`?"),
        (
            with("m", Value::Text("heavy".into())),
            "variable `m` of FMU `oscillator_half` is a number, not \"heavy\"",
        ),
        (with("x", Value::Float(1.0)), "variable `x`"),
        (with("m", Value::Float(f64::NAN)), "must be finite"),
        (with("m", Value::List(vec![Value::Float(1.0)])), "is one value, not a list"),
    ] {
        let error = fmu.port_map(&options).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let port = PortOptions {
        name: "tip".into(),
        force: vec!["x".into()],
        position: vec!["v".into()],
        ..PortOptions::default()
    };
    let error =
        fmu.port_map(&UnitOptions { ports: vec![port], ..UnitOptions::default() }).unwrap_err().to_string();
    assert!(error.contains("port `tip`") && error.contains("loads among the outputs"), "{error}");
}

#[test]
fn values_are_checked_against_range_variability_and_items() {
    for version in VERSIONS {
        let Some(fmu) = open("feedthrough", version, &[]) else { return };
        let refused = |name: &str, value: Value| {
            let found = fmu.check_parameter(name, &value);
            found.err().map(|error| error.to_string()).unwrap_or_default()
        };
        for (name, value, expected) in [
            ("share", Value::Float(1.5), "is in [0, 1], not 1.5"),
            ("level", Value::Integer(0), "is in [1, 3], not 0"),
            ("level", Value::Float(1.5), "is a whole number, not 1.5"),
            ("pi", Value::Float(3.1), "is constant and cannot be set"),
            ("real_out", Value::Float(1.0), "is calculated by the FMU and cannot be set"),
            ("choice_in", Value::Text("three".into()), "is one of one, two, not \"three\""),
            ("choice_in", Value::Integer(3), "is one of one, two, not 3"),
            ("bool_in", Value::Integer(1), "is true or false, not 1"),
            ("text_in", Value::Boolean(true), "is a text, not true"),
        ] {
            let error = refused(name, value);
            assert!(error.contains(expected) && error.contains(&format!("`{name}`")), "{version:?}: {error}");
        }
        for (name, value) in [
            ("share", Value::Integer(1)),
            ("level", Value::Integer(3)),
            ("choice_in", Value::Text("two".into())),
            ("text_in", Value::Text("on".into())),
        ] {
            assert_eq!(refused(name, value), "", "{name}");
        }
    }
}

#[test]
fn texts_are_no_quantities() {
    for version in VERSIONS {
        let Some(fmu) = open("feedthrough", version, &[]) else { return };
        let recorded = |pattern: &str| {
            fmu.port_map(&UnitOptions { quantities: vec![pattern.to_owned()], ..UnitOptions::default() })
        };
        let error = recorded("text_out").unwrap_err().to_string();
        assert!(
            error.contains("`text_out`") && error.contains("is a text, and only numbers are recorded"),
            "{error}"
        );
        assert!(recorded("*").unwrap().quantities.iter().all(|(own, _)| own.name != "text_out"));
    }
}

#[test]
fn the_coupling_mode_follows_from_face_and_capabilities() {
    let options = oscillator_options();
    let mode = |defines: &[(&str, &str)], face| {
        let fmu = open("oscillator_half", Version::Two, defines)?;
        Some(fmu.coupling_mode(&UnitOptions { face, ..options.clone() }).unwrap())
    };
    let Some(best) = mode(&[], None) else { return };
    assert_eq!(best, CouplingMode::Exact);
    assert_eq!(mode(&[], Some(FaceKind::CoSimulation)), Some(CouplingMode::Told));
    assert_eq!(mode(&[("NO_STATE", "1")], Some(FaceKind::CoSimulation)), Some(CouplingMode::Explicit));
}
