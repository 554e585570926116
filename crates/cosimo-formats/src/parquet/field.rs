//! Columns of a table.

use cosimo_results::Column;

/// A column.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) unit: &'a str,
    pub(super) content: Content<'a>,
}

/// What a column has.
pub(super) enum Content<'a> {
    Numbers(&'a [f64]),
    Texts(&'a [&'a str]),
}

impl<'a> Field<'a> {
    pub(super) fn quantity(column: &'a Column) -> Self {
        Self { name: &column.name, unit: &column.unit, content: Content::Numbers(&column.values) }
    }
}
