//! Directories that are gone on with.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BALL, list, rows, study, table};
use cosimo_results::Overwrite;
use cosimo_sweep::{Axis, Cases, DirectoryError, Runner, Source, Study, SweepDirectory, SweepTable};

fn bounces() -> Study {
    study(BALL, vec![list("subsystem.ball.plane.floor.restitution", "0:1:0.1")], &["ball.z:mean"]).unwrap()
}

/// Whatever is left of the journal, the rows in it are right and the others are done again.
#[test]
fn a_journal_may_be_torn_at_any_byte() {
    let scratch = tempfile::tempdir().unwrap();
    let (path, study) = (scratch.path().join("sweep"), bounces());
    let mut directory = SweepDirectory::create(&path, &[], Overwrite::Refuse, &study).unwrap();
    let expected = table(&study, 1).to_csv();
    for row in rows(&study, 1).into_iter().take(3) {
        directory.keep(row).unwrap();
    }
    drop(directory);
    let journal = path.join("rows.journal");
    let whole = fs::read(&journal).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
    for length in 0..=whole.len() {
        fs::write(&journal, &whole[..length]).unwrap();
        let (directory, read) = SweepDirectory::open(&path).unwrap();
        assert_eq!(read, study);
        assert_eq!(directory.rows().len(), ends.iter().filter(|end| **end < length).count());
        drop(directory);
        assert!(fs::metadata(&journal).unwrap().len() <= length as u64);
    }
    // A byte that is another one makes its line none, and those behind it.
    for at in (0..whole.len()).step_by(7) {
        let mut other = whole.clone();
        other[at] ^= 1;
        fs::write(&journal, &other).unwrap();
        let (mut directory, study) = SweepDirectory::open(&path).unwrap();
        assert_eq!(directory.rows().len(), ends.iter().filter(|end| **end < at).count(), "{at}");
        if at % 35 == 0 {
            go_on(&mut directory, &study);
            assert_eq!(SweepTable::new(&study, directory.rows()).to_csv(), expected);
        }
    }
}

fn go_on(directory: &mut SweepDirectory, study: &Study) {
    let done: BTreeSet<usize> = directory.rows().iter().map(|row| row.run).collect();
    let runner = Runner { threads: NonZeroUsize::new(2).unwrap(), server: None, stop: &|| false };
    study.run(&runner, &done, |row| directory.keep(row)).unwrap();
}

#[test]
fn a_stopped_sweep_keeps_what_is_done_and_no_run_twice() {
    let (study, done) = (bounces(), AtomicUsize::new(0));
    let stop = || done.load(Ordering::Relaxed) >= 4;
    let runner = Runner { threads: NonZeroUsize::MIN, server: None, stop: &stop };
    let mut found = Vec::new();
    let ran = study.run(&runner, &BTreeSet::from([1, 2]), |row| {
        done.fetch_add(1, Ordering::Relaxed);
        found.push(row.run);
        Ok::<(), Infallible>(())
    });
    ran.unwrap();
    assert!(found.len() >= 4 && found.len() < 9 && found.starts_with(&[0, 3, 4, 5]), "{found:?}");
}

#[test]
fn directories_are_not_replaced_unasked_and_not_shared() {
    let scratch = tempfile::tempdir().unwrap();
    let (path, study) = (scratch.path().join("sweep"), bounces());
    let create =
        |inputs: &[std::path::PathBuf], overwrite| SweepDirectory::create(&path, inputs, overwrite, &study);
    let first = create(&[], Overwrite::Refuse).unwrap();
    assert!(SweepDirectory::open(&path).unwrap_err().to_string().contains("another run is writing into"));
    drop(first);
    assert!(create(&[], Overwrite::Refuse).unwrap_err().to_string().contains("study.json` exists"));
    let own = path.join("sweep.csv");
    fs::write(&own, "a\n1\n").unwrap();
    assert!(create(&[own], Overwrite::Force).unwrap_err().to_string().contains("is an input of this run"));
    drop(create(&[], Overwrite::Force).unwrap());
    let text = fs::read_to_string(path.join("study.json")).unwrap();
    fs::write(path.join("study.json"), text.replacen("\"cosimo_version\":\"", "\"cosimo_version\":\"9.", 1))
        .unwrap();
    assert!(SweepDirectory::open(&path).unwrap_err().to_string().contains("it is of version 9."));
    assert!(SweepDirectory::open(scratch.path()).unwrap_err().to_string().contains("it has no study.json"));
}

