//! A control in Python alone, over TCP, where there is `python3`: it does what the native one does, with a key too, and after it was killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use super::super::stopping::wait_for;
use super::super::{Scratch, assert_code, read, stderr};
use super::{column, examples, python_has, words};

/// `controller.py`, which serves until this is dropped.
struct Controller {
    process: Child,
    address: String,
    /// What it prints after its address, which nobody reads.
    _printed: BufReader<ChildStdout>,
}

impl Controller {
    /// Starts it at a port; 0 takes one that is free.
    fn start(port: &str, key: Option<&Path>) -> Self {
        let mut command = Command::new("python3");
        command.arg(examples().join("python-controller/controller.py")).arg(port).args(key);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let (mut printed, mut line) = (BufReader::new(process.stdout.take().unwrap()), String::new());
        printed.read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line}");
        Self { process, address, _printed: printed }
    }

    fn port(&self) -> &str {
        self.address.rsplit(':').next().unwrap()
    }

    /// The command that runs the example with it.
    fn command(&self, scratch: &Scratch, out: &str, sets: &[&str]) -> Command {
        let model = examples().join("python-controller/model.toml");
        let address = format!("subsystem.governor.remote.tcp={}", self.address);
        let mut arguments = vec!["run", model.to_str().unwrap(), "--quiet", "--out", out, "--set", &address];
        arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
        scratch.command(&arguments)
    }

    fn run(&self, scratch: &Scratch, out: &str, sets: &[&str]) -> Output {
        self.command(scratch, out, sets).output().unwrap()
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Speed (rad/s) of the wheel and torque (N m) of its motor at communication points: with a torque that is held the motion is a recursion.
fn sampled() -> impl Iterator<Item = [f64; 2]> {
    let (inertia, load, setpoint, proportional, integral, period) = (0.5, 2.0, 20.0, 3.0, 4.0, 1e-2);
    let mut state = [0.0_f64; 2];
    std::iter::repeat_with(move || {
        let [speed, stored] = state;
        let torque = proportional * (setpoint - speed) + stored;
        let faster = period * (torque - load) / inertia;
        state = [speed + faster, stored + integral * period * (setpoint - speed)];
        [speed, torque]
    })
}

#[test]
fn a_control_in_python_alone_is_the_native_one() {
    if !python_has("hashlib") {
        return;
    }
    let (scratch, controller) = (Scratch::new(""), Controller::start("0", None));
    let results = |out: &str| read(&scratch.path(out).join("results.csv"));
    for out in ["found", "again"] {
        assert_code(&controller.run(&scratch, out, &[]), 0);
    }
    assert!(results("found") == results("again"), "two runs differ");

    let native = examples().join("python-controller/native.toml");
    assert_code(&scratch.cosimo(&["run", native.to_str().unwrap(), "--quiet", "--out", "native"]), 0);
    for name in ["machine.shaft.angle", "machine.shaft.rate", "governor.output"] {
        let [found, native] = ["found", "native"].map(|out| column(&results(out), name));
        assert_eq!((found.len(), native.len()), (301, 301));
        assert!(found.iter().zip(&native).all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + b.abs())), "{name}");
    }
    let [speeds, torques] =
        ["machine.shaft.rate", "governor.output"].map(|name| column(&results("found"), name));
    for ((speed, torque), exact) in speeds.iter().zip(&torques).zip(sampled()) {
        let apart = (speed - exact[0]).abs().max((torque - exact[1]).abs());
        assert!(apart < 1e-11, "{speed} rad/s and {torque} N m in place of {exact:?}");
    }

    let example = examples().join("python-controller");
    let [found, shown] = [&scratch.path("found"), &example].map(|folder| read(&folder.join("plot.svg")));
    assert_eq!(words(&found), words(&shown));
    assert!(read(&example.join("README.md")).contains("](plot.svg)"));
}

/// It is short enough to be read.
#[test]
fn the_control_in_python_has_forty_lines() {
    let script = read(&examples().join("python-controller/controller.py"));
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert!(lines.count() <= 40);
    let model = read(&examples().join("python-controller/model.toml"));
    assert!(model.contains("tcp = \"127.0.0.1:7410\""), "the page starts it there");
}

#[test]
fn a_control_in_python_shows_its_key_and_asks_for_it() {
    if !python_has("hashlib") {
        return;
    }
    let scratch = Scratch::new("");
    let keys = ["own", "other"].map(|name| {
        let file = scratch.path(name);
        fs::write(&file, format!("the {name} key of this test\n")).unwrap();
        (format!("subsystem.governor.remote.key={}", file.display()), file)
    });
    let controller = Controller::start("0", Some(&keys[0].1));
    assert_code(&controller.run(&scratch, "found", &[&keys[0].0]), 0);
    let refused = |controller: &Controller, sets: &[&str], reason: &str| {
        let output = controller.run(&scratch, "refused", sets);
        assert_code(&output, 2);
        let expected = format!("subsystem `governor`: {reason}");
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    };
    refused(&controller, &[&keys[1].0], "it does not have the key of this end");
    refused(&controller, &[], "it has a key, and this end has none");
    let open = Controller::start("0", None);
    refused(&open, &[&keys[1].0], "it does not have the key of this end");
    // It goes on for those that have it.
    assert_code(&controller.run(&scratch, "again", &[&keys[0].0]), 0);
    let [found, again] = ["found", "again"].map(|out| read(&scratch.path(out).join("results.csv")));
    assert!(found == again, "two runs differ");
}

/// The state comes back by the save and restore of the script, and by the steps since.
#[test]
fn a_control_in_python_that_is_killed_comes_back_with_the_same_bits() {
    if !python_has("hashlib") {
        return;
    }
    let (scratch, controller) = (Scratch::new(""), Controller::start("0", None));
    let sets = ["time.end=100", "master.on_loss=resume"];
    assert_code(&controller.run(&scratch, "whole", &sets), 0);
    let running =
        controller.command(&scratch, "resumed", &sets).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let results = scratch.path("resumed/results.csv");
    wait_for("results", || fs::metadata(&results).is_ok_and(|file| file.len() > 1000));
    let port = controller.port().to_owned();
    drop(controller);
    let _again = Controller::start(&port, None);
    let output = running.unwrap().wait_with_output().unwrap();
    assert_code(&output, 0);
    assert!(stderr(&output).contains("subsystem `governor` is back"), "{}", stderr(&output));
    for file in ["results.csv", "events.csv"] {
        let [whole, resumed] = ["whole", "resumed"].map(|out| read(&scratch.path(out).join(file)));
        assert!(whole == resumed, "{file} differs");
    }
}
