//! Apache Parquet: one column a quantity, units in the metadata of columns and file.

mod arrow_schema;
mod events;
mod field;
mod metadata;
mod table;

use std::path::Path;

use cosimo_results::Results;

use crate::FormatError;
use field::Field;

/// Writes `results.parquet` and `events.parquet` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let quantities: Vec<Field<'_>> = results.table.columns.iter().map(Field::quantity).collect();
    table::write(&folder.join("results.parquet"), &quantities, results)?;
    events::write(&folder.join("events.parquet"), results)
}
