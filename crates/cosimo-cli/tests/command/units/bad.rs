//! Units that misbehave, as told by `cosimo fmu`, and beside a good subsystem in a run.

use std::fs;
use std::time::{Duration, Instant};

use super::super::{Scratch, assert_code, read, stderr, stdout};
use super::{VERSIONS, model, unit};

/// How a unit misbehaves, and what comes of it.
struct Case {
    /// `BAD_MODE` of the unit.
    mode: u32,
    /// What is told.
    text: &'static str,
    /// Exit codes of `cosimo fmu` and of `cosimo run`.
    codes: [i32; 2],
    /// Rows of results that a run has; of all that misbehave in the step from 0.05 s there are six.
    rows: usize,
}

const fn case(mode: u32, text: &'static str, codes: [i32; 2], rows: usize) -> Case {
    Case { mode, text, codes, rows }
}

const CRASHED: &str = "its process ended with signal: 11 (SIGSEGV)";

const CASES: [Case; 22] = [
    case(1, CRASHED, [1, 2], 0),
    case(2, CRASHED, [1, 2], 0),
    case(3, CRASHED, [1, 1], 6),
    case(4, CRASHED, [1, 1], 11),
    case(5, CRASHED, [1, 1], 11),
    case(6, "did not answer `commit` within 2 s; it hangs", [1, 1], 6),
    case(7, "its process ended with exit status: 3", [1, 1], 6),
    case(8, "DoStep` failed: the step failed for 100% sure", [1, 1], 6),
    case(10, "DoStep` failed for good: nothing works any more", [1, 1], 6),
    case(11, "variable `x` is NaN at 0.0", [1, 1], 6),
    case(12, "says that all is well, and variable `x` is ", [1, 0], 11),
    case(13, "changed the current directory (to /; undone)", [1, 0], 11),
    case(14, "changed the rounding, denormals or traps of floating point (undone)", [1, 0], 11),
    case(15, "changed the handler of SIGSEGV (left)", [1, 0], 11),
    case(16, "undefined symbol: not_defined_anywhere", [2, 2], 0),
    case(17, "the library of the FMU has no function `fmi", [2, 2], 0),
    case(18, "GetVersion` of the FMU answers \"7.1\" instead of \"", [2, 2], 0),
    case(21, "DoStep` goes on in the background, which is not supported", [1, 1], 6),
    case(25, "for the simulation to end", [1, 1], 6),
    case(29, "changed the current directory (to /; undone)", [1, 0], 11),
    case(30, "changed the handler of SIGTERM (undone)", [1, 0], 11),
    case(32, "it discards the step and does not get beyond 0.0", [1, 1], 6),
];

