//! Runs that go on after their process has ended.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{MODEL, Scratch, assert_code, read, stderr, stdout};

/// The masses, in a run of about half a second with a checkpoint every few milliseconds.
fn long_model() -> String {
    let time = "time = { end = 0.5, step = 1e-3 }";
    let checkpoints = "checkpoint = { every_steps = 2000, every_seconds = 0.01 }";
    MODEL.replace(time, &format!("time = {{ end = 20, step = 1e-4 }}\n{checkpoints}"))
}

/// What must be the same: results, events, figure, frames, and the summary without its times.
fn outcome(folder: &Path) -> (Vec<u8>, Vec<u8>, Vec<u8>, Value) {
    outcome_without(folder, &["seconds", "phases"])
}

/// The same, without these numbers of subsystems.
fn outcome_without(folder: &Path, numbers: &[&str]) -> (Vec<u8>, Vec<u8>, Vec<u8>, Value) {
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    let optional = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    let results = [bytes("results.csv"), optional("scene.json"), optional("frames.bin")].concat();
    let mut summary: Value = serde_json::from_str(&read(&folder.join("summary.json"))).unwrap();
    let map = summary.as_object_mut().unwrap();
    for key in ["wall_seconds", "processor_seconds", "master", "recording", "steps_per_second", "slowest"] {
        map.remove(key);
    }
    for subsystem in map["subsystems"].as_array_mut().unwrap() {
        numbers.iter().for_each(|number| drop(subsystem.as_object_mut().unwrap().remove(*number)));
    }
    (results, bytes("events.csv"), bytes("plot.svg"), summary)
}

/// Random numbers from a fixed seed (xorshift).
struct Random(u64);

impl Random {
    /// Milliseconds below `bound`.
    fn milliseconds(&mut self, bound: u64) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(self.0 % (1000 * bound))
    }
}

/// Starts the command, and kills it after a time; whether it had ended by then.
fn run_and_kill(mut command: Command, after: Duration) -> bool {
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while started.elapsed() < after {
        if let Some(status) = running.try_wait().unwrap() {
            let mut said = String::new();
            if !status.success() {
                running.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            }
            assert!(status.success(), "{status}: {said}");
            return true;
        }
        thread::sleep(Duration::from_micros(200));
    }
    // On unix: SIGKILL.
    running.kill().unwrap();
    running.wait().unwrap();
    false
}

/// Kills runs of a model so many times in all, each at a random moment; every one must end with the bits of a run
/// without a break.
fn kill_and_go_on(scratch: &Scratch, kills: u32, seed: u64) {
    kill_and_compare(scratch, (kills, seed), outcome);
}

/// The same for units, whose factors are found anew in a process that goes on.
pub(super) fn kill_units_and_go_on(scratch: &Scratch, kills: u32, seed: u64) {
    kill_and_compare(scratch, (kills, seed), |folder| {
        outcome_without(folder, &["seconds", "phases", "factorizations"])
    });
}

fn kill_and_compare<T: PartialEq>(
    scratch: &Scratch,
    (kills, seed): (u32, u64),
    outcome: impl Fn(&Path) -> T,
) {
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "whole", "--quiet"]), 0);
    let whole = outcome(&scratch.path("whole"));
    let mut random = Random(seed);
    let mut killed = 0;
    while killed < kills {
        let out = scratch.path("broken");
        if out.exists() {
            fs::remove_dir_all(&out).unwrap();
        }
        let mut is_complete = run_and_kill(
            scratch.command(&["run", "masses.toml", "--out", "broken"]),
            random.milliseconds(250),
        );
        while !is_complete {
            killed += 1;
            let arguments = if out.join("model.toml").exists() {
                ["run", "--resume", "broken"].as_slice()
            } else {
                // Killed before anything was stored: nothing to go on with.
                &["run", "masses.toml", "--out", "broken", "--force"]
            };
            let after = if killed < kills { random.milliseconds(250) } else { Duration::from_secs(600) };
            is_complete = run_and_kill(scratch.command(arguments), after);
        }
        assert!(outcome(&out) == whole, "differs after {killed} kills");
        if out.join("checkpoints").exists() {
            // Killed in its last instant, when nothing but the checkpoints was left to do.
            assert_code(&scratch.cosimo(&["run", "--resume", "broken"]), 0);
        }
        assert!(!out.join("checkpoints").exists());
    }
}

#[test]
fn a_killed_run_goes_on_with_the_same_bits() {
    kill_and_go_on(&Scratch::new(&long_model()), 8, 0x5eed_0001);
}

#[test]
fn a_killed_run_in_processes_goes_on_with_the_same_bits() {
    let processes = "schema = 1\nmaster = { execution = \"processes\" }\nrecord = { every = 7 }";
    let model = long_model().replace("schema = 1", processes).replace("end = 20", "end = 0.5");
    kill_and_go_on(&Scratch::new(&model), 2, 0x5eed_0003);
}

