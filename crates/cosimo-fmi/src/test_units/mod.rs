//! FMUs for tests: built from the C sources in `tests/units` of this crate, with the C compiler of the system.
//!
//! The header files of FMI are no part of this repository: they are found in the folder that `COSIMO_FMI_HEADERS` names,
//! or in the Python package `fmpy`. Where they or the compiler (`CC`, or `cc`) are missing, [`build`] says so and gives
//! nothing, and the test ends; with `COSIMO_REQUIRE_FMI=1` it fails instead.
//!
//! This module exists with the feature `test-units` alone, for `dev-dependencies`.
#![allow(
    clippy::panic,
    clippy::print_stderr,
    reason = "a helper of tests fails them, and says why they are skipped"
)]

mod compile;
mod describe;
mod pack;

use crate::binary::Version;
use std::path::PathBuf;

/// A unit that was built.
#[derive(Debug, Clone)]
pub struct Built {
    /// The version of FMI.
    pub version: Version,
    /// The model identifier.
    pub identifier: String,
    /// The token of its description.
    pub token: &'static str,
    /// The FMU as one file.
    pub fmu: PathBuf,
    /// The FMU unpacked.
    pub folder: PathBuf,
    /// The shared library in that folder.
    pub library: PathBuf,
    /// The resources in that folder.
    pub resources: PathBuf,
}

/// The token of all test units.
pub const TOKEN: &str = "{cosimo-test-unit}";

/// Builds a unit, or finds it as built before. `unit` is the name of a source in `tests/units` without its ending,
/// `defines` are macros of it: `NO_STATE` takes states and derivatives away, `BAD_MODE` chooses how `bad` behaves, and a unit with
/// `FIXED_STEP` says that it takes steps of this size (s) only.
///
/// Nothing, if this system lacks the compiler or the header files.
///
/// # Panics
/// The unit does not compile, or `COSIMO_REQUIRE_FMI=1` and something is missing.
pub fn build(unit: &str, version: Version, defines: &[(&str, &str)]) -> Option<Built> {
    let tools = match compile::tools() {
        Ok(tools) => tools,
        Err(missing) if std::env::var_os("COSIMO_REQUIRE_FMI").is_some_and(|value| value == "1") => {
            panic!("{missing}, and COSIMO_REQUIRE_FMI=1")
        }
        Err(missing) => {
            eprintln!("skipped: {missing}");
            return None;
        }
    };
    match pack::built(tools, unit, version, defines) {
        Ok(built) => Some(built),
        Err(error) => panic!("the unit {unit} cannot be built: {error}"),
    }
}
