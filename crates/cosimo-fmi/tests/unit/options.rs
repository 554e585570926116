//! What a user says of a unit, checked.

use cosimo_fmi::binary::Version;
use cosimo_fmi::unit::{CouplingMode, FaceKind, PortOptions, UnitOptions, Value};

use crate::{open, oscillator_options};

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
