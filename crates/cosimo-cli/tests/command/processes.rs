//! Runs whose subsystems are processes: the same bits, and named errors where a process fails.

use std::fs;
use std::path::Path;
use std::process::Command;

use cosimo::model::{Override, read_model};
use cosimo::subsystem::Subsystem;
use cosimo::subsystem::conformance::Conformance;

use super::{MODEL, Scratch, assert_code, read, stderr};

/// Runs an example to this end, nearby and in processes.
fn assert_same_files(example: &str, end: &str) {
    let scratch = Scratch::new("");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example).join("model.toml");
    let model = model.to_str().unwrap();
    for execution in ["in-thread", "processes"] {
        let set = [format!("master.execution={execution}"), format!("time.end={end}")];
        let arguments = ["run", model, "--quiet", "--set", &set[0], "--set", &set[1], "--out", execution];
        assert_code(&scratch.cosimo(&arguments), 0);
    }
    for file in ["results.csv", "events.csv"] {
        let bytes = |execution: &str| fs::read(scratch.path(execution).join(file)).unwrap();
        assert!(bytes("in-thread") == bytes("processes"), "{example}: {file} differs");
    }
}

#[test]
fn processes_give_the_same_bits() {
    assert_same_files("oscillator", "0.5");
    assert_same_files("droop-stop", "0.05");
    assert_same_files("rods", "0.02");
    assert_same_files("andrews", "0.002");
}

#[test]
fn a_subsystem_in_a_process_passes_the_conformance_suite() {
    let overrides = [Override::parse("master.execution=processes").unwrap()];
    let (model, _) = read_model("masses.toml", MODEL, &overrides).unwrap();
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
        command.arg("serve");
        command
    };
    let make = || -> Box<dyn Subsystem> { model.build_subsystems_served(&command).unwrap().remove(1) };
    assert_eq!(make().description().name, "upper");
    Conformance::new(make).steps(8).check().assert_passed();
}

#[test]
fn a_program_without_a_master_has_nothing_to_say() {
    let scratch = Scratch::new(MODEL);
    // Standard input is empty.
    let output = scratch.command(&["serve"]).stdin(std::process::Stdio::null()).output().unwrap();
    assert_code(&output, 0);
    assert!(output.stdout.is_empty());
}

#[cfg(target_os = "linux")]
mod failures {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Output, Stdio};

    use super::super::stopping::wait_for;
    use super::*;

    /// A run without an end that has begun to write results.
    fn endless(sets: &[&str]) -> (Scratch, Child) {
        let scratch = Scratch::new(&MODEL.replace("end = 0.5", "end = 1e9"));
        let mut arguments = vec!["run", "masses.toml", "--set", "master.execution=processes"];
        arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
        let mut command = scratch.command(&arguments);
        // A group of its own, as at a terminal.
        command.process_group(0);
        let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let results = scratch.path("out/masses/results.csv");
        wait_for("results", || fs::metadata(&results).is_ok_and(|file| file.len() > 1000));
        (scratch, running)
    }

    /// The processes of the subsystems, in their order.
    fn children(parent: &Child) -> Vec<String> {
        let id = parent.id();
        let tasks = fs::read_dir(format!("/proc/{id}/task")).unwrap();
        let lists = tasks.filter_map(|task| fs::read_to_string(task.unwrap().path().join("children")).ok());
        let mut found: Vec<u32> = lists
            .flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<_>>())
            .collect();
        found.sort_unstable();
        found.iter().map(ToString::to_string).collect()
    }

    fn signal(name: &str, process: &str) {
        assert!(Command::new("kill").args([name, "--", process]).status().unwrap().success());
    }

    #[track_caller]
    fn assert_failed(scratch: &Scratch, output: &Output, processes: &[String], parts: &[&str]) {
        assert_code(output, 1);
        for part in parts {
            assert!(stderr(output).contains(part), "`{part}` is not in {}", stderr(output));
        }
        let summary = scratch.summary();
        assert_eq!(summary["outcome"], "failed");
        let steps = summary["steps"].as_u64().unwrap();
        assert_eq!(
            scratch.result("results.csv").lines().count() as u64,
            2 + steps,
            "results so far are kept"
        );
        for process in processes {
            assert!(!Path::new("/proc").join(process).exists(), "process {process} is left over");
        }
    }

    #[test]
    fn a_process_that_is_killed_ends_the_run_with_its_name_and_the_results_so_far() {
        let (scratch, running) = endless(&[]);
        let processes = children(&running);
        assert_eq!(processes.len(), 2);
        signal("-KILL", &processes[0]);
        let output = running.wait_with_output().unwrap();
        let parts = ["subsystem `lower` does not answer: its process ended with signal: 9"];
        assert_failed(&scratch, &output, &processes, &parts);
    }

    #[test]
    fn a_process_that_hangs_ends_the_run_at_its_deadline() {
        let (scratch, running) = endless(&["master.deadline=2"]);
        let processes = children(&running);
        signal("-STOP", &processes[1]);
        let output = running.wait_with_output().unwrap();
        let parts = ["subsystem `upper` did not answer `", "within 2 s"];
        assert_failed(&scratch, &output, &processes, &parts);
    }

    #[test]
    fn ctrl_c_reaches_the_master_alone() {
        let (scratch, running) = endless(&[]);
        let processes = children(&running);
        signal("-INT", &format!("-{}", running.id()));
        let output = running.wait_with_output().unwrap();
        assert_code(&output, 130);
        assert_eq!(scratch.summary()["outcome"], "stopped");
        assert!(processes.iter().all(|process| !Path::new("/proc").join(process).exists()));
        assert!(read(&scratch.path("out/masses/model.toml")).contains("execution = \"processes\""));
    }
}
