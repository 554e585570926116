//! Units of FMI in the place of native subsystems: the same run.

mod checkpoints;
mod frames;
mod halves;
mod impacts;
mod loops;
mod python;
mod schemes;
mod stiff;

use std::fmt::Write;

use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::build;

/// Both versions.
const VERSIONS: [Version; 2] = [Version::Two, Version::Three];

/// The file of a unit that was built; none where there is no compiler.
fn file(unit: &str, version: Version, defines: &[(&str, &str)]) -> Option<String> {
    build(unit, version, defines).map(|built| built.fmu.display().to_string())
}

/// One half of a two-mass oscillator: a mass on a spring and a damper to the ground.
#[derive(Debug, Clone, Copy)]
struct Half {
    name: &'static str,
    mass: f64,
    stiffness: f64,
    damping: f64,
    start: f64,
}

/// The halves, apart at the start by 0.15 m.
const HALVES: [Half; 2] = [
    Half { name: "a", mass: 1.0, stiffness: 200.0, damping: 0.5, start: 0.1 },
    Half { name: "b", mass: 2.0, stiffness: 500.0, damping: 3.0, start: -0.05 },
];

impl Half {
    /// As a linear subsystem.
    fn native(self, solver: &str) -> String {
        let Self { name, mass, stiffness, damping, start } = self;
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nsolver = \"{solver}\"\nmass = [{mass}]\nstiffness = [{stiffness}]\n\
             damping = [{damping}]\nposition = {start}\n[[subsystem.port]]\nname = \"tip\"\ncoordinates = [0]\n"
        )
    }

    /// As a unit of this file, with further keys.
    fn unit(self, file: &str, keys: &str) -> String {
        let Self { name, mass, stiffness, damping, start } = self;
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{file}\"\n{keys}\n\
             parameters = {{ m = {mass}, k = {stiffness}, c = {damping}, x0 = {start} }}\n\
             [[subsystem.port]]\nname = \"tip\"\nposition = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n"
        )
    }
}

/// The model of two halves for a second, by steps of `step` (s), joined by these keys of an interface.
fn model(step: f64, halves: [&str; 2], joint: &str) -> String {
    let mut text = format!(
        "schema = 1\ntime = {{ end = 1.0, step = {step} }}\n[master]\ntolerance = 1e-13\n[record]\nquantities = [\"*\"]\n"
    );
    for half in halves {
        let _ = writeln!(text, "{half}");
    }
    let _ = writeln!(text, "[[interface]]\nname = \"j\"\nbetween = [\"a.tip\", \"b.tip\"]\n{joint}");
    text
}
