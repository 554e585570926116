//! Rows of a table that a run has written.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};

use super::ReadError;

/// The rows of a table that are complete.
pub(super) struct Rows {
    path: PathBuf,
    reader: Reader<BufReader<Take<File>>>,
    row: StringRecord,
}

impl Rows {
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let opened = File::open(path).and_then(|mut file| {
            let length = complete_length(&mut file)?;
            file.rewind()?;
            Ok(file.take(length))
        });
        let file = opened.map_err(|source| ReadError::unreadable(path, source))?;
        let reader =
            ReaderBuilder::new().has_headers(false).from_reader(BufReader::with_capacity(1 << 16, file));
        Ok(Self { path: path.to_owned(), reader, row: StringRecord::new() })
    }

    /// The next row, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        match self.reader.read_record(&mut self.row) {
            Ok(true) => Ok(Some(Row { path: &self.path, fields: &self.row })),
            Ok(false) => Ok(None),
            Err(error) => Err(self.error(error)),
        }
    }

    fn error(&self, error: csv::Error) -> ReadError {
        let line = error.position().map_or(1, csv::Position::line);
        match error.into_kind() {
            ErrorKind::Io(source) => ReadError::unreadable(&self.path, source),
            ErrorKind::UnequalLengths { expected_len, len, .. } => {
                ReadError::wrong(&self.path, line, format!("{len} fields in place of {expected_len}"))
            }
            ErrorKind::Utf8 { .. } => ReadError::wrong(&self.path, line, "no text in UTF-8"),
            kind => ReadError::wrong(&self.path, line, format!("{kind:?}")),
        }
    }
}

/// One row.
pub(super) struct Row<'a> {
    path: &'a Path,
    fields: &'a StringRecord,
}

impl<'a> Row<'a> {
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.fields.iter()
    }

    pub(super) fn text(&self, index: usize) -> &'a str {
        self.fields.get(index).unwrap_or_default()
    }

    /// The number in a field.
    pub(super) fn number(&self, index: usize) -> Result<f64, ReadError> {
        let text = self.text(index);
        f64::from_str(text).map_err(|_| self.wrong(format!("`{text}` is no number")))
    }

    pub(super) fn wrong(&self, mistake: String) -> ReadError {
        ReadError::wrong(self.path, self.fields.position().map_or(1, csv::Position::line), mistake)
    }
}

/// Length of a file up to the end of its last complete line (bytes).
fn complete_length(file: &mut File) -> io::Result<u64> {
    const PIECE: u64 = 1 << 12;
    let mut end = file.seek(SeekFrom::End(0))?;
    while end > 0 {
        let start = end.saturating_sub(PIECE);
        let mut piece = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut piece)?;
        if let Some(at) = piece.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}
