//! Runs with units in processes that are killed.

use std::fs;
use std::time::{Duration, Instant};

use super::super::Scratch;
use super::super::resume::kill_units_and_go_on;
use super::{VERSIONS, unit};

/// Two halves of an oscillator, one of each face, in processes of their own.
fn halves(unit: &str) -> String {
    let half = |name: &str, face: &str, start: f64| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{unit}\"\nface = \"{face}\"\nisolation = \"process\"\n\
             parameters = {{ k = 200.0, x0 = {start} }}\n\
             [[subsystem.port]]\nname = \"tip\"\nposition = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n"
        )
    };
    format!(
        "schema = 1\ntime = {{ end = 2.0, step = 1e-3 }}\nrecord = {{ quantities = [\"*\"] }}\n\
         checkpoint = {{ every_steps = 200, every_seconds = 0.01 }}\n{}{}\
         [[interface]]\nname = \"spring\"\nbetween = [\"a.tip\", \"b.tip\"]\nlaw = \"compliant\"\nstiffness = 1000.0\n",
        half("a", "co-simulation", 0.1),
        half("b", "model-exchange", -0.05),
    )
}

#[test]
fn killed_runs_with_units_go_on_with_the_same_bits_and_leave_no_files_behind() {
    for (version, seed) in VERSIONS.into_iter().zip([0x5eed_0011, 0x5eed_0012]) {
        let Some(unit) = unit("oscillator_half", version, &[]) else { return };
        let scratch = Scratch::with_temporary(&halves(&unit));
        kill_units_and_go_on(&scratch, 10, seed);
        // Processes end on their own when their master is gone. One that was never started has left an empty folder.
        let has_files =
            || scratch.left().iter().any(|path| fs::read_dir(path).is_ok_and(|mut all| all.next().is_some()));
        let started = Instant::now();
        while has_files() && started.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!has_files(), "{:?}", scratch.left());
    }
}
