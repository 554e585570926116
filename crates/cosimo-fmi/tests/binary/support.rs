//! Instances of test units.

use cosimo_fmi::binary::{BinaryError, Instance, Kind, Library, Options, Version};
use cosimo_fmi::test_units::{self, Built};

pub(crate) const BOTH: [Version; 2] = [Version::Two, Version::Three];
/// Co-simulation without events of the master.
pub(crate) const STEPS: Kind = Kind::CoSimulation { event_mode: false, early_return: false };

pub(crate) fn exchange(states: usize, event_indicators: usize) -> Kind {
    Kind::ModelExchange { states, event_indicators }
}

pub(crate) fn options<'a>(built: &'a Built, kind: Kind) -> Options<'a> {
    let (token, resources) = (built.token, &built.resources);
    Options { name: "unit", token, resources, kind, visible: false, logging_on: false }
}

/// An instance, not initialised.
pub(crate) fn instance(unit: &str, version: Version, kind: Kind) -> Option<Instance> {
    let built = test_units::build(unit, version, &[])?;
    let library = Library::load(&built.library, version, &built.identifier).unwrap();
    Some(library.instantiate(&options(&built, kind)).unwrap())
}

/// An instance of `bad` in this mode from its start on, not initialised.
pub(crate) fn bad(mode: u32, version: Version, kind: Kind) -> Option<Result<Instance, BinaryError>> {
    bad_from(mode, version, kind, "0.0")
}

/// The same in this mode in steps from `start` on (s).
pub(crate) fn bad_from(
    mode: u32,
    version: Version,
    kind: Kind,
    start: &str,
) -> Option<Result<Instance, BinaryError>> {
    let built = test_units::build("bad", version, &[("BAD_MODE", &mode.to_string()), ("BAD_AFTER", start)])?;
    let library = Library::load(&built.library, version, &built.identifier);
    Some(library.and_then(|library| library.instantiate(&options(&built, kind))))
}

/// Sets real variables and passes the initialisation at time zero.
pub(crate) fn initialize(unit: &mut Instance, references: &[u32], values: &[f64]) {
    unit.set_f64(references, values).unwrap();
    unit.enter_initialization(0.0, Some(100.0), None).unwrap();
    unit.exit_initialization().unwrap();
}

pub(crate) fn real(unit: &mut Instance, reference: u32) -> f64 {
    let mut value = [0.0];
    unit.get_f64(&[reference], &mut value).unwrap();
    value[0]
}

/// Checks that two numbers agree to a relative and absolute tolerance.
#[track_caller]
pub(crate) fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{found} instead of {expected}");
}
