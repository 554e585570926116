//! `cosimo check`.

use std::fs;

use super::{MODEL, Scratch, assert_code, stderr, stdout};

#[test]
fn the_printed_model_is_complete_and_reads_back_to_itself() {
    let scratch = Scratch::new(MODEL);
    let first = scratch.cosimo(&["check", "masses.toml", "--set", "time.step=2e-3"]);
    assert_code(&first, 0);
    let printed = stdout(&first);
    for expected in ["step = 0.002", "scheme = \"condensed\"", "radius = 0.0", "damping = 0.0"] {
        assert!(printed.contains(expected), "{printed}");
    }
    fs::write(scratch.path("complete.toml"), &printed).unwrap();
    let second = scratch.cosimo(&["check", "complete.toml"]);
    assert_code(&second, 0);
    assert_eq!(stdout(&second), printed);
    assert!(!scratch.path("out").exists());
}

#[test]
fn the_printed_model_runs_to_the_same_results() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("complete.toml"), stdout(&scratch.cosimo(&["check", "masses.toml"]))).unwrap();
    assert_code(&scratch.cosimo(&["run", "masses.toml"]), 0);
    assert_code(&scratch.cosimo(&["run", "complete.toml"]), 0);
    let complete = fs::read_to_string(scratch.path("out/complete/results.csv")).unwrap();
    assert!(complete == scratch.result("results.csv"));
}

#[test]
fn what_only_building_finds_is_found() {
    let scratch = Scratch::new(&MODEL.replace("law = \"compliant\"\nstiffness = 1e3", "law = \"rigid\""));
    assert_code(&scratch.cosimo(&["check", "masses.toml"]), 0);
    let apart = scratch.cosimo(&["check", "masses.toml", "--set", "interface.spring.offset=0"]);
    assert_code(&apart, 2);
    assert_eq!(stdout(&apart), "");
    let expected = "the initial state violates interface `spring` by a gap of 5e-1 m";
    assert!(stderr(&apart).contains(expected), "{}", stderr(&apart));
}

#[test]
fn a_start_that_is_moved_is_told() {
    let scratch = Scratch::new(MODEL);
    let project = "master.initial_state=project";
    let deep = ["--set", "subsystem.lower.position=[0, 0, -0.125]", "--set", project];
    for command in [&["check", "masses.toml"][..], &["run", "masses.toml"]] {
        let output = scratch.cosimo(&[command, &deep].concat());
        assert_code(&output, 0);
        let expected =
            "warning: the initial state violates contact `lower.floor` by a penetration of 1.25e-1 m; ";
        assert_eq!(stderr(&output).matches(expected).count(), 1, "{}", stderr(&output));
    }
}

/// What is printed is the result: who cannot write it has failed.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_a_failure() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("lcp.json"), r#"{"name": "one", "M": [[2]], "q": [-1]}"#).unwrap();
    for arguments in [["check", "masses.toml"], ["solve", "lcp.json"]] {
        assert_code(&scratch.cosimo(&arguments), 0);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = scratch.command(&arguments).stdout(full).output().unwrap();
        assert_code(&output, 1);
        assert!(stderr(&output).contains("cannot write to standard output: "), "{}", stderr(&output));
    }
}

#[test]
fn entries_can_be_removed() {
    let scratch = Scratch::new(MODEL);
    let without = scratch.cosimo(&["check", "masses.toml", "--unset", "interface.spring.offset"]);
    assert_code(&without, 0);
    assert!(stdout(&without).contains("offset = 0.0"), "{}", stdout(&without));
    // Removals come first, so that what is set is set.
    let set = ["--set", "interface.spring.offset=-0.25", "--unset", "interface.spring.offset"];
    let set = scratch.cosimo(&[&["check", "masses.toml"][..], &set].concat());
    assert!(stdout(&set).contains("offset = -0.25"), "{}", stdout(&set));
    let nowhere = scratch.cosimo(&["check", "masses.toml", "--unset", "interface.sprig"]);
    assert_code(&nowhere, 2);
    assert!(
        stderr(&nowhere).contains("in --unset interface.sprig: no interface `sprig`"),
        "{}",
        stderr(&nowhere)
    );
}

/// No more is read of a file than a model may have: here one without end, and one with a hole of a gigabyte.
#[cfg(target_os = "linux")]
#[test]
fn files_beyond_all_bounds_are_refused() {
    let scratch = Scratch::new(MODEL);
    fs::File::create(scratch.path("hole.toml")).unwrap().set_len(1 << 30).unwrap();
    for path in ["/dev/zero", "hole.toml"] {
        let output = scratch.cosimo(&["check", path]);
        assert_code(&output, 2);
        assert!(stderr(&output).contains("it has more than 64 MiB"), "{}", stderr(&output));
    }
}

#[test]
fn the_number_of_mistakes_is_told_in_the_end() {
    let list = vec!["{x=1}"; 20_000].join(", ");
    let scratch = Scratch::new(&MODEL.replacen("mass = 1.0", &format!("mass = [{list}]"), 1));
    let output = scratch.cosimo(&["check", "masses.toml"]);
    assert_code(&output, 2);
    assert!(stderr(&output).len() < 10_000, "{} bytes", stderr(&output).len());
}
