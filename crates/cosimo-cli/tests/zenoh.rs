//! Runs whose subsystems are served over a network of zenoh: the same bits, also where a server is lost, and named errors.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use cosimo::model::{Override, read_model, read_text};
use support::FirstSteps;
use tempfile::TempDir;

fn cosimo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
    command.current_dir(folder).args(arguments);
    command
}

fn example(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    path.to_str().unwrap().to_owned()
}

#[track_caller]
fn assert_code(output: &Output, code: i32) -> String {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

fn outcome(folder: &Path) -> [Vec<u8>; 2] {
    ["results.csv", "events.csv"].map(|file| fs::read(folder.join(file)).unwrap())
}

/// An address of loopback that is free.
fn endpoint() -> String {
    format!("tcp/{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// A process that offers a subsystem; it ends with this.
struct Offer {
    arguments: Vec<String>,
    folder: PathBuf,
    process: Child,
}

impl Offer {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let arguments: Vec<String> = arguments.iter().map(|own| (*own).to_owned()).collect();
        let process = Self::spawn(folder, &arguments);
        Self { arguments, folder: folder.to_owned(), process }
    }

    fn spawn(folder: &Path, arguments: &[String]) -> Child {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut process = cosimo(folder, &arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        // Warnings come first.
        let lines = errors.by_ref().lines().map_while(Result::ok);
        let said: Vec<String> = lines.take_while(|line| !line.starts_with("serves")).collect();
        assert!(process.try_wait().unwrap().is_none(), "{}", said.join("\n"));
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        process
    }

    fn kill_and_start(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        sleep(Duration::from_millis(200));
        self.process = Self::spawn(&self.folder, &self.arguments);
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An example on this machine, and over zenoh with one of its subsystems served.
struct Pair {
    folder: TempDir,
    model: String,
    sets: Vec<String>,
    offer: Offer,
    remote: String,
}

impl Pair {
    fn of(model: &str, subsystem: &str, sets: &[&str]) -> Self {
        let (folder, model, at) = (tempfile::tempdir().unwrap(), example(model), endpoint());
        let mut serve =
            vec!["serve", &model, "--subsystem", subsystem, "--zenoh", "plant/part", "--listen", &at];
        serve.extend(sets.iter().flat_map(|set| ["--set", set]));
        let offer = Offer::start(folder.path(), &serve);
        let remote = format!("subsystem.{subsystem}.remote={{ zenoh = 'plant/part', connect = ['{at}'] }}");
        let sets = sets.iter().map(|set| (*set).to_owned()).collect();
        Self { folder, model, sets, offer, remote }
    }

    fn run(&self, arguments: &[&str]) -> Command {
        let mut all = vec!["run", &self.model];
        all.extend(self.sets.iter().flat_map(|set| ["--set", set]));
        all.extend(arguments);
        cosimo(self.folder.path(), &all)
    }

    fn here(&self) -> [Vec<u8>; 2] {
        assert_code(&self.run(&["--quiet", "--out", "here"]).output().unwrap(), 0);
        outcome(&self.folder.path().join("here"))
    }
}

/// Subsystems that a model file names: stops stand for others.
fn subsystems(model: &str) -> Vec<String> {
    let text = read_text(Path::new(model)).unwrap();
    let (spec, _) = read_model(model, &text, &[]).unwrap();
    let is_named = |subsystem: &String| {
        let set = Override::parse(&format!("subsystem.{subsystem}.remote={{ tcp = 'a:1' }}")).unwrap();
        read_model(model, &text, &[set]).is_ok()
    };
    spec.subsystems.into_iter().map(|own| own.name).filter(is_named).collect()
}

/// A run with all subsystems served, each by a process of its own.
fn run_all_served(folder: &Path, example: &FirstSteps, sets: &[&str]) -> Output {
    let model = example.model.to_str().unwrap();
    let (mut offers, mut remotes) = (Vec::new(), Vec::new());
    for (number, subsystem) in subsystems(model).iter().enumerate() {
        let (at, key) = (endpoint(), format!("plant/part{number}"));
        let mut serve = vec!["serve", model, "--subsystem", subsystem, "--zenoh", &key, "--listen", &at];
        serve.extend(sets.iter().flat_map(|set| ["--set", set]));
        offers.push(Offer::start(folder, &serve));
        remotes.push(format!("subsystem.{subsystem}.remote={{ zenoh = '{key}', connect = ['{at}'] }}"));
    }
    let mut run = vec!["run", model, "--quiet", "--out", "there"];
    run.extend(sets.iter().copied().chain(remotes.iter().map(String::as_str)).flat_map(|set| ["--set", set]));
    cosimo(folder, &run).output().unwrap()
}

/// Compares runs here and over a network.
fn assert_same_bits(example: &FirstSteps, sets: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let model = example.model.to_str().unwrap();
    let mut here = vec!["run", model, "--quiet", "--out", "here"];
    here.extend(sets.iter().flat_map(|set| ["--set", set]));
    assert_code(&cosimo(folder.path(), &here).output().unwrap(), 0);
    assert_code(&run_all_served(folder.path(), example, sets), 0);
    let [here, there] = ["here", "there"].map(|out| outcome(&folder.path().join(out)));
    assert!(here == there, "{model}");
}

#[test]
fn the_first_steps_of_every_example_have_the_same_bits_over_networks() {
    for example in support::examples() {
        assert_same_bits(&example, &[&example.end]);
    }
}

#[test]
fn whole_runs_have_the_same_bits_over_networks() {
    let whole = ["oscillator/model.toml", "rigid-pair/model.toml"];
    for example in support::examples() {
        if whole.iter().any(|model| example.model.ends_with(model)) {
            assert_same_bits(&example, &[]);
        }
    }
}

#[test]
fn a_server_that_is_killed_comes_back_with_the_same_bits() {
    let mut pair = Pair::of("oscillator/model.toml", "upper", &["time.end=2", "time.step=1e-4"]);
    let whole = pair.here();
    let goes_on = ["--set", &pair.remote, "--set", "master.on_loss=resume", "--out", "there"];
    let mut run = pair.run(&goes_on);
    let master = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..2 {
        sleep(Duration::from_millis(700));
        pair.offer.kill_and_start();
    }
    assert_code(&master.wait_with_output().unwrap(), 0);
    assert!(outcome(&pair.folder.path().join("there")) == whole);
}

#[test]
fn what_cannot_be_had_is_named() {
    let pair = Pair::of("oscillator/model.toml", "upper", &[]);
    let other = pair.remote.replace("plant/part", "plant/other");
    let output = pair.run(&["--set", &other, "--set", "master.deadline=1"]).output().unwrap();
    let errors = assert_code(&output, 2);
    assert!(errors.contains("subsystem `upper`") && errors.contains("plant/other"), "{errors}");
    let output = pair.run(&["--set", &pair.remote, "--set", "time.end=0.25"]).output().unwrap();
    let errors = assert_code(&output, 2);
    assert!(errors.contains("served from another model"), "{errors}");
    let open =
        ["serve", &pair.model, "--subsystem", "upper", "--zenoh", "a/b", "--listen", "tcp/0.0.0.0:17449"];
    let errors = assert_code(&cosimo(pair.folder.path(), &open).output().unwrap(), 2);
    assert!(errors.contains("loopback"), "{errors}");
}
