//! `cosimo sweep`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use super::stopping::wait_for;
use super::{MODEL, Scratch, assert_code, read, stderr, stdout};

const STIFFNESS: &str = "interface.spring.stiffness=100:2000:100";
const RESTITUTION: &str = "subsystem.lower.plane.floor.restitution=0.5,0.8";

fn table(scratch: &Scratch, out: &str) -> String {
    read(&scratch.path(out).join("sweep.csv"))
}

#[test]
fn a_grid_gives_table_figure_and_summary() {
    let scratch = Scratch::new(MODEL);
    let arguments =
        ["sweep", "masses.toml", "--set", STIFFNESS, "--set", RESTITUTION, "--output", "spring.force:max"];
    let output = scratch.cosimo(&[&arguments[..], &["--set", "time.end=0.4", "--threads", "2"]].concat());
    assert_code(&output, 0);
    assert!(stdout(&output).starts_with("40 of 40 runs completed; 40 in "), "{}", stdout(&output));
    assert_eq!(stderr(&output), "table and figure in out/masses-sweep\n");
    let text = table(&scratch, "out/masses-sweep");
    let head = "run,interface.spring.stiffness,subsystem.lower.plane.floor.restitution,spring.force:max,status,reason,\
                end_time,steps,iterations,impacts,warnings\n1,100.0,0.5,";
    assert!(text.starts_with(head) && text.lines().count() == 41, "{text}");
    assert!(text.lines().last().unwrap().starts_with("40,2000.0,0.8,"), "{text}");
    let folder = scratch.path("out/masses-sweep");
    let figure = read(&folder.join("sweep.svg"));
    assert!(figure.contains("floor.restitution = 0.5") && figure.contains("interface.spring.stiffness [SI]"));
    assert_eq!(&fs::read(folder.join("sweep.parquet")).unwrap()[..4], b"PAR1");
    assert_eq!(read(&folder.join("sweep-times.csv")).lines().count(), 41);

    let again = scratch.cosimo(&arguments);
    assert_code(&again, 2);
    assert!(stderr(&again).contains("study.json` exists: add --force to replace it"), "{}", stderr(&again));
    let one = scratch
        .cosimo(&[&arguments[..], &["--set", "time.end=0.4", "--threads", "1", "--force", "-q"]].concat());
    assert_code(&one, 0);
    assert_eq!(stdout(&one), "");
    assert!(table(&scratch, "out/masses-sweep") == text, "the table depends on the number of threads");
    assert_code(&scratch.cosimo(&["run", "--resume", "out/masses-sweep"]), 2);
}

/// A case of a sweep is the run with its values.
#[test]
fn a_row_is_what_a_run_finds() {
    let scratch = Scratch::new(MODEL);
    let set = ["--set", "interface.spring.stiffness=500,1500", "--output", "upper.z"];
    assert_code(&scratch.cosimo(&[&["sweep", "masses.toml", "--out", "s"], &set[..]].concat()), 0);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--set", "interface.spring.stiffness=1500"]), 0);
    let results = scratch.result("results.csv");
    let place = results.lines().next().unwrap().split(',').position(|name| name == "upper.z").unwrap();
    let last = results.lines().last().unwrap().split(',').nth(place).unwrap().to_owned();
    assert_eq!(table(&scratch, "s").lines().nth(2).unwrap().split(',').nth(2), Some(last.as_str()));
}

#[test]
fn a_table_of_cases_is_read_and_is_the_table_that_is_written() {
    let scratch = Scratch::new(MODEL);
    let cases =
        "interface.spring.stiffness,subsystem.lower.position\n500,\"[0, 0, 0.5]\"\n,\"[0, 0, 0.6]\"\n1500,\n";
    fs::write(scratch.path("cases.csv"), cases).unwrap();
    let arguments = ["sweep", "masses.toml", "--cases", "cases.csv", "--output", "lower.z:max", "--out"];
    assert_code(&scratch.cosimo(&[&arguments[..], &["s"]].concat()), 0);
    let text = table(&scratch, "s");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(
        rows[0].starts_with("1,500.0,\"[0, 0, 0.5]\",") && rows[1].starts_with("2,,\"[0, 0, 0.6]\","),
        "{text}"
    );
    assert!(rows[2].starts_with("3,1500.0,,"), "{text}");
    // The inputs of a table are cases again.
    let inputs: Vec<String> = text.lines().map(|line| line.split_once(',').unwrap().1.to_owned()).collect();
    let inputs: Vec<&str> = inputs
        .iter()
        .map(|line| &line[..line.find(",l").unwrap_or_else(|| line.find(",0.").unwrap())])
        .collect();
    fs::write(scratch.path("cases.csv"), inputs.join("\n") + "\n").unwrap();
    assert_code(&scratch.cosimo(&[&arguments[..], &["again"]].concat()), 0);
    assert_eq!(table(&scratch, "again"), text);
    let bad = scratch.cosimo(&["sweep", "masses.toml", "--cases", "none.csv"]);
    assert_code(&bad, 2);
    assert!(stderr(&bad).contains("cannot read `none.csv`"), "{}", stderr(&bad));
}

