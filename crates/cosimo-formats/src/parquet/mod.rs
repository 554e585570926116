//! Apache Parquet: one column a quantity, units in the metadata of columns and file.

mod arrow_schema;
mod events;
mod field;
mod metadata;
mod table;

use std::path::Path;

use cosimo_results::Results;

use crate::FormatError;

/// Writes `results.parquet` and `events.parquet` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let quantities: Vec<field::Field<'_>> =
        results.table.columns.iter().map(field::Field::quantity).collect();
    table::write(&folder.join("results.parquet"), &quantities, results)?;
    events::write(&folder.join("events.parquet"), results)
}
