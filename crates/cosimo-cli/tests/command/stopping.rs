//! Runs that do not reach their end.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{MODEL, Scratch, assert_code, stderr, stdout};

/// A stiff spring to a mass that is coupled by extrapolation makes energy, which ends the run.
fn creating() -> Scratch {
    let stiff = MODEL.replace("stiffness = 1e3", "stiffness = 1e7");
    let explicit = stiff.replace("mass = [1.0]\n", "mass = [1.0]\ncoupling = \"explicit\"\n");
    let time = "time = { end = 0.5, step = 1e-3 }";
    Scratch::new(&explicit.replace(time, &format!("{time}\nmaster = {{ energy_action = \"stop\" }}")))
}

#[test]
fn a_failed_run_keeps_what_it_has_and_says_why() {
    let scratch = creating();
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert_code(&output, 1);
    let errors = stderr(&output);
    assert!(errors.contains("interface `spring` creates"), "{errors}");
    assert!(stdout(&output).contains("failed at t = "), "{}", stdout(&output));
    let summary = scratch.summary();
    assert_eq!(summary["outcome"], "failed");
    assert!(summary["reason"].as_str().unwrap().contains("creates"), "{summary}");
    assert_eq!(scratch.result("results.csv").lines().count() as u64, 2 + summary["steps"].as_u64().unwrap());
}

/// A force that is too large for numbers, from a tenth of a second on.
#[test]
fn numbers_that_are_not_finite_end_a_run_with_name_port_and_time() {
    let load = "[[subsystem.load]]\ndirection = [0, 0, 1]\ntime = [0.1, 0.101]\nvalue = [0.0, 1e308]\n";
    let light = MODEL.replace("mass = 1.0\n", "mass = 1e-9\n");
    let model = light.replacen("[[subsystem.port]]", &format!("{load}[[subsystem.port]]"), 1);
    let scratch = Scratch::new(&model);
    for execution in ["in-thread", "threads"] {
        let set = format!("master.execution={execution}");
        let output = scratch.cosimo(&["run", "masses.toml", "--force", "--set", &set]);
        assert_code(&output, 1);
        let errors = stderr(&output);
        for part in ["step from 0.1 s: subsystem `lower`", "of port `top` is not finite"] {
            assert!(errors.contains(part), "`{part}` is not in {errors}");
        }
        let summary = scratch.summary();
        assert_eq!((&summary["outcome"], &summary["steps"]), (&"failed".into(), &100.into()));
        assert_eq!(scratch.result("results.csv").lines().count(), 1 + 101);
    }
}

/// Waits until a condition holds.
#[track_caller]
pub(super) fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(30), "waited too long for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_run_with_its_partial_results() {
    let scratch = Scratch::new(&MODEL.replace("end = 0.5", "end = 1e9"));
    let arguments = ["run", "masses.toml", "--set", "record.every=100000"];
    let mut command = scratch.command(&arguments);
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let results = scratch.path("out/masses/results.csv");
    wait_for("results", || std::fs::metadata(&results).is_ok_and(|file| file.len() > 1000));
    let sent = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = running.wait_with_output().unwrap();

    assert_code(&output, 130);
    assert!(stderr(&output).contains("stopped by Ctrl-C"), "{}", stderr(&output));
    assert!(stdout(&output).contains("stopped at t = "), "{}", stdout(&output));
    let summary = scratch.summary();
    assert_eq!((&summary["outcome"], &summary["reason"]), (&"stopped".into(), &"stopped by Ctrl-C".into()));
    assert!(summary["steps"].as_u64().unwrap() > 100_000, "{summary}");
    assert!(scratch.result("results.csv").lines().count() > 2);
    assert!(scratch.path("out/masses/plot.svg").exists());
}