#[test]
fn a_killed_run_in_threads_goes_on_with_the_same_bits() {
    let threads = "schema = 1\nmaster = { execution = \"threads\" }\nrecord = { every = 7 }";
    let model = long_model().replace("schema = 1", threads).replace("end = 20", "end = 2");
    kill_and_go_on(&Scratch::new(&model), 3, 0x5eed_0002);
}

#[test]
#[ignore = "takes a minute: cargo test --release -p cosimo-cli --test command hundred -- --ignored"]
fn a_hundred_kills_leave_the_same_bits() {
    kill_and_go_on(&Scratch::new(&long_model()), 100, 0x5eed_0003);
}

/// A run that was stopped by a signal after some time, in `out/masses`.
fn stopped(scratch: &Scratch, signal: &str) -> std::process::Output {
    let mut command = scratch.command(&["run", "masses.toml"]);
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let checkpoints = scratch.path("out/masses/checkpoints");
    let started = Instant::now();
    while fs::read_dir(&checkpoints).map_or(0, Iterator::count) < 2 {
        assert!(started.elapsed() < Duration::from_secs(30), "waited too long for checkpoints");
        thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    running.wait_with_output().unwrap()
}

/// The checkpoints in `out/masses`, the oldest first.
fn checkpoints(scratch: &Scratch) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(scratch.path("out/masses/checkpoints")).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
#[cfg(unix)]
fn a_run_stopped_by_sigterm_leaves_a_checkpoint_and_goes_on() {
    let scratch = Scratch::new(&long_model());
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "whole", "--quiet"]), 0);
    let output = stopped(&scratch, "-TERM");
    assert_code(&output, 143);
    assert!(stderr(&output).contains("stopped by SIGTERM\n"), "{}", stderr(&output));
    assert!(stderr(&output).contains("to go on: cosimo run --resume out/masses\n"), "{}", stderr(&output));
    let summary = scratch.summary();
    assert_eq!((&summary["outcome"], &summary["reason"]), (&"stopped".into(), &"stopped by SIGTERM".into()));
    let last = format!("{:020}.checkpoint", summary["steps"].as_u64().unwrap());
    assert!(scratch.path("out/masses/checkpoints").join(last).exists());

    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 0);
    let expected = format!("goes on after {} steps, at t = ", summary["steps"]);
    assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
    assert!(outcome(&scratch.path("out/masses")) == outcome(&scratch.path("whole")));

    let again = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&again, 0);
    assert!(stderr(&again).contains("the run is complete"), "{}", stderr(&again));
    assert_eq!(stdout(&again), "");
}

#[test]
#[cfg(unix)]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let scratch = Scratch::new(&long_model());
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "whole", "--quiet"]), 0);
    for is_cut in [false, true] {
        let _ = fs::remove_dir_all(scratch.path("out"));
        assert_code(&stopped(&scratch, "-INT"), 130);
        let [before, last] = &checkpoints(&scratch)[..] else { panic!("not two checkpoints") };
        let mut bytes = fs::read(last).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes.truncate(if is_cut { middle } else { bytes.len() });
        fs::write(last, bytes).unwrap();
        let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
        assert_code(&output, 0);
        let errors = stderr(&output);
        assert!(errors.contains("is refused: it is damaged: its checksum is wrong"), "{errors}");
        let steps: u64 = before.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        assert!(errors.contains(&format!("goes on after {steps} steps")), "{errors}");
        assert!(outcome(&scratch.path("out/masses")) == outcome(&scratch.path("whole")));
    }
}

#[test]
#[cfg(unix)]
fn foreign_checkpoints_are_refused_and_the_results_left_alone() {
    let scratch = Scratch::new(&long_model());
    assert_code(&stopped(&scratch, "-INT"), 130);
    let model = scratch.path("out/masses/model.toml");
    fs::write(&model, read(&model).replace("restitution = 0.8", "restitution = 0.7")).unwrap();
    let results = scratch.result("results.csv");
    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 2);
    let errors = stderr(&output);
    assert_eq!(errors.matches("is refused: it belongs to another model").count(), 2, "{errors}");
    assert!(errors.contains("none of the 2 checkpoints in `out/masses` can be used"), "{errors}");
    assert!(scratch.result("results.csv") == results);
}

/// A run may go on with other threads: they change no bit.
#[test]
#[cfg(unix)]
fn a_run_goes_on_with_other_threads() {
    let scratch = Scratch::new(&long_model());
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--out", "whole", "--quiet"]), 0);
    assert_code(&stopped(&scratch, "-INT"), 130);
    let model = scratch.path("out/masses/model.toml");
    let text = read(&model).replace("threads = 1", "threads = 2").replace("in-thread", "threads");
    assert!(text.contains("threads = 2") && text.contains("execution = \"threads\""), "{text}");
    fs::write(&model, text).unwrap();
    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 0);
    assert!(!stderr(&output).contains("refused"), "{}", stderr(&output));
    let [whole, other] = ["whole", "out/masses"].map(|folder| outcome(&scratch.path(folder)));
    assert!(whole.0 == other.0 && whole.1 == other.1, "the results differ");
}

