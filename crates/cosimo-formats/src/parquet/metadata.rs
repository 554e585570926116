//! Metadata of a file.

use cosimo_results::Results;
use parquet::file::metadata::KeyValue;
use serde_json::{Map, Value, json};

use super::arrow_schema;
use super::field::Field;

/// What the file tells besides its columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) title: &'a str,
    pub(super) outcome: &'a str,
    pub(super) version: &'a str,
}

impl<'a> About<'a> {
    /// What is told of a run.
    pub(super) fn run(results: &'a Results) -> Self {
        let version = results.summary.get("cosimo_version").and_then(Value::as_str).unwrap_or_default();
        Self { title: results.title().unwrap_or_default(), outcome: results.outcome(), version }
    }

    /// The units as a JSON object, title and outcome, for pandas as `attrs`, and the schema with the units of columns for readers of Arrow.
    pub(super) fn metadata(self, fields: &[Field<'_>]) -> Vec<KeyValue> {
        let units: Map<String, Value> =
            fields.iter().map(|field| (field.name.to_owned(), json!(field.unit))).collect();
        let units = Value::Object(units);
        let Self { title, outcome, version } = self;
        let attributes = json!({ "units": units, "title": title, "outcome": outcome });
        let mut pairs = [
            ("units", units.to_string()),
            ("title", title.to_owned()),
            ("outcome", outcome.to_owned()),
            ("cosimo_version", version.to_owned()),
            ("PANDAS_ATTRS", attributes.to_string()),
        ]
        .to_vec();
        // Readers of Arrow see what its schema has, and no more.
        pairs.push(("ARROW:schema", arrow_schema::encoded(fields, &pairs)));
        let pair = |(key, value): (&str, String)| KeyValue { key: key.to_owned(), value: Some(value) };
        pairs.into_iter().map(pair).collect()
    }
}