impl Case {
    fn check_alone(&self, scratch: &Scratch, unit: &str, face: &str) {
        let asked = ["fmu", unit, "--face", face, "--deadline", "2", "--end", "0.1", "--step", "0.01"];
        let output = scratch.cosimo(&asked);
        assert_code(&output, self.codes[0]);
        let errors = stderr(&output);
        assert!(errors.contains(self.text) && errors.contains("`bad`"), "mode {}: {errors}", self.mode);
        assert!(stdout(&output).starts_with("bad, FMI "), "{}", stdout(&output));
        assert_eq!(errors.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{errors}");
    }

    fn check_in_run(&self, scratch: &Scratch) {
        let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
        assert_code(&output, self.codes[1]);
        let errors = stderr(&output);
        assert!(errors.contains(self.text) && errors.contains("`culprit`"), "mode {}: {errors}", self.mode);
        let results = scratch.path("out/masses/results.csv");
        let rows = if results.exists() { read(&results).lines().count() - 1 } else { 0 };
        // In FMI 3 the unit asks for the end once the step is done.
        assert!(rows == self.rows || self.mode == 25 && rows == self.rows + 1, "mode {}: {rows}", self.mode);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn units_that_misbehave_are_named_and_take_nothing_down_but_their_process() {
    for version in VERSIONS {
        for case in CASES {
            let mode = case.mode.to_string();
            let defines = [("BAD_MODE", mode.as_str()), ("BAD_AFTER", "0.045")];
            let Some(unit) = unit("bad", version, &defines) else { return };
            let scratch = Scratch::with_temporary(&model(&unit));
            let started = Instant::now();
            case.check_alone(&scratch, &unit, "co-simulation");
            case.check_in_run(&scratch);
            assert!(started.elapsed() < Duration::from_secs(10), "mode {mode}: {:?}", started.elapsed());
            assert!(scratch.left().is_empty(), "mode {mode}: {:?} is left", scratch.left());
        }
    }
}

#[test]
fn each_change_of_the_process_is_told_once() {
    for version in VERSIONS {
        let Some(unit) = unit("bad", version, &[("BAD_MODE", "14")]) else { return };
        let scratch = Scratch::with_temporary(&model(&unit));
        let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
        let expected =
            "warning: FMU `culprit` changed the rounding, denormals or traps of floating point (undone)\n";
        assert_eq!(stderr(&output), expected);
        // In the process of the command they are told too, and in a log as well.
        for set in ["none", "process"] {
            let set = format!("subsystem.culprit.isolation={set}");
            let output = scratch.cosimo(&["run", "masses.toml", "--quiet", "--force", "--set", &set]);
            assert_eq!(stderr(&output), expected);
            let output = scratch.cosimo(&["run", "masses.toml", "-v", "--force", "--set", &set]);
            assert_eq!(stderr(&output).matches("FMU `culprit` changed the rounding").count(), 1);
        }
    }
}

/// Results are where they were meant to be, and a run can still be stopped.
#[test]
#[cfg(target_os = "linux")]
fn what_a_unit_changes_in_a_step_in_the_process_of_the_command_is_undone() {
    for version in VERSIONS {
        for (mode, text) in
            [("29", "the current directory (to /; undone)"), ("30", "the handler of SIGTERM (undone)")]
        {
            let defines = [("BAD_MODE", mode), ("BAD_AFTER", "0.045")];
            let Some(unit) = unit("bad", version, &defines) else { return };
            for face in ["co-simulation", "model-exchange"] {
                let text = format!("warning: FMU `culprit` changed {text}\n");
                let own = model(&unit).replace("co-simulation", face);
                let scratch =
                    Scratch::with_temporary(&own.replace("isolation = \"process\"", "isolation = \"none\""));
                let output = scratch.cosimo(&["run", "masses.toml", "--quiet", "--report"]);
                assert_code(&output, 0);
                assert_eq!(stderr(&output), text, "mode {mode}, {face}");
                assert_eq!(scratch.result("results.csv").lines().count(), 12, "mode {mode}, {face}");
                assert_eq!(scratch.summary()["steps"], 10);
                assert!(scratch.path("out/masses/report.html").exists());
            }
        }
    }
}

/// The same in model exchange, where it happens when rates are asked for, as those at the end of the step before.
const IN_EXCHANGE: [Case; 12] = [
    case(1, CRASHED, [1, 2], 0),
    case(2, CRASHED, [1, 2], 0),
    case(3, CRASHED, [1, 1], 5),
    case(4, CRASHED, [1, 1], 11),
    case(6, "s; it hangs", [1, 1], 5),
    case(7, "its process ended with exit status: 3", [1, 1], 5),
    case(8, " failed: the step failed for 100% sure", [1, 1], 5),
    case(10, " failed for good: nothing works any more", [1, 1], 5),
    case(12, "says that all is well, and variable `x` is ", [1, 0], 11),
    case(14, "changed the rounding, denormals or traps of floating point (undone)", [1, 0], 11),
    case(29, "changed the current directory (to /; undone)", [1, 0], 11),
    case(30, "changed the handler of SIGTERM (undone)", [1, 0], 11),
];

#[test]
#[cfg(target_os = "linux")]
fn units_that_misbehave_in_model_exchange_are_named_too() {
    for version in VERSIONS {
        for case in IN_EXCHANGE {
            let mode = case.mode.to_string();
            let defines = [("BAD_MODE", mode.as_str()), ("BAD_AFTER", "0.045")];
            let Some(unit) = unit("bad", version, &defines) else { return };
            let scratch = Scratch::with_temporary(&model(&unit).replace("co-simulation", "model-exchange"));
            case.check_alone(&scratch, &unit, "model-exchange");
            case.check_in_run(&scratch);
            assert!(scratch.left().is_empty(), "mode {mode}: {:?} is left", scratch.left());
        }
    }
}

/// What a unit has to say, with its name and categories.
#[test]
fn messages_of_a_unit_are_logged_wherever_it_runs() {
    for version in VERSIONS {
        let Some(unit) = unit("bad", version, &[("BAD_MODE", "19")]) else { return };
        for isolation in ["none", "process"] {
            let scratch = Scratch::with_temporary(
                &model(&unit).replace("isolation = \"process\"", &format!("isolation = \"{isolation}\"")),
            );
            let mut command = scratch.command(&["run", "masses.toml", "--quiet"]);
            let output = command.env("COSIMO_LOG", "fmu=debug").output().unwrap();
            assert_code(&output, 0);
            let told = stderr(&output);
            for (level, category) in
                [("INFO", "logEvents"), ("WARN", "logStatusWarning"), ("ERROR", "logStatusError")]
            {
                let is_told = |line: &str| {
                    line.contains(level)
                        && line.contains("fmu: ")
                        && line.contains("instance=\"culprit\"")
                        && line.contains(&format!("category=\"{category}\""))
                };
                assert!(told.lines().any(is_told), "{isolation}, {level}: {told}");
            }
            // Nobody asked for them.
            let output = scratch.command(&["run", "masses.toml", "--quiet", "--force"]).output().unwrap();
            assert_eq!(stderr(&output), "", "{isolation}");
        }
    }
}

/// Results and messages have streams of their own.
#[test]
#[cfg(unix)]
fn units_may_print_and_read() {
    for version in VERSIONS {
        let Some(unit) = unit("bad", version, &[("BAD_MODE", "28")]) else { return };
        let scratch = Scratch::with_temporary(&model(&unit));
        let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
        assert_code(&output, 0);
        assert_eq!(stderr(&output), "hello from the unit, which reads -1\n");
        assert_eq!(stdout(&output), "");
    }
}

/// Half of what is left of it is done each time.
#[test]
fn a_step_that_is_discarded_is_gone_on_with_from_where_it_came_to() {
    for version in VERSIONS {
        let Some(unit) = unit("bad", version, &[("BAD_MODE", "9")]) else { return };
        let scratch = Scratch::with_temporary(&model(&unit));
        assert_code(
            &scratch.cosimo(&["fmu", &unit, "--face", "co-simulation", "--end", "0.1", "--step", "0.01"]),
            0,
        );
        let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
        assert_code(&output, 0);
        assert_eq!(stderr(&output), "");
        let results = scratch.result("results.csv");
        let mut lines = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let place = lines.next().unwrap().iter().position(|name| *name == "culprit.x").unwrap();
        for (k, row) in (0_u32..).zip(lines) {
            let x: f64 = row[place].parse().unwrap();
            assert!((x - 0.01 * f64::from(k)).abs() < 1e-12, "{row:?}");
        }
    }
}

/// What a crash leaves of the results is the same as what a good run begins with.
#[test]
fn results_before_a_failure_are_those_of_a_good_run() {
    for version in VERSIONS {
        let build = |mode| unit("bad", version, &[("BAD_MODE", mode), ("BAD_AFTER", "0.045")]);
        let (Some(good), Some(bad)) = (build("0"), build("3")) else { return };
        let scratch = Scratch::with_temporary(&model(&bad));
        fs::write(scratch.path("good.toml"), model(&good)).unwrap();
        assert_code(&scratch.cosimo(&["run", "good.toml", "--quiet"]), 0);
        assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet"]), 1);
        let (whole, begun) = (read(&scratch.path("out/good/results.csv")), scratch.result("results.csv"));
        assert!(whole.starts_with(&begun) && begun.lines().count() == 7, "{begun}");
    }
}