#[test]
#[cfg(unix)]
fn altered_results_are_refused_and_left_alone() {
    let scratch = Scratch::new(&long_model());
    assert_code(&stopped(&scratch, "-INT"), 130);
    let altered = scratch.result("results.csv").replacen("0.", "1.", 1);
    fs::write(scratch.path("out/masses/results.csv"), &altered).unwrap();
    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("results.csv` was altered since the checkpoint"), "{}", stderr(&output));
    assert!(scratch.result("results.csv") == altered);
}

#[test]
#[cfg(unix)]
fn results_that_are_missing_are_told_as_such() {
    let scratch = Scratch::new(&long_model());
    assert_code(&stopped(&scratch, "-INT"), 130);
    fs::remove_file(scratch.path("out/masses/events.csv")).unwrap();
    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 2);
    let errors = stderr(&output);
    assert!(
        errors.contains("cannot read `")
            && errors.contains("out/masses/events.csv`")
            && !errors.contains("cannot create"),
        "{errors}"
    );
}

#[test]
#[cfg(unix)]
fn a_directory_in_use_is_left_alone_and_a_kill_leaves_it_free() {
    let scratch = Scratch::new(&long_model().replace("end = 20", "end = 2000"));
    let mut command = scratch.command(&["run", "masses.toml"]);
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while fs::read_dir(scratch.path("out/masses/checkpoints")).map_or(0, Iterator::count) < 2 {
        assert!(started.elapsed() < Duration::from_secs(30), "waited too long for checkpoints");
        thread::sleep(Duration::from_millis(2));
    }
    for arguments in [&["run", "masses.toml", "--force"][..], &["run", "--resume", "out/masses"]] {
        let output = scratch.cosimo(arguments);
        assert_code(&output, 2);
        let errors = stderr(&output);
        assert!(errors.contains("another run is writing into `out/masses`"), "{errors}");
    }
    assert!(running.try_wait().unwrap().is_none() && scratch.path("out/masses/model.toml").exists());
    running.kill().unwrap();
    running.wait().unwrap();
    let replaced = scratch.cosimo(&["run", "masses.toml", "--force", "--set", "time.end=0.01"]);
    assert_code(&replaced, 0);
}

#[test]
fn without_a_run_there_is_nothing_to_go_on_with() {
    let scratch = Scratch::new(MODEL);
    fs::create_dir(scratch.path("empty")).unwrap();
    let output = scratch.cosimo(&["run", "--resume", "empty"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("there is no run in `empty`"), "{}", stderr(&output));
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--resume", "empty"]), 2);
    assert_code(&scratch.cosimo(&["run", "--resume", "empty", "--set", "time.end=1"]), 2);
}

#[test]
fn a_run_killed_before_its_first_checkpoint_begins_anew() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet"]), 0);
    let whole = outcome(&scratch.path("out/masses"));
    fs::remove_file(scratch.path("out/masses/summary.json")).unwrap();
    let output = scratch.cosimo(&["run", "--resume", "out/masses"]);
    assert_code(&output, 0);
    assert!(
        stderr(&output).starts_with("there is no checkpoint yet: the run begins anew\n"),
        "{}",
        stderr(&output)
    );
    assert!(outcome(&scratch.path("out/masses")) == whole);
}

#[test]
#[cfg(unix)]
fn a_run_killed_before_its_first_checkpoint_is_started_again_without_force() {
    let endless = MODEL.replace("end = 0.5", "end = 1e9");
    let scratch = Scratch::new(&endless);
    let arguments = ["run", "masses.toml", "--set", "record.every=100000"];
    let mut running =
        scratch.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let results = scratch.path("out/masses/results.csv");
    super::stopping::wait_for("results", || fs::metadata(&results).is_ok());
    // While it goes on it is not replaced.
    let output = scratch.cosimo(&["run", "masses.toml"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("another run is writing into `out/masses`"), "{}", stderr(&output));
    running.kill().unwrap();
    running.wait().unwrap();
    let again = ["run", "masses.toml", "--set", "time.end=0.5"];
    // What no run has written is kept.
    fs::write(scratch.path("out/masses/notes.txt"), "mine").unwrap();
    assert_code(&scratch.cosimo(&again), 2);
    assert!(results.exists());
    fs::remove_file(scratch.path("out/masses/notes.txt")).unwrap();
    assert_code(&scratch.cosimo(&again), 0);
    // A run that has ended is not.
    assert_code(&scratch.cosimo(&again), 2);
    let summary = scratch.path("out/masses/summary.json");
    fs::remove_file(&summary).unwrap();
    fs::remove_file(scratch.path("out/masses/.cosimo-run")).unwrap();
    let output = scratch.cosimo(&again);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("add --force"), "{}", stderr(&output));
}
