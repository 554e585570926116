//! What a run logs: spans of scenario, steps and subsystems, behind a filter.

use super::{MODEL, Scratch, assert_code, stderr, stdout};

/// Runs the masses for five steps with this filter; returns what is logged.
fn told(scratch: &Scratch, filter: &str, more: &[&str]) -> String {
    let arguments = ["run", "masses.toml", "--force", "--set", "time.end=0.005"];
    let mut command = scratch.command(&[&arguments[..], more].concat());
    let output = command.env("COSIMO_LOG", filter).output().unwrap();
    assert_code(&output, 0);
    assert!(stdout(&output).contains("steps                             5"), "{}", stdout(&output));
    stderr(&output)
}

/// Lines that mark the end of a span of this kind.
fn closed<'t>(text: &'t str, span: &str) -> Vec<&'t str> {
    let innermost = |line: &str| {
        let path = line.split(": cosimo_master").next().unwrap_or_default();
        path.rsplit("}:").next().is_some_and(|last| last.contains(span))
    };
    text.lines().filter(|line| line.contains(" close time.busy=") && innermost(line)).collect()
}

#[test]
fn spans_are_nested_and_one_a_step_and_call() {
    let scratch = Scratch::new(MODEL);
    for threads in ["master.threads=1", "master.threads=2", "master.execution=threads"] {
        let text = told(&scratch, "trace", &["--set", threads]);
        assert_eq!(closed(&text, "scenario{").len(), 1, "{threads}: {text}");
        let steps = closed(&text, "step{");
        assert_eq!(steps.len(), 5, "{threads}: {text}");
        assert!(
            steps.iter().all(|line| line.contains(" scenario{from=0.0 to=0.005 step=0.001}:step{number="))
        );
        // Two affine subsystems: a begin and a commit each.
        let calls = closed(&text, "subsystem{");
        assert_eq!(calls.len(), 5 * 2 * 2, "{threads}: {text}");
        for part in ["name=\"lower\" call=\"begin\"", "name=\"upper\" call=\"commit\""] {
            assert_eq!(calls.iter().filter(|line| line.contains(part)).count(), 5, "{part}: {text}");
        }
        assert!(calls.iter().all(|line| line.contains("}:step{number=")), "{text}");
    }
}

#[test]
fn a_filter_says_what_is_told() {
    let scratch = Scratch::new(MODEL);
    let text = told(&scratch, "cosimo_master=debug", &[]);
    assert_eq!((closed(&text, "step{").len(), closed(&text, "subsystem{").len()), (5, 0), "{text}");
    assert!(!text.contains("subsystems=2 interfaces=1"), "of the command nothing is wanted: {text}");
    assert_eq!(told(&scratch, "off", &[]), "results in out/masses\n");
    let verbose = scratch.cosimo(&["run", "masses.toml", "--force", "--set", "time.end=0.005", "-v"]);
    let text = stderr(&verbose);
    assert_eq!((closed(&text, "scenario{").len(), closed(&text, "step{").len()), (1, 0), "{text}");
}

#[test]
fn a_filter_that_is_none_is_bad_input() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.command(&["run", "masses.toml"]).env("COSIMO_LOG", "step=loud").output().unwrap();
    assert_code(&output, 2);
    assert!(stderr(&output).contains("COSIMO_LOG is `step=loud`, which is no filter"), "{}", stderr(&output));
    assert!(!scratch.path("out").exists());
}
