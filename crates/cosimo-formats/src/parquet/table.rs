//! A table of columns in a file.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::field::{Content, Field};
use super::metadata::About;
use crate::{Format, FormatError};

/// Rows that are read at once.
const GROUP: usize = 1 << 20;

impl Field<'_> {
    fn rows(&self) -> usize {
        match self.content {
            Content::Numbers(numbers) => numbers.len(),
            Content::Counts(counts) => counts.len(),
            Content::Texts(texts) => texts.len(),
        }
    }

    fn schema(&self) -> Result<Arc<Type>, ParquetError> {
        let (physical, logical) = match self.content {
            Content::Numbers(_) => (Physical::DOUBLE, None),
            Content::Counts(_) => (Physical::INT64, None),
            Content::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(self.name, physical).with_logical_type(logical);
        field.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    }

    fn write(
        &self,
        group: &mut SerializedRowGroupWriter<'_, BufWriter<File>>,
        rows: Rows,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else { return Ok(()) };
        match self.content {
            Content::Numbers(numbers) => {
                column.typed::<DoubleType>().write_batch(&numbers[rows], None, None)?;
            }
            Content::Counts(counts) => {
                column.typed::<Int64Type>().write_batch(&counts[rows], None, None)?;
            }
            Content::Texts(texts) => {
                let texts: Vec<ByteArray> = texts[rows].iter().map(|text| ByteArray::from(*text)).collect();
                column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
            }
        }
        column.close()
    }
}

type Rows = std::ops::Range<usize>;

/// Writes columns of equal length.
pub(super) fn write(path: &Path, fields: &[Field<'_>], about: &About<'_>) -> Result<(), FormatError> {
    let file = File::create(path).map_err(FormatError::write(path))?;
    write_to(BufWriter::new(file), fields, about).map_err(FormatError::encode(Format::Parquet))
}

fn write_to(file: BufWriter<File>, fields: &[Field<'_>], about: &About<'_>) -> Result<(), ParquetError> {
    let types = fields.iter().map(Field::schema).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(types).build()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        // A dictionary takes numbers for equal that differ in their bits.
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("cosimo {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(about.metadata(fields)))
        .build();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let rows = fields.first().map_or(0, Field::rows);
    for start in (0..rows).step_by(GROUP) {
        let mut group = writer.next_row_group()?;
        for field in fields {
            field.write(&mut group, start..rows.min(start + GROUP))?;
        }
        group.close()?;
    }
    let written = writer.into_inner()?;
    written.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    Ok(())
}
