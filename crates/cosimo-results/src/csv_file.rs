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

    /// A file on which every write fails: it is open for reading.
    #[cfg(test)]
    pub(crate) fn unwritable(path: PathBuf) -> Self {
        let file = BufWriter::new(File::open(&path).unwrap());
        Self { path, file, row: Vec::new() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_separators_are_quoted() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("table.csv");
        let mut table = CsvFile::create(path.clone()).unwrap();
        table.text("t");
        table.text("rod.\"a\",b");
        table.number(0.5);
        table.end_row().unwrap();
        drop(table);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&path).unwrap();
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!(row.iter().collect::<Vec<_>>(), ["t", "rod.\"a\",b", "5.0000000000000000e-1"]);
    }

    #[test]
    fn an_existing_file_is_not_replaced() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("table.csv");
        std::fs::write(&path, "old").unwrap();
        assert!(matches!(CsvFile::create(path.clone()), Err(ResultsError::Create { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    }
}
