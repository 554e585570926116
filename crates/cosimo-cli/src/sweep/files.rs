//! Table and figure.

use cosimo::sweep::{ColumnValues, DirectoryError, Study, SweepDirectory, SweepTable, TABLE_PARQUET, figure};
use cosimo_formats::{Content, Field, write_table};

use crate::failure::Failure;

/// Why there is no directory, with the argument that helps.
pub(super) fn refused(error: DirectoryError) -> Failure {
    match error {
        DirectoryError::Results(error) => Failure::refused(error),
        other => Failure::bad_input(other),
    }
}

/// Writes the table as CSV and Parquet, the figure, and the wall times.
pub(super) fn write(
    directory: &mut SweepDirectory,
    study: &Study,
    table: &SweepTable,
) -> Result<(), Failure> {
    let drawn = figure(study, table).map_err(Failure::failed)?;
    directory.write(&table.to_csv(), &drawn).map_err(Failure::failed)?;
    let contents: Vec<Owned<'_>> = table.columns().iter().map(|own| Owned::of(&own.values)).collect();
    let fields: Vec<Field<'_>> = table
        .columns()
        .iter()
        .zip(&contents)
        .map(|(own, content)| Field { name: &own.name, unit: &own.unit, content: content.shown() })
        .collect();
    write_table(&directory.path().join(TABLE_PARQUET), study.title(), &fields).map_err(Failure::failed)
}

/// The values of a column as the format takes them.
enum Owned<'a> {
    Numbers(&'a [f64]),
    Counts(Vec<i64>),
    Texts(Vec<&'a str>),
}

impl<'a> Owned<'a> {
    fn of(values: &'a ColumnValues) -> Self {
        match values {
            ColumnValues::Numbers(numbers) => Self::Numbers(numbers),
            ColumnValues::Counts(counts) => Self::Counts(counts.iter().map(|count| *count as i64).collect()),
            ColumnValues::Texts(texts) => Self::Texts(texts.iter().map(String::as_str).collect()),
        }
    }

    fn shown(&'a self) -> Content<'a> {
        match self {
            Self::Numbers(numbers) => Content::Numbers(numbers),
            Self::Counts(counts) => Content::Counts(counts),
            Self::Texts(texts) => Content::Texts(texts),
        }
    }
}
