//! `cosimo run`.

use std::fs;

use super::{MODEL, Scratch, assert_code, read, stderr, stdout};

#[test]
fn a_run_writes_four_files_and_a_table() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert_code(&output, 0);
    let results = scratch.result("results.csv");
    assert!(results.starts_with("t,lower.x,lower.y,lower.z,"), "{results}");
    assert_eq!(results.lines().count(), 1 + 501);
    assert!(scratch.result("events.csv").contains(",impact,lower.floor,"));
    assert!(scratch.result("plot.svg").contains("Two masses"));
    let summary = scratch.summary();
    assert_eq!((&summary["outcome"], &summary["steps"]), (&"completed".into(), &500.into()));
    let table = stdout(&output);
    for expected in
        ["Two masses", "steps", "interface solves per step", "impacts", "energy", "lower", "master"]
    {
        assert!(table.contains(expected), "{table}");
    }
}

#[test]
fn no_progress_is_shown_where_nobody_looks() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert_eq!(stderr(&output), "results in out/masses\n");
}

#[test]
fn a_quiet_run_says_nothing_and_a_verbose_one_more() {
    let scratch = Scratch::new(MODEL);
    let quiet = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
    assert_code(&quiet, 0);
    assert_eq!((stdout(&quiet), stderr(&quiet)), (String::new(), String::new()));
    let verbose = scratch.cosimo(&["run", "masses.toml", "-v", "--out", "other"]);
    assert!(stderr(&verbose).contains("subsystems=2 interfaces=1"), "{}", stderr(&verbose));
}

#[test]
fn results_are_not_overwritten_without_force() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "there"]), 0);
    let before = read(&scratch.path("there/results.csv"));
    let refused = scratch.cosimo(&["run", "masses.toml", "--out", "there", "--set", "time.end=0.1"]);
    assert_code(&refused, 2);
    for part in ["`there` exists and is not empty", "--force", "--out"] {
        assert!(stderr(&refused).contains(part), "{}", stderr(&refused));
    }
    assert_eq!(stdout(&refused), "");
    assert_eq!(read(&scratch.path("there/results.csv")), before);

    let forced =
        scratch.cosimo(&["run", "masses.toml", "--out", "there", "--set", "time.end=0.1", "--force"]);
    assert_code(&forced, 0);
    assert_eq!(read(&scratch.path("there/results.csv")).lines().count(), 1 + 101);
}

/// A model called as that of a run, in the directory of the results: it is there afterwards, and so are other files.
#[test]
fn force_replaces_neither_the_model_nor_foreign_files() {
    let scratch = Scratch::new(MODEL);
    fs::rename(scratch.path("masses.toml"), scratch.path("model.toml")).unwrap();
    let refuse = |arguments: &[&str], part: &str| {
        let output = scratch.cosimo(&[&["run"], arguments, &["--force"]].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        assert_eq!(read(&scratch.path("model.toml")), MODEL);
    };
    refuse(&["model.toml", "--out", "."], "`./model.toml` is an input of this run");
    fs::copy(scratch.path("model.toml"), scratch.path("other.toml")).unwrap();
    refuse(&["other.toml", "--out", "."], "`./model.toml` is not of an earlier run");

    // The model of an earlier run is replaced, but not by a run of itself.
    assert_code(&scratch.cosimo(&["run", "other.toml", "--out", "there"]), 0);
    let stored = read(&scratch.path("there/model.toml"));
    refuse(&["there/../there/model.toml", "--out", "./there"], "is an input of this run");
    assert_eq!(read(&scratch.path("there/model.toml")), stored);
    assert!(scratch.path("there/results.csv").exists());
}

#[cfg(unix)]
#[test]
fn force_does_not_replace_the_model_behind_a_symbolic_link() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "there"]), 0);
    let stored = read(&scratch.path("there/model.toml"));
    std::os::unix::fs::symlink("there/model.toml", scratch.path("link.toml")).unwrap();
    std::os::unix::fs::symlink("there", scratch.path("here")).unwrap();
    for (model, out) in [("link.toml", "there"), ("there/model.toml", "here"), ("link.toml", "here")] {
        let output = scratch.cosimo(&["run", model, "--out", out, "--force"]);
        assert_code(&output, 2);
        assert!(stderr(&output).contains("is an input of this run"), "{}", stderr(&output));
        assert_eq!(read(&scratch.path("there/model.toml")), stored);
    }
}

#[test]
fn the_end_need_not_be_a_multiple_of_the_step() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--set", "time.end=0.1234567"]), 0);
    let results = scratch.result("results.csv");
    let last = results.lines().last().unwrap();
    let end: f64 = last.split(',').next().unwrap().parse().unwrap();
    assert_eq!(end.to_bits(), 0.1234567_f64.to_bits(), "{end}");
    assert_eq!(scratch.summary()["steps"], 124);
}

#[test]
fn overrides_change_the_run() {
    let scratch = Scratch::new(MODEL);
    let overrides = [
        "run",
        "masses.toml",
        "--set",
        "subsystem.lower.plane.floor.restitution=0.0",
        "--set",
        "time.step=5e-4",
        "--set",
        "record.quantities=[\"lower.z\", \"spring.*\"]",
        "--set",
        "record.every=10",
    ];
    assert_code(&scratch.cosimo(&overrides), 0);
    let results = scratch.result("results.csv");
    assert_eq!(
        results.lines().next(),
        Some(
            "t,lower.z,spring.force,spring.gap,spring.impulse,spring.iterations,spring.residual,spring.created"
        )
    );
    assert_eq!((scratch.summary()["steps"].as_u64(), results.lines().count()), (Some(1000), 102));
    let events = scratch.result("events.csv");
    let impact = events.lines().find(|line| line.contains("impact")).unwrap();
    let after: f64 = impact.split(',').nth(4).unwrap().parse().unwrap();
    assert!(after.abs() < 1e-12, "{impact}");
}

