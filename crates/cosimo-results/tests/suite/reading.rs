//! Results are read back as they were recorded.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use cosimo_master::{ContactEvent, ContactEventKind, FrictionState, Observer, QuantityLabel, StepRecord};
use cosimo_results::{Overwrite, ReadError, RecordConfig, Recorder, ResultDirectory, Results};

const NAMES: [(&str, &str, &str); 3] =
    [("ball", "z", "m"), ("größe, \"a\"", "x\ny", "N m"), ("n", "count", "")];

fn values(step: u64) -> [f64; 3] {
    let awkward = [
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
        [-0.0, 0.0, 5e-324],
        [-2.2e-308, f64::MAX, f64::MIN_POSITIVE],
        [0.1 + 0.2, -1.0 / 3.0, 1e23],
    ];
    awkward[step as usize % 4]
}

/// A run of some rows, with an impact in between, that has not ended.
fn record(path: &Path, rows: u64) {
    let directory = ResultDirectory::create(path, Overwrite::Refuse).unwrap();
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    let label = |(owner, name, unit): (&str, &str, &str)| QuantityLabel {
        owner: owner.into(),
        name: name.into(),
        unit: unit.into(),
    };
    recorder.start(&NAMES.map(label), (0.0, 1.0));
    for step in 0..rows {
        let record = StepRecord { step, time: step as f64 / 3.0, values: &values(step), is_last: false };
        assert!(recorder.step(&record).is_continue());
        recorder.event(&ContactEvent {
            time: step as f64 / 3.0,
            kind: ContactEventKind::Impact,
            subsystem: "ball",
            contact: "floor, \"wet\"",
            velocity_before: -2.0 / 3.0,
            velocity_after: f64::NAN,
            impulse: 1.1,
            tangential_impulse: [-0.25, -0.0],
            friction: FrictionState::Slip,
            work: -0.5,
        });
    }
    recorder.into_result().unwrap();
}

#[test]
fn an_unfinished_run_is_read_back_bit_for_bit_with_its_units() {
    for rows in [0, 1, 9] {
        let scratch = tempfile::tempdir().unwrap();
        record(scratch.path(), rows);
        let results = Results::open(scratch.path()).unwrap();
        assert_eq!((results.outcome(), results.title()), ("unfinished", None));
        let table = &results.table;
        assert_eq!(table.rows(), rows as usize);
        assert_eq!(table.columns.len(), 4);
        assert_eq!((table.columns[0].name.as_str(), table.columns[0].unit.as_str()), ("t", "s"));
        for (index, (column, (owner, name, unit))) in table.quantities().iter().zip(NAMES).enumerate() {
            assert_eq!((column.name.clone(), column.unit.as_str()), (format!("{owner}.{name}"), unit));
            for (step, value) in column.values.iter().enumerate() {
                assert_eq!(value.to_bits(), values(step as u64)[index].to_bits());
            }
        }
        assert_eq!(results.events.len(), rows as usize);
        if let Some(event) = results.events.last() {
            assert_eq!((event.kind, event.friction), (ContactEventKind::Impact, FrictionState::Slip));
            assert_eq!(event.contact, "ball.floor, \"wet\"");
            assert_eq!((event.velocity_before, event.work), (-2.0 / 3.0, -0.5));
            assert!(event.velocity_after.is_nan() && event.tangential_impulse[1].is_sign_negative());
        }
    }
}

#[test]
fn a_row_that_was_being_written_is_left_out() {
    let scratch = tempfile::tempdir().unwrap();
    record(scratch.path(), 3);
    let path = scratch.path().join("results.csv");
    let text = fs::read_to_string(&path).unwrap();
    for cut in 1..60 {
        fs::write(&path, &text[..text.len() - cut]).unwrap();
        assert_eq!(Results::open(scratch.path()).unwrap().table.rows(), 2, "{cut}");
    }
    fs::write(&path, "").unwrap();
    assert!(Results::open(scratch.path()).unwrap().table.columns.is_empty());
}

#[test]
fn mistakes_are_named_with_file_and_line() {
    let scratch = tempfile::tempdir().unwrap();
    let error = |path: &Path| Results::open(path).unwrap_err().to_string();
    assert!(matches!(Results::open(scratch.path()), Err(ReadError::NoRun { .. })));
    record(scratch.path(), 3);
    let good = |name: &str| fs::read_to_string(scratch.path().join(name)).unwrap();
    let files = ["results.csv", "events.csv", "summary.json"].map(|name| (name, good(name)));
    // The second name has a line break in it, so that the first row is on line 3.
    let cases = [
        (0, "0.3333333333333333", "x", "results.csv`, line 4: `x` is no number"),
        (0, "0.3333333333333333,", "", "results.csv`, line 4: 3 fields in place of 4"),
        (0, "t,", "time,", "results.csv`, line 1: the first column is `time` in place of `t`"),
        (0, "ball.z", "ball.y", "results.csv`, line 1: `ball.y` is not what summary.json has in its place"),
        (1, "impact", "bang", "events.csv`, line 2: no event is called `bang`"),
        (1, "slip", "glide", "events.csv`, line 2: no state of friction is called `glide`"),
        (1, "impulse", "push", "events.csv`, line 1: these are not the columns of events"),
        (2, "\"title\":", "title:", "summary.json`, line 2: "),
    ];
    for (file, from, to, expected) in cases {
        let (name, text) = &files[file];
        assert!(text.contains(from), "{from}");
        fs::write(scratch.path().join(name), text.replacen(from, to, 1)).unwrap();
        assert!(error(scratch.path()).contains(expected), "{expected}: {}", error(scratch.path()));
        fs::write(scratch.path().join(name), text).unwrap();
    }
}
