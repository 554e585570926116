//! What is drawn, and disks that are full.

use std::fs;

use cosimo_master::{Observer, Outcome, QuantityLabel, StepRecord};

use super::curves::{first_moving, is_position};
use super::{RecordConfig, Recorder};
use crate::csv_file::CsvFile;
use crate::summary::empty_report;
use crate::{Overwrite, ResultDirectory, ResultsError};

#[test]
fn quantities_at_rest_give_way_to_those_that_move() {
    let ranges = [Some((0.0, 0.0)), Some((1.0, 1.0 + 1e-12)), Some((0.0, 1.0)), None, Some((0.0, 1e-3))];
    assert_eq!(first_moving(&ranges), [2, 4]);
    assert_eq!(first_moving(&ranges[..2]), [0, 1]);
    assert_eq!(first_moving(&[Some((0.0, 1.0)); 20]), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn residuals_are_no_positions() {
    let label =
        |name: &str, unit: &str| QuantityLabel { owner: "rod".into(), name: name.into(), unit: unit.into() };
    assert!(is_position(&label("x", "m")) && is_position(&label("rod.angle", "rad")));
    assert!(!is_position(&label("hinge.residual", "m")) && !is_position(&label("vx", "m/s")));
}

#[test]
fn a_disk_that_refuses_a_row_stops_the_run_and_is_named_in_the_summary() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path().join("out"), Overwrite::Refuse).unwrap();
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    let label = QuantityLabel { owner: "ball".into(), name: "z".into(), unit: "m".into() };
    recorder.start(&[label], (0.0, 1.0));
    recorder.results = CsvFile::unwritable(recorder.directory.results());

    let record = |step: u64| StepRecord { step, time: step as f64, values: &[1.0], is_last: false };
    let stopped_at = (0..100_000).find(|&step| recorder.step(&record(step)).is_break());
    assert!(stopped_at.is_some() && recorder.wants(1));
    assert!(
        matches!(recorder.error(), Some(ResultsError::Write { path, .. }) if path.ends_with("results.csv"))
    );

    for outcome in [Outcome::Stopped, Outcome::Completed] {
        recorder.finish(&empty_report(outcome));
        let summary = fs::read_to_string(recorder.directory.summary()).unwrap();
        assert!(summary.contains("\"failed\"") && summary.contains("cannot write to"), "{summary}");
    }
    assert!(recorder.into_result().is_err());
}

/// A disk that is full refuses new content, not that in the place of old.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_a_summary_with_the_reason_and_nothing_half_written() {
    use std::os::unix::fs::symlink;

    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path().join("out"), Overwrite::Refuse).unwrap();
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    let out = scratch.path().join("out");
    let unfinished: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(unfinished["outcome"], "unfinished");
    let label = |k: usize| QuantityLabel { owner: "ball".into(), name: format!("z{k}"), unit: "m".into() };
    recorder.start(&(0..200).map(label).collect::<Vec<_>>(), (0.0, 1.0));
    recorder.results = CsvFile::unwritable(recorder.directory.results());
    let record = |step: u64| StepRecord { step, time: step as f64, values: &[1.0; 200], is_last: false };
    assert!((0..100_000).any(|step| recorder.step(&record(step)).is_break()));
    // What is written to these ends with "no space left on device".
    for name in ["summary.json.part", "plot.svg"] {
        symlink("/dev/full", out.join(name)).unwrap();
    }
    recorder.finish(&empty_report(Outcome::Stopped));
    let text = fs::read_to_string(out.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["outcome"], "failed");
    assert!(summary["reason"].as_str().unwrap().contains("results.csv"), "{text}");
    assert!(!text.ends_with(' '));
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".cosimo-run", "events.csv", "results.csv", "summary.json"]);
    assert!(recorder.into_result().is_err());
}
