//! One table of all runs.

use crate::study::{Row, Study};
use crate::values::number_of;

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnRole {
    /// The number of the run, counted from one.
    Run,
    /// A value that was set.
    Input,
    /// A number that was asked for.
    Output,
    /// How the run ended: status and reason.
    Outcome,
    /// What the run took.
    Cost,
}

/// The values of a column, one per run.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValues {
    /// Numbers; none where there is no value.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Counts(Vec<u64>),
    /// Texts.
    Texts(Vec<String>),
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SweepColumn {
    /// Its name.
    pub name: String,
    /// Its unit; empty for numbers without one, for texts and for inputs, whose units the model file has.
    pub unit: String,
    /// What it is.
    pub role: ColumnRole,
    /// Its values.
    pub values: ColumnValues,
}

/// The rows of a study in the order of its cases: the same numbers whenever and by however many threads they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepTable {
    columns: Vec<SweepColumn>,
    failures: Vec<(usize, String)>,
    rows: usize,
}

impl SweepTable {
    /// The table of these rows, in any order.
    #[must_use]
    pub fn new(study: &Study, rows: &[Row]) -> Self {
        let mut rows: Vec<&Row> = rows.iter().collect();
        rows.sort_by_key(|row| row.run);
        let column = |name: &str, unit: &str, role, values| SweepColumn {
            name: name.to_owned(),
            unit: unit.to_owned(),
            role,
            values,
        };
        let counts = |get: fn(&Row) -> u64| ColumnValues::Counts(rows.iter().map(|row| get(row)).collect());
        let texts = |get: fn(&Row) -> String| ColumnValues::Texts(rows.iter().map(|row| get(row)).collect());
        let mut columns = vec![column("run", "", ColumnRole::Run, counts(|row| row.run as u64 + 1))];
        columns.extend(inputs(study, &rows));
        for (place, output) in study.outputs().iter().enumerate() {
            let numbers = rows.iter().map(|row| row.outputs[place]).collect();
            let name = output.name();
            columns.push(column(&name, output.unit(), ColumnRole::Output, ColumnValues::Numbers(numbers)));
        }
        let ends = ColumnValues::Numbers(rows.iter().map(|row| row.costs.end_time).collect());
        columns.extend([
            column("status", "", ColumnRole::Outcome, texts(|row| row.status.name().to_owned())),
            column("reason", "", ColumnRole::Outcome, texts(|row| row.reason.clone())),
            column("end_time", "s", ColumnRole::Cost, ends),
            column("steps", "", ColumnRole::Cost, counts(|row| row.costs.steps)),
            column("iterations", "", ColumnRole::Cost, counts(|row| row.costs.iterations)),
            column("impacts", "", ColumnRole::Cost, counts(|row| row.costs.impacts)),
            column("warnings", "", ColumnRole::Cost, counts(|row| row.costs.warnings)),
        ]);
        let failed = rows.iter().filter(|row| !row.reason.is_empty());
        let failures = failed.map(|row| (row.run, row.reason.clone())).collect();
        Self { columns, failures, rows: rows.len() }
    }

    /// The columns: run, inputs, outputs, outcome, costs.
    #[must_use]
    pub fn columns(&self) -> &[SweepColumn] {
        &self.columns
    }

    /// How many runs are done.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Numbers of the runs, counted from zero, that did not come to their end, with their reasons.
    #[must_use]
    pub fn failures(&self) -> &[(usize, String)] {
        &self.failures
    }

    /// The table as the content of a CSV file; what is no number is empty.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|own| quoted(&own.name)).collect();
        let mut text = names.join(",") + "\n";
        for row in 0..self.rows {
            for (place, column) in self.columns.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                match &column.values {
                    ColumnValues::Numbers(numbers) if numbers[row].is_nan() => {}
                    ColumnValues::Numbers(numbers) => text += &format!("{:?}", numbers[row]),
                    ColumnValues::Counts(counts) => text += &counts[row].to_string(),
                    ColumnValues::Texts(texts) => text += &quoted(&texts[row]),
                }
            }
            text.push('\n');
        }
        text
    }
}

/// Columns of the values that were set: numbers where all of them are.
fn inputs(study: &Study, rows: &[&Row]) -> Vec<SweepColumn> {
    let cases = study.cases();
    let keys: Vec<&str> = cases.keys().collect();
    let mut texts: Vec<Vec<String>> = vec![Vec::with_capacity(rows.len()); keys.len()];
    for row in rows {
        for (column, value) in texts.iter_mut().zip(cases.values(row.run)) {
            column.push(value.unwrap_or_default());
        }
    }
    let column = |(key, texts): (&str, Vec<String>)| {
        let number = |text: &String| if text.is_empty() { Some(f64::NAN) } else { number_of(text) };
        let values = match texts.iter().map(number).collect::<Option<Vec<f64>>>() {
            Some(numbers) => ColumnValues::Numbers(numbers),
            None => ColumnValues::Texts(texts),
        };
        SweepColumn { name: key.to_owned(), unit: String::new(), role: ColumnRole::Input, values }
    };
    keys.into_iter().zip(texts).map(column).collect()
}

/// A field of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
