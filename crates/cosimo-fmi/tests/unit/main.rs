//! Units as subsystems, against closed forms and against the rules of the contract.
#![allow(clippy::unwrap_used, reason = "tests stop at what they do not expect")]

mod conformance;
mod events;
mod habits;
mod options;
mod refused;
mod retried;

use cosimo_fmi::Fmu;
use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::build;
use cosimo_fmi::unit::{PortOptions, UnitOptions, Value};

/// Both versions.
const VERSIONS: [Version; 2] = [Version::Two, Version::Three];

/// An FMU that was built; none where there is no compiler.
fn open(unit: &str, version: Version, defines: &[(&str, &str)]) -> Option<Fmu> {
    build(unit, version, defines).map(|built| Fmu::open(built.fmu).unwrap())
}

/// The oscillator with its tip as a port, of 2 kg at 500 N/m and 3 N s/m.
fn oscillator_options() -> UnitOptions {
    let one = |name: &str| vec![name.to_owned()];
    let port = PortOptions {
        name: "tip".into(),
        position: one("x"),
        velocity: one("v"),
        force: one("F"),
        ..PortOptions::default()
    };
    let values = [("m", 2.0), ("k", 500.0), ("c", 3.0), ("x0", 0.05), ("v0", -0.3)];
    UnitOptions {
        ports: vec![port],
        parameters: values.map(|(name, value)| (name.to_owned(), Value::Float(value))).into(),
        ..UnitOptions::default()
    }
}
