//! A table on the disk, written row by row.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ResultsError;
use crate::checksum::Checksum;
use crate::number::push_number;

/// What a table had at a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// Bytes of its rows.
    length: u64,
    /// Their checksum (XXH3, 64 bits).
    checksum: u64,
}

/// A table that stands as it did at a checkpoint, with the checksum to go on with.
#[derive(Debug)]
pub(crate) struct Verified {
    path: PathBuf,
    length: u64,
    checksum: Checksum,
}

impl Extent {
    /// Compares the beginning of a file with this; what is behind it does not matter.
    pub(crate) fn verify(self, path: PathBuf) -> Result<Verified, ResultsError> {
        match checksum_of(&path, self.length) {
            Err(source) => Err(ResultsError::Read { path, source }),
            Ok((found, _)) if found < self.length => {
                Err(ResultsError::Shortened { path, found, expected: self.length })
            }
            Ok((_, checksum)) if checksum.value() != self.checksum => Err(ResultsError::Altered { path }),
            Ok((length, checksum)) => Ok(Verified { path, length, checksum }),
        }
    }
}

/// Checksum of the first `length` bytes of a file, and how many of them there are.
fn checksum_of(path: &Path, length: u64) -> io::Result<(u64, Checksum)> {
    let mut beginning = File::open(path)?.take(length);
    let (mut buffer, mut checksum, mut found) = (vec![0; BUFFER], Checksum::default(), 0);
    loop {
        match beginning.read(&mut buffer)? {
            0 => return Ok((found, checksum)),
            count => {
                checksum.add(&buffer[..count]);
                found += count as u64;
            }
        }
    }
}

/// Bytes that are written or read at once.
const BUFFER: usize = 1 << 16;

/// A table on the disk. Rows are buffered; dropping the file writes what is left.
#[derive(Debug)]
pub(crate) struct CsvFile {
    path: PathBuf,
    file: BufWriter<File>,
    row: Vec<u8>,
    /// Bytes of all rows that were ended, on the disk or not.
    length: u64,
    /// Their checksum so far.
    checksum: Checksum,
}

impl CsvFile {
    /// Creates the file, which must not exist.
    pub(crate) fn create(path: PathBuf) -> Result<Self, ResultsError> {
        match File::create_new(&path) {
            Ok(file) => Ok(Self {
                path,
                file: buffered(file),
                row: Vec::new(),
                length: 0,
                checksum: Checksum::default(),
            }),
            Err(source) => Err(ResultsError::Create { path, source }),
        }
    }

    /// Opens the file of a run that goes on, and cuts off what is behind the bytes that were verified.
    pub(crate) fn resume(verified: Verified) -> Result<Self, ResultsError> {
        let Verified { path, length, checksum } = verified;
        let opened = OpenOptions::new().write(true).open(&path).and_then(|mut file| {
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Self { path, file: buffered(file), row: Vec::new(), length, checksum }),
            Err(source) => Err(ResultsError::Write { path, source }),
        }
    }

    /// A file on which every write fails: it is open for reading.
    #[cfg(test)]
    pub(crate) fn unwritable(path: PathBuf) -> Self {
        let file = BufWriter::new(File::open(&path).unwrap());
        Self { path, file, row: Vec::new(), length: 0, checksum: Checksum::default() }
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
        self.length += self.row.len() as u64;
        self.checksum.add(&self.row);
        self.row.clear();
        written.map_err(|source| self.error(source))
    }

    /// Hands all rows to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), ResultsError> {
        self.file.flush().map_err(|source| self.error(source))
    }

    /// Brings all rows to the disk; returns what they are.
    pub(crate) fn sync(&mut self) -> Result<Extent, ResultsError> {
        self.flush()?;
        self.file.get_ref().sync_data().map_err(|source| self.error(source))?;
        Ok(Extent { length: self.length, checksum: self.checksum.value() })
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

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(BUFFER, file)
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
    fn a_table_goes_on_where_it_was() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("table.csv");
        let mut table = CsvFile::create(path.clone()).unwrap();
        let row = |table: &mut CsvFile, value| {
            table.number(value);
            table.end_row().unwrap();
        };
        row(&mut table, 1.0);
        let extent = table.sync().unwrap();
        row(&mut table, 2.0);
        drop(table);
        let mut table = CsvFile::resume(extent.verify(path.clone()).unwrap()).unwrap();
        row(&mut table, 3.0);
        let whole = table.sync().unwrap();
        assert_eq!(whole.length, 2 * extent.length);
        whole.verify(path.clone()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "1.0000000000000000e0\n3.0000000000000000e0\n");
        assert!(extent.verify(scratch.path().join("none.csv")).is_err());
        std::fs::write(&path, text.replacen('1', "2", 1)).unwrap();
        assert!(matches!(extent.verify(path.clone()), Err(ResultsError::Altered { .. })));
        std::fs::write(&path, "1").unwrap();
        assert!(matches!(extent.verify(path), Err(ResultsError::Shortened { found: 1, .. })));
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
