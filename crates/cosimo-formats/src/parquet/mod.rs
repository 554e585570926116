//! Apache Parquet: one column a quantity, units in the metadata of columns and file.

mod arrow_schema;
mod events;
mod field;
mod metadata;
mod table;

use std::path::Path;

use cosimo_results::Results;

use crate::FormatError;

pub use field::{Content, Field};
use metadata::About;

/// Writes `results.parquet` and `events.parquet` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let quantities: Vec<field::Field<'_>> =
        results.table.columns.iter().map(field::Field::quantity).collect();
    table::write(&folder.join("results.parquet"), &quantities, &About::run(results))?;
    events::write(&folder.join("events.parquet"), results)
}

/// Writes columns of equal length as Parquet, with their units and a title in the metadata.
///
/// # Errors
/// [`FormatError::Write`] or [`FormatError::Encode`].
pub fn write_table(path: &Path, title: &str, fields: &[Field<'_>]) -> Result<(), FormatError> {
    let about = About { title, outcome: "", version: env!("CARGO_PKG_VERSION") };
    table::write(path, fields, &about)
}
