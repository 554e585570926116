//! A table on the disk, written row by row.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::ResultsError;
use crate::number::push_number;

/// A table on the disk. Rows are buffered; dropping the file writes what is left.
#[derive(Debug)]
pub(crate) struct CsvFile {
    path: PathBuf,
    file: BufWriter<File>,
    row: Vec<u8>,
}

impl CsvFile {
    /// Creates the file, which must not exist.
    pub(crate) fn create(path: PathBuf) -> Result<Self, ResultsError> {
        match File::create_new(&path) {
            Ok(file) => Ok(Self { path, file: BufWriter::with_capacity(1 << 16, file), row: Vec::new() }),
            Err(source) => Err(ResultsError::Create { path, source }),
        }
    }

    /// Appends a field, quoted if it has to be.
    pub(crate) fn text(&mut self, field: &str) {
        self.separate();
        if field.contains([',', '"', '\n', '\r']) {
            self.row.push(b'"');
            self.row.extend_from_slice(field.replace('"', "\"\"").as_bytes());
            self.row.push(b'"');
        } else {
            self.row.extend_from_slice(field.as_bytes());
        }
    }

    /// Appends a number with 17 digits.
    pub(crate) fn number(&mut self, value: f64) {
        self.separate();
        push_number(value, &mut self.row);
    }

    /// Ends the row.
    pub(crate) fn end_row(&mut self) -> Result<(), ResultsError> {
        self.row.push(b'\n');
        let written = self.file.write_all(&self.row);
        self.row.clear();
        written.map_err(|source| self.error(source))
    }

    /// Hands all rows to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), ResultsError> {
        self.file.flush().map_err(|source| self.error(source))
    }

    fn separate(&mut self) {
        if !self.row.is_empty() {
            self.row.push(b',');
        }
    }

    fn error(&self, source: std::io::Error) -> ResultsError {
        ResultsError::Write { path: self.path.clone(), source }
    }
}
