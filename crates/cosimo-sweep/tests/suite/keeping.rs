//! Directories that are gone on with.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BALL, list, rows, study, table};
use cosimo_results::Overwrite;
use cosimo_sweep::{Runner, Study, SweepDirectory, SweepTable};

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
