//! Sweeps from outside.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod failures;
mod keeping;
mod running;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::num::NonZeroUsize;

use cosimo_sweep::{
    Axis, Cases, ColumnValues, Row, Runner, Source, Study, StudyError, SweepTable, Values, Wanted,
};

/// A mass of 2 kg on a spring, let go 0.1 m from its rest, for ten seconds.
const OSCILLATOR: &str = r#"
schema = 1
title = "Mass on a spring"
time = { end = 10.0, step = 1e-3 }
[[subsystem]]
name = "mass"
kind = "linear"
solver = "theta"
coordinates = ["x"]
mass = [2.0]
stiffness = [50.0]
position = 0.1
"#;

/// A ball that falls on a floor.
const BALL: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "ball"
kind = "node"
mass = 2.0
gravity = [0, 0, -10]
position = [0, 0, 0.45]
[[subsystem.plane]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
restitution = 0.5
"#;

fn list(key: &str, values: &str) -> Axis {
    match Values::parse(values).unwrap() {
        Values::List(values) => Axis::list(key, values),
        Values::Random(distribution) => Axis::random(1, 20, vec![(key.to_owned(), distribution)]).unwrap(),
    }
}

fn study(text: &str, axes: Vec<Axis>, outputs: &[&str]) -> Result<Study, StudyError> {
    let wanted: Vec<Wanted> = outputs.iter().map(|own| own.parse().unwrap()).collect();
    Study::new(Source::new("model.toml", text, &[]), Cases::new(axes)?, &wanted, None)
}

fn rows(study: &Study, threads: usize) -> Vec<Row> {
    let runner = Runner { threads: NonZeroUsize::new(threads).unwrap(), server: None, stop: &|| false };
    let mut rows = Vec::new();
    let done = study.run(&runner, &BTreeSet::new(), |row| {
        rows.push(row);
        Ok::<(), Infallible>(())
    });
    done.unwrap();
    rows
}

fn table(study: &Study, threads: usize) -> SweepTable {
    SweepTable::new(study, &rows(study, threads))
}

fn numbers(table: &SweepTable, name: &str) -> Vec<f64> {
    let column = table.columns().iter().find(|own| own.name == name).unwrap();
    match &column.values {
        ColumnValues::Numbers(numbers) => numbers.clone(),
        ColumnValues::Counts(counts) => counts.iter().map(|count| *count as f64).collect(),
        ColumnValues::Texts(texts) => texts.iter().map(|text| text.parse().unwrap()).collect(),
    }
}
