//! Quantities over time.

use std::path::Path;

use serde_json::Value;

use super::ReadError;
use super::rows::{Row, Rows};

/// A quantity over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Full name, `subsystem.quantity`; `t` is the time.
    pub name: String,
    /// Unit; empty for a number, and where an unfinished run does not tell.
    pub unit: String,
    /// The values, one per row, as they were recorded, bit for bit; what was not a number is NaN.
    pub values: Vec<f64>,
}

/// The content of `results.csv`, with units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The columns, equally long. The first is the time; there is none where a run was ended before its first step.
    pub columns: Vec<Column>,
}

impl Table {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The times of the rows (s).
    #[must_use]
    pub fn times(&self) -> &[f64] {
        self.columns.first().map_or(&[], |column| &column.values)
    }

    /// The columns without the time.
    #[must_use]
    pub fn quantities(&self) -> &[Column] {
        self.columns.get(1..).unwrap_or_default()
    }

    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Reads a table; the units are in the summary.
    pub(super) fn read(path: &Path, summary: &Value) -> Result<Self, ReadError> {
        let mut rows = Rows::open(path)?;
        let Some(header) = rows.next()? else { return Ok(Self::default()) };
        let mut columns = columns(&header, summary)?;
        while let Some(row) = rows.next()? {
            for (index, column) in columns.iter_mut().enumerate() {
                column.values.push(row.number(index)?);
            }
        }
        Ok(Self { columns })
    }
}

/// The columns of a header without rows.
fn columns(header: &Row<'_>, summary: &Value) -> Result<Vec<Column>, ReadError> {
    let entries = summary.get("quantities").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let empty = |name: &str, unit: &str| Column { name: name.into(), unit: unit.into(), values: Vec::new() };
    if header.text(0) != "t" {
        return Err(header.wrong(format!("the first column is `{}` in place of `t`", header.text(0))));
    }
    let mut columns = vec![empty("t", "s")];
    for (index, name) in header.texts().skip(1).enumerate() {
        let unit = match entries.get(index) {
            // A run that was ended before its first step does not tell.
            None if entries.is_empty() => "",
            Some(entry) if entry["name"] == name => entry["unit"].as_str().unwrap_or_default(),
            _ => return Err(header.wrong(format!("`{name}` is not what summary.json has in its place"))),
        };
        columns.push(empty(name, unit));
    }
    Ok(columns)
}