#[test]
fn a_seed_gives_the_same_draws_and_another_seed_others() {
    let scratch = Scratch::new(MODEL);
    let drawn = [
        "--set",
        "subsystem.lower.mass=normal(1,0.1)",
        "--set",
        "interface.spring.stiffness=uniform(500,1500)",
    ];
    let sweep = |seed: &str, out: &str| {
        let arguments =
            ["sweep", "masses.toml", "--random", "20", "--seed", seed, "--out", out, "--set", "time.end=0.1"];
        assert_code(&scratch.cosimo(&[&arguments[..], &drawn].concat()), 0);
        table(&scratch, out)
    };
    let one = sweep("7", "a");
    assert_eq!(one.lines().count(), 21);
    assert_eq!(one, sweep("7", "b"));
    assert_ne!(one, sweep("8", "c"));
    assert!(read(&scratch.path("a/sweep.svg")).contains("<circle"));
    let none = scratch.cosimo(&[&["sweep", "masses.toml"], &drawn[..]].concat());
    assert_code(&none, 2);
    assert!(stderr(&none).contains("say how often by --random N"), "{}", stderr(&none));
}

#[test]
fn failed_runs_are_rows_and_the_exit_code_says_so() {
    let scratch = Scratch::new(MODEL);
    let output = scratch.cosimo(&[
        "sweep",
        "masses.toml",
        "--set",
        "subsystem.lower.mass=1,-1,2,0,x,-3",
        "--out",
        "s",
    ]);
    assert_code(&output, 1);
    assert!(stdout(&output).starts_with("2 of 6 runs completed, 4 not; 6 in "), "{}", stdout(&output));
    let errors = stderr(&output);
    assert!(
        errors.contains("run 2: subsystem.lower.mass=-1: mass is -1")
            && errors.contains("must be positive\n"),
        "{errors}"
    );
    assert!(errors.contains("and 1 more: see the column reason\n"), "{errors}");
    assert!(errors.ends_with("error: 4 of 6 runs did not come to their end\n"), "{errors}");
    assert!(table(&scratch, "s").lines().nth(2).unwrap().contains(",invalid,\"subsystem.lower.mass=-1: "));
    // Nothing is left to be done; the failures stay.
    assert_code(&scratch.cosimo(&["sweep", "--resume", "s"]), 1);
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let scratch = Scratch::new(MODEL);
    let refused = |arguments: &[&str], reason: &str| {
        let output = scratch.cosimo(&[&["sweep", "masses.toml"], arguments].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    };
    let set = ["--set", STIFFNESS];
    refused(&[], "no entry has several values");
    refused(&["--set", "interface.sprng.stiffness=1,2"], "did you mean `spring`?");
    refused(&["--set", "interface.spring.stiffness=1:2"], "it is start:end:step");
    refused(&["--set", "interface.spring.stiffness"], "no `=`");
    refused(&["--set", "a..b=1,2"], "empty name in the path");
    refused(&["--set", "1..x=1"], "--set 1..x=");
    refused(&["--set", "interface.spring.stiffness=norml(1,2)"], "did you mean `normal`?");
    refused(&["--set", "interface.spring.stiffness=0:1:1e-7"], "at most 1000000 are taken");
    refused(&[&set[..], &["--set", "interface . spring.stiffness=3"]].concat(), "is set twice");
    fs::write(scratch.path("cases.csv"), "time.end\n1\n2\n").unwrap();
    refused(&["--set", "time.end=1", "--cases", "cases.csv"], "`time.end` is set twice");
    refused(&[&set[..], &["--output", "lower.q"]].concat(), "no quantity matches `lower.q`");
    refused(&[&set[..], &["--output", "lower.z:median"]].concat(), "nothing is called `median`");
    refused(&[&set[..], &["--output", "lower.roof:impacts"]].concat(), "no contact matches `lower.roof`");
    refused(&[&set[..], &["--over", "time.end"]].concat(), "the figure cannot be over `time.end`");
    refused(&[&set[..], &["--random", "3"]].concat(), "no entry is drawn");
    assert!(!scratch.path("out").exists());
    assert_code(&scratch.cosimo(&["sweep", "--resume", "nowhere"]), 2);
}

/// A sweep of some seconds in a debug build, of a few tenths of one otherwise.
fn long(scratch: &Scratch, out: &str) -> Command {
    scratch.command(&[
        "sweep",
        "masses.toml",
        "--set",
        "interface.spring.stiffness=10:2000:10",
        "--output",
        "lower.*:rms",
        "--output",
        "lower.floor:last-impact",
        "--set",
        "time.end=1",
        "--out",
        out,
    ])
}

/// Whatever moment a sweep is killed in, and however often, its table is that of one without a break.
#[test]
fn a_killed_sweep_goes_on_to_the_same_table() {
    let scratch = Scratch::new(MODEL);
    let started = Instant::now();
    assert!(long(&scratch, "whole").output().unwrap().status.success());
    let took = started.elapsed();
    let files = |out: &str| {
        ["sweep.csv", "sweep.parquet", "sweep.svg"]
            .map(|name| fs::read(scratch.path(out).join(name)).unwrap())
    };
    let whole = files("whole");
    let (mut kills, mut random) = (0, 0x5eed_u32);
    for round in 0..3 {
        let out = format!("broken{round}");
        let mut command = long(&scratch, &out);
        loop {
            let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let share = f64::from(random >> 8) / f64::from(1 << 24);
            thread::sleep(took.mul_f64(0.4 * share));
            if let Some(status) = running.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break;
            }
            // On unix: SIGKILL.
            running.kill().unwrap();
            running.wait().unwrap();
            kills += 1;
            let has_begun = scratch.path(&out).join("study.json").exists();
            command =
                if has_begun { scratch.command(&["sweep", "--resume", &out]) } else { long(&scratch, &out) };
            if !has_begun {
                command.arg("--force");
            }
        }
        assert!(files(&out) == whole, "differs after {kills} kills");
    }
    assert!(kills > 2, "{kills}");
}

