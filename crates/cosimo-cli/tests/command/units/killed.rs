//! Runs with units in processes that are killed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cosimo_fmi::binary::Version;

use super::super::Scratch;
use super::super::export::{A, B, exported};
use super::super::resume::kill_units_and_go_on;
use super::{VERSIONS, unit};

/// Half an oscillator in a process of its own.
fn half(name: &str, unit: &str, face: &str, start: f64) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{unit}\"\nface = \"{face}\"\nisolation = \"process\"\n\
         parameters = {{ k = 200.0, x0 = {start} }}\n\
         [[subsystem.port]]\nname = \"tip\"\nposition = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n"
    )
}

/// Two of them, one of each face.
fn halves(unit: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 2.0, step = 1e-3 }}\nrecord = {{ quantities = [\"*\"] }}\n\
         checkpoint = {{ every_steps = 200, every_seconds = 0.01 }}\n{}{}\
         [[interface]]\nname = \"spring\"\nbetween = [\"a.tip\", \"b.tip\"]\nlaw = \"compliant\"\nstiffness = 1000.0\n",
        half("a", unit, "co-simulation", 0.1),
        half("b", unit, "model-exchange", -0.05),
    )
}

#[test]
fn killed_runs_with_units_go_on_with_the_same_bits_and_leave_no_files_behind() {
    for (version, seed) in VERSIONS.into_iter().zip([0x5eed_0011, 0x5eed_0012]) {
        let Some(unit) = unit("oscillator_half", version, &[]) else { return };
        let scratch = Scratch::with_temporary(&halves(&unit));
        kill_units_and_go_on(&scratch, 10, seed);
        assert_no_files_left(&scratch);
    }
}

/// Processes end on their own when their master is gone. One that was never started has left an empty folder.
fn assert_no_files_left(scratch: &Scratch) {
    let has_files =
        || scratch.left().iter().any(|path| fs::read_dir(path).is_ok_and(|mut all| all.next().is_some()));
    let started = Instant::now();
    while has_files() && started.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!has_files(), "{:?}", scratch.left());
}

/// An exported FMU of each version and a unit in C that serialises its state, one after the other on springs, each in a process of its own.
#[test]
fn killed_runs_with_exported_units_go_on_with_the_same_bits() {
    let Some(unit) = unit("oscillator_half", Version::Three, &[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let command = Path::new(env!("CARGO_BIN_EXE_cosimo"));
    let exported = [("a", A, "2"), ("b", B, "3")].map(|(name, values, version)| {
        let own = exported(command, folder.path(), name, values, version);
        own.replacen("[[subsystem.port]]", "isolation = \"process\"\n[[subsystem.port]]", 1)
    });
    let spring = |name: &str, ends: [&str; 2]| {
        format!(
            "[[interface]]\nname = \"{name}\"\nbetween = [\"{}.tip\", \"{}.tip\"]\nlaw = \"compliant\"\nstiffness = 1000.0\n",
            ends[0], ends[1]
        )
    };
    let model = format!(
        "schema = 1\ntime = {{ end = 0.3, step = 1e-3 }}\nrecord = {{ quantities = [\"*\"] }}\n\
         checkpoint = {{ every_steps = 20, every_seconds = 0.01 }}\n{}{}{}{}{}",
        exported[0],
        exported[1],
        half("c", &unit, "co-simulation", 0.02),
        spring("first", ["a", "b"]),
        spring("second", ["b", "c"]),
    );
    let scratch = Scratch::with_temporary(&model);
    kill_units_and_go_on(&scratch, 20, 0x5eed_0013);
    assert_no_files_left(&scratch);
}