#[test]
fn all_mistakes_are_reported_in_one_go_and_nothing_is_written() {
    let bad = MODEL
        .replace("restitution = 0.8", "restitution = 1.8")
        .replace("law = \"compliant\"", "law = \"stiff\"");
    let scratch = Scratch::new(&bad.replace("position = 1.0", "positoin = 1.0"));
    let output = scratch.cosimo(&["run", "masses.toml", "--set", "time.step=-1"]);
    assert_code(&output, 2);
    let errors = stderr(&output);
    for expected in [
        "masses.toml:17:15: restitution is 1.8, must be in [0, 1]",
        "masses.toml:24:1: unknown key `positoin`",
        "did you mean `position`?",
        "no law `stiff`",
        "in --set time.step=-1: step is -1, must be positive",
        "error: the model has 4 mistakes",
    ] {
        assert!(errors.contains(expected), "`{expected}` is not in\n{errors}");
    }
    assert_eq!(stdout(&output), "");
    assert!(!scratch.path("out").exists());
}

#[test]
fn what_only_building_finds_is_bad_input_too() {
    let scratch = Scratch::new(&MODEL.replace("position = [0, 0, 0.5]", "position = [0, 0, -0.5]"));
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert_code(&output, 2);
    let errors = stderr(&output);
    assert!(
        errors.contains("error: masses.toml: the initial state violates contact `lower.floor`"),
        "{errors}"
    );
    assert!(!scratch.path("out").exists());
}

#[test]
fn bad_arguments_are_bad_input() {
    let scratch = Scratch::new(MODEL);
    for arguments in [
        &["run", "nowhere.toml"][..],
        &["run", "masses.toml", "--set", "time.step"],
        &["run"],
        &["walk", "masses.toml"],
        &["run", "masses.toml", "--out", "masses.toml"],
    ] {
        let output = scratch.cosimo(arguments);
        assert_code(&output, 2);
        assert!(stderr(&output).contains("error: "), "{}", stderr(&output));
    }
    assert!(!scratch.path("out").exists());
    assert_code(&scratch.cosimo(&["--help"]), 0);
}

#[test]
fn threads_give_the_same_bits() {
    let scratch = Scratch::new(MODEL);
    for execution in ["in-thread", "threads"] {
        let set = format!("master.execution={execution}");
        assert_code(&scratch.cosimo(&["run", "masses.toml", "--set", &set, "--out", execution]), 0);
    }
    for file in ["results.csv", "events.csv"] {
        let bytes = |execution: &str| fs::read(scratch.path(execution).join(file)).unwrap();
        assert!(bytes("in-thread") == bytes("threads"), "{file} differs");
    }
}

#[test]
fn warnings_are_shown() {
    let scratch = Scratch::new(&MODEL.replace("end = 0.5", "end = 1e-4"));
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert!(
        stderr(&output).contains("masses.toml:4:29: warning: step is 0.001, longer"),
        "{}",
        stderr(&output)
    );
}

/// Two faceted contacts hold a body in a corner when a third closes: at that impact all rates are round-off, which no
/// impulses of these facets stop. Nothing is to be stopped, and the run goes on.
#[test]
fn impacts_at_rates_of_round_off_do_not_end_a_run() {
    let scratch = Scratch::new(include_str!("rates_of_round_off.toml"));
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet"]), 0);
}

/// The motion is wrong from the first impacts on; what was recorded of it is complete.
#[test]
fn a_run_that_creates_more_energy_than_there_was_does_not_end_well() {
    let scratch =
        Scratch::new(include_str!("../../../../coupling-tests/models/energy/inner-two-masses.toml"));
    let output = scratch.cosimo(&["run", "masses.toml", "--out", "wrong"]);
    assert_code(&output, 1);
    let text = stdout(&output);
    let first = text.lines().nth(1).unwrap();
    assert!(first.starts_with("failed at t = 0.05 s: the run to 0.05 s has created"), "{first}");
    assert!(
        first.contains("the impact rule of subsystem `c`") && first.contains("not to be trusted"),
        "{first}"
    );
    assert!(stderr(&output).contains("warning: the impact rule of subsystem `c` has created"));
    let summary = |directory: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(scratch.path(directory).join("summary.json")).unwrap())
            .unwrap()
    };
    let wrong = summary("wrong");
    assert_eq!(wrong["outcome"], "failed");
    assert!(wrong["reason"].as_str().unwrap().contains("were at stake"));
    let warning = &wrong["warnings"][0];
    assert_eq!(warning["place"]["subsystem"], "c");
    assert!(warning["time"].as_f64().unwrap() > 0.0 && warning["text"].as_str().unwrap().contains(" J "));

    let ignore = ["run", "masses.toml", "--set", "master.energy_action=ignore", "--out", "ignored"];
    let output = scratch.cosimo(&ignore);
    assert_code(&output, 0);
    let first = stdout(&output).lines().nth(1).unwrap().to_owned();
    assert!(first.starts_with("completed at t = 0.05 s, with ") && first.ends_with(" warnings"), "{first}");
    assert_eq!(summary("ignored")["outcome"], "completed");
    let rows = |directory: &str| fs::read(scratch.path(directory).join("results.csv")).unwrap();
    assert!(rows("wrong") == rows("ignored"), "the same results");
}
