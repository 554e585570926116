//! Servers and masters that are killed or stopped.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::*;

/// Random numbers from a fixed seed (xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// The chain in four parts, in a run of about a second.
const CHAIN: &str = "chain/model-4-springs.toml";
const SETS: [&str; 4] = [
    "time.end=1.0",
    "time.step=2e-4",
    "record.every=10",
    "checkpoint={ every_steps = 200, every_seconds = 0.02 }",
];

/// The master of a run, from the beginning or from its last checkpoint.
fn start_master(stations: &Stations<'_>, scratch: &Scratch) -> Child {
    let mut command = if scratch.path("broken/model.toml").exists() {
        scratch.command(&["run", "--resume", "broken"])
    } else {
        let goes_on = ["--set", "master.on_loss=resume", "--set", "master.deadline=20"];
        stations.command(&[&goes_on[..], &["--out", "broken", "--force"]].concat())
    };
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Kills servers and the master so many times in all, at random moments, and starts them again: every run ends with the bits of one without
/// a break.
fn kill_and_go_on(kills: u32, seed: u64) {
    let (scratch, model) = (Scratch::new(""), example(CHAIN));
    let whole = expected(&scratch, &model, &SETS);
    let mut stations = Stations::of(&scratch, &model, &SETS);
    let (mut random, mut killed) = (Random(seed), 0);
    while killed < kills {
        let out = scratch.path("broken");
        if out.exists() {
            fs::remove_dir_all(&out).unwrap();
        }
        let mut master = start_master(&stations, &scratch);
        loop {
            sleep(Duration::from_millis(5 + random.below(150)));
            if let Some(status) = master.try_wait().unwrap() {
                let mut said = String::new();
                std::io::Read::read_to_string(&mut master.stderr.take().unwrap(), &mut said).unwrap();
                assert!(status.success(), "{status}: {said}");
                break;
            }
            if killed == kills {
                continue;
            }
            killed += 1;
            match random.below(5) as usize {
                4 => {
                    master.kill().unwrap();
                    master.wait().unwrap();
                    master = start_master(&stations, &scratch);
                }
                victim => {
                    stations.all[victim].kill();
                    sleep(Duration::from_millis(random.below(100)));
                    stations.all[victim].serve();
                }
            }
        }
        assert!(outcome(&out) == whole, "differs after {killed} kills");
    }
}

#[test]
fn killed_servers_and_masters_go_on_with_the_same_bits() {
    kill_and_go_on(12, 0x5eed_0101);
}

/// `cargo test --release -p cosimo-cli --test command a_hundred_kills -- --ignored`
#[test]
#[ignore = "it takes some time"]
fn a_hundred_kills_change_no_bit() {
    kill_and_go_on(100, 0x5eed_0102);
}

#[test]
fn processes_that_are_killed_are_started_again() {
    let (scratch, model) = (Scratch::new(""), example(CHAIN));
    // Much longer than the wait for a kill.
    let sets = [&["time.end=5.0"], &SETS[1..]].concat();
    let whole = expected(&scratch, &model, &sets);
    let mut arguments = vec!["run", model.to_str().unwrap(), "--out", "there"];
    let more = ["master.execution=processes", "master.on_loss=resume"];
    arguments.extend(sets.iter().chain(&more).flat_map(|set| ["--set", set]));
    let mut command = scratch.command(&arguments);
    let mut master = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut random, id) = (Random(0x5eed_0103), master.id().to_string());
    let results = scratch.path("there/results.csv");
    // One that is killed at its end is an error, and no loss.
    let is_far_from_the_end =
        || fs::metadata(&results).map_or(0, |file| file.len()) < whole[0].len() as u64 / 2;
    let mut kills = 0;
    while is_far_from_the_end() && master.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(50 + random.below(100)));
        // One of its children, and not always the same.
        let list = std::process::Command::new("pgrep").args(["-P", &id]).output().unwrap();
        let children: Vec<String> =
            String::from_utf8(list.stdout).unwrap().split_whitespace().map(str::to_owned).collect();
        let Some(child) = children.get(random.below(children.len().max(1) as u64) as usize) else { continue };
        // It may have ended by then.
        let killed = std::process::Command::new("kill").args(["-9", child]).output().unwrap();
        kills += u32::from(killed.status.success());
        if kills == 6 {
            break;
        }
    }
    assert!(kills > 0);
    assert_code(&master.wait_with_output().unwrap(), 0);
    assert!(outcome(&scratch.path("there")) == whole);
}

/// A run over servers that goes on for long.
fn long_run<'s>(scratch: &'s Scratch, sets: &[&str]) -> (Stations<'s>, Child) {
    let stations = Stations::of(scratch, &example(CHAIN), &["time.end=1e6"]);
    let mut arguments: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    arguments.extend(["--out", "there"]);
    let master = stations.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let results = scratch.path("there/results.csv");
    super::super::stopping::wait_for("results", || {
        fs::metadata(&results).is_ok_and(|file| file.len() > 5000)
    });
    (stations, master)
}

#[test]
fn a_server_that_is_killed_ends_the_run_within_a_second_by_name() {
    let scratch = Scratch::new("");
    let (mut stations, master) = long_run(&scratch, &[]);
    stations.all[2].kill();
    let since = Instant::now();
    let output = master.wait_with_output().unwrap();
    // The summary and the figure of the run are written by then, too, beside other tests; the deadline is a minute.
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    assert_code(&output, 1);
    assert!(stderr(&output).contains("subsystem `part3` does not answer"), "{}", stderr(&output));
    assert!(read(&scratch.path("there/summary.json")).contains("failed"), "results so far are kept");
}

#[test]
fn a_server_that_hangs_misses_its_deadline_by_name() {
    let scratch = Scratch::new("");
    let (stations, master) = long_run(&scratch, &["master.deadline=0.4"]);
    stations.all[1].signal("-STOP");
    let since = Instant::now();
    let output = master.wait_with_output().unwrap();
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    assert_code(&output, 1);
    assert!(
        stderr(&output).contains("subsystem `part2`") && stderr(&output).contains("0.4 s"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_server_that_was_stopped_goes_on_with_the_same_bits() {
    let (scratch, model) = (Scratch::new(""), example(CHAIN));
    let whole = expected(&scratch, &model, &SETS);
    let stations = Stations::of(&scratch, &model, &SETS);
    let sets = ["--set", "master.on_loss=resume", "--set", "master.deadline=0.3", "--out", "there"];
    let master = stations.command(&sets).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(200));
    stations.all[1].signal("-STOP");
    sleep(Duration::from_millis(1200));
    stations.all[1].signal("-CONT");
    let output = master.wait_with_output().unwrap();
    assert_code(&output, 0);
    assert!(outcome(&scratch.path("there")) == whole);
}

#[test]
fn a_server_that_does_not_come_back_ends_the_run_by_name() {
    let scratch = Scratch::new("");
    let (mut stations, master) = long_run(&scratch, &["master.on_loss=resume", "master.patience=0.5"]);
    stations.all[0].kill();
    let output = master.wait_with_output().unwrap();
    assert_code(&output, 1);
    let error = stderr(&output);
    assert!(error.contains("`part1`") && error.contains("has not come back within 0.5 s"), "{error}");
}
