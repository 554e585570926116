//! Units of FMUs: what is told of them, and that those which misbehave take nothing down but their own process.

mod bad;
mod contents;
mod derivatives;
mod files;
mod killed;

use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::build;

/// The versions of FMI.
const VERSIONS: [Version; 2] = [Version::Two, Version::Three];

/// The file of a test unit; none where there is no compiler.
fn unit(name: &str, version: Version, defines: &[(&str, &str)]) -> Option<String> {
    build(name, version, defines).map(|built| built.fmu.display().to_string())
}

/// A model with a good oscillator, and a subsystem `culprit` that is a unit in a process of its own.
fn model(unit: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.1, step = 0.01 }}\nrecord = {{ quantities = [\"*\"] }}\n\
         master = {{ deadline = 2.0 }}\n\
         [[subsystem]]\nname = \"good\"\nkind = \"linear\"\nmass = [1.0]\nstiffness = [100.0]\nposition = 0.1\n\
         [[subsystem]]\nname = \"culprit\"\nkind = \"fmu\"\nfile = \"{unit}\"\nface = \"co-simulation\"\n\
         isolation = \"process\"\n"
    )
}
