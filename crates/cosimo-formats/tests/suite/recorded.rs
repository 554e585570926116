//! Results of runs that are hard to write down.

use std::path::Path;

use cosimo_master::{ContactEvent, ContactEventKind, FrictionState, Observer, QuantityLabel, StepRecord};
use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, Results};
use tempfile::TempDir;

/// Owner, name and unit of the quantities.
const QUANTITIES: [(&str, &str, &str); 7] = [
    ("ball", "z", "m"),
    ("ball", "floor.gap", "m"),
    ("ball", "floor", "N"),
    ("Läufer, \"schräg\"", "φ̇", "rad/s"),
    ("转子", "力", "N m"),
    ("constant", "zero", ""),
    ("a_name_that_is_much_longer_than_all_the_others", "temperature <&> density", "µm"),
];

/// Numbers that formats like to lose.
const AWKWARD: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -0.0,
    0.0,
    5e-324,
    -2.2e-308,
    f64::MAX,
    f64::MIN_POSITIVE,
    1.0 / 3.0,
    -1e23,
    9_007_199_254_740_993.0,
];

/// A run of so many rows in a directory of its own.
pub(crate) fn run(rows: u64) -> (TempDir, Results) {
    let scratch = tempfile::Builder::new().prefix("Ergebnisse für 100% ").tempdir().unwrap();
    record(scratch.path(), rows);
    let results = Results::open(scratch.path()).unwrap();
    assert_eq!(results.table.rows() as u64, rows);
    (scratch, results)
}

fn record(path: &Path, rows: u64) {
    let directory = ResultDirectory::create(path, Overwrite::Refuse).unwrap();
    let config = RecordConfig { title: Some("Kugel & <Läufer>".into()), ..RecordConfig::default() };
    let mut recorder = Recorder::create(directory, config).unwrap();
    let label = |(owner, name, unit): (&str, &str, &str)| QuantityLabel {
        owner: owner.into(),
        name: name.into(),
        unit: unit.into(),
    };
    recorder.start(&QUANTITIES.map(label), (-0.5, 1.0));
    for step in 0..rows {
        let time = step as f64 / 3.0 - 0.5;
        let number = |column: usize| AWKWARD[(step as usize * (column + 1) + column) % AWKWARD.len()];
        let mut values: [f64; 7] = std::array::from_fn(number);
        values[5] = 0.0;
        let record = StepRecord { step, time, values: &values, is_last: step + 1 == rows };
        assert!(recorder.step(&record).is_continue());
        recorder.event(&ContactEvent {
            time,
            kind: if step % 2 == 0 { ContactEventKind::Impact } else { ContactEventKind::Slip },
            subsystem: "ball",
            contact: "Böden, \"nass\"",
            velocity_before: number(1),
            velocity_after: number(2),
            impulse: number(3),
            tangential_impulse: [number(4), number(5)],
            friction: if step % 3 == 0 { FrictionState::None } else { FrictionState::Slip },
            work: number(6),
        });
    }
    recorder.into_result().unwrap();
}

/// A run that was ended before its first step.
pub(crate) fn nothing() -> (TempDir, Results) {
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    Recorder::create(directory, RecordConfig::default()).unwrap().into_result().unwrap();
    let results = Results::open(scratch.path()).unwrap();
    (scratch, results)
}