/// A wagon by a file of its own, a mass that a file includes, a load from a table.
const PARTS: [(&str, &str); 4] = [
    ("mass.toml", "[parameters]\nm = 2.0\n"),
    ("load.csv", "t,f\n0,1\n1,1\n"),
    ("wagon.toml", "schema = 1\ninclude = \"inner.toml\"\ntime = { end = 1.0, step = 1e-2 }\n"),
    ("inner.toml", "[[subsystem]]\nname = \"box\"\nkind = \"node\"\nmass = 1.0\ngravity = [0, 0, -10]\n"),
];
const TRAIN: &str = r#"
schema = 1
include = "mass.toml"
time = { end = 0.1, step = 1e-2 }
[[subsystem]]
name = "stone"
kind = "node"
mass = "= m"
[[subsystem.load]]
direction = [0, 0, 1]
time = { csv = "load.csv", column = "t" }
value = { csv = "load.csv", column = "f" }
[[subsystem]]
name = "wagon"
kind = "model"
file = "wagon.toml"
"#;

fn train(folder: &std::path::Path, axis: Axis) -> Study {
    for (name, text) in PARTS {
        fs::write(folder.join(name), text).unwrap();
        fs::write(folder.join(format!("other-{name}")), text).unwrap();
    }
    let source = Source::new(folder.join("train.toml").display().to_string(), TRAIN, &[]);
    let outputs = ["stone.z".parse().unwrap(), "wagon.box.z".parse().unwrap()];
    Study::new(source, Cases::new(vec![axis]).unwrap(), &outputs, None).unwrap()
}

/// What is included is part of the sweep; what is named must be as it was.
#[test]
fn a_sweep_goes_on_with_the_files_that_it_began_with() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("sweep");
    let study = train(scratch.path(), list("time.end", "0.1,0.2,0.3"));
    let expected = table(&study, 1).to_csv();
    drop(SweepDirectory::create(&path, &[], Overwrite::Refuse, &study).unwrap());
    fs::write(scratch.path().join("mass.toml"), "[parameters]\nm = 20.0\n").unwrap();
    fs::write(scratch.path().join("load.csv"), "t,f\n0,7\n1,7\n").unwrap();
    let (mut directory, study) = SweepDirectory::open(&path).unwrap();
    go_on(&mut directory, &study);
    assert_eq!(SweepTable::new(&study, directory.rows()).to_csv(), expected);
    drop(directory);
    for (name, _) in &PARTS[2..] {
        let file = scratch.path().join(name);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}# other\n")).unwrap();
        let error = SweepDirectory::open(&path).unwrap_err();
        assert!(matches!(&error, DirectoryError::Changed { file: found, .. } if *found == file), "{error}");
        fs::remove_file(&file).unwrap();
        assert!(matches!(SweepDirectory::open(&path).unwrap_err(), DirectoryError::Changed { .. }));
        fs::write(&file, text).unwrap();
        drop(SweepDirectory::open(&path).unwrap());
    }
}

/// Files that only some runs name are of the sweep, too.
#[test]
fn files_that_are_varied_must_be_as_they_were() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("sweep");
    let study = train(scratch.path(), list("subsystem.wagon.file", "wagon.toml,other-wagon.toml"));
    drop(SweepDirectory::create(&path, &[], Overwrite::Refuse, &study).unwrap());
    drop(SweepDirectory::open(&path).unwrap());
    fs::write(scratch.path().join("other-wagon.toml"), PARTS[2].1.replace("1.0", "2.0")).unwrap();
    let error = SweepDirectory::open(&path).unwrap_err().to_string();
    assert!(error.contains("other-wagon.toml` is not as it was"), "{error}");
}

#[test]
fn a_study_that_cannot_be_read_is_not_taken_for_none() {
    let scratch = tempfile::tempdir().unwrap();
    fs::create_dir(scratch.path().join("study.json")).unwrap();
    let error = SweepDirectory::open(scratch.path()).unwrap_err();
    assert!(matches!(error, DirectoryError::Results(_)), "{error}");
}
