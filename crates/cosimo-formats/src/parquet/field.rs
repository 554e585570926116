//! Columns of a table.

use cosimo_results::Column;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its unit; empty where it has none.
    pub unit: &'a str,
    /// What it has.
    pub content: Content<'a>,
}

/// What a column has.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// Whole numbers.
    Counts(&'a [i64]),
    /// Texts.
    Texts(&'a [&'a str]),
}

impl<'a> Field<'a> {
    pub(super) fn quantity(column: &'a Column) -> Self {
        Self { name: &column.name, unit: &column.unit, content: Content::Numbers(&column.values) }
    }
}