#[test]
#[cfg(unix)]
fn a_stopped_sweep_says_how_to_go_on() {
    let scratch = Scratch::new(MODEL);
    let running = long(&scratch, "s").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let has_rows = |path: &Path| fs::metadata(path).is_ok_and(|file| file.len() > 1000);
    wait_for("rows", || has_rows(&scratch.path("s/rows.journal")));
    assert!(Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap().success());
    let output = running.wait_with_output().unwrap();
    assert_code(&output, 130);
    assert!(stderr(&output).contains("to go on: cosimo sweep --resume s\n"), "{}", stderr(&output));
    let rows = table(&scratch, "s").lines().count();
    assert!(rows > 1 && rows < 201, "{rows}");
    // From another directory: the model file is found all the same.
    let (other, place) = (Scratch::new(""), scratch.path("s"));
    fs::remove_file(scratch.path("masses.toml")).unwrap();
    assert_code(&other.cosimo(&["sweep", "--resume", place.to_str().unwrap()]), 0);
    assert_eq!(table(&scratch, "s").lines().count(), 201);
}

#[test]
fn pandas_reads_the_table() {
    let scratch = Scratch::new(MODEL);
    let set = ["--set", "subsystem.lower.mass=1,2,-1", "--output", "lower.z:max", "--out", "s"];
    assert_code(&scratch.cosimo(&[&["sweep", "masses.toml"], &set[..]].concat()), 1);
    let script = "import pandas\na = pandas.read_parquet('s/sweep.parquet')\nb = pandas.read_csv('s/sweep.csv')\n\
                  assert list(a.columns) == list(b.columns), a.columns\n\
                  assert a['lower.z:max'].isna().tolist() == [False, False, True]\n\
                  assert a['steps'].dtype.kind == 'i' and a['steps'].tolist() == b['steps'].tolist()\n\
                  assert (a['lower.z:max'].dropna() == b['lower.z:max'].dropna()).all()\n\
                  assert a.attrs['units']['lower.z:max'] == 'm', a.attrs\n";
    if super::examples::python_has("pandas, pyarrow") {
        let mut python = Command::new("python3");
        assert_code(&python.current_dir(scratch.path(".")).args(["-c", script]).output().unwrap(), 0);
    }
}
