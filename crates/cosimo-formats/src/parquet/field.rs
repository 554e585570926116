//! Columns of a file.

use std::sync::Arc;

use cosimo_results::Column;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::Type;

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

    pub(super) fn rows(&self) -> usize {
        match self.content {
            Content::Numbers(numbers) => numbers.len(),
            Content::Texts(texts) => texts.len(),
        }
    }

    pub(super) fn to_type(&self) -> Result<Arc<Type>, ParquetError> {
        let (physical, logical) = match self.content {
            Content::Numbers(_) => (Physical::DOUBLE, None),
            Content::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(self.name, physical).with_logical_type(logical);
        field.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    }
}
