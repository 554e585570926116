//! A table on the disk, written row by row.

use std::path::PathBuf;

use crate::ResultsError;
use crate::append_file::{AppendFile, Extent, Verified};

/// A table on the disk. Rows are buffered; dropping the file writes what is left.
#[derive(Debug)]
pub(crate) struct CsvFile {
    file: AppendFile,
    row: Vec<u8>,
}

impl CsvFile {
    /// Creates the file, which must not exist.
    pub(crate) fn create(path: PathBuf) -> Result<Self, ResultsError> {
        Ok(Self { file: AppendFile::create(path)?, row: Vec::new() })
    }

    /// Opens the file of a run that goes on, and cuts off what is behind the bytes that were verified.
    pub(crate) fn resume(verified: Verified) -> Result<Self, ResultsError> {
        Ok(Self { file: AppendFile::resume(verified)?, row: Vec::new() })
    }

    /// A file on which every write fails.
    #[cfg(test)]
    pub(crate) fn unwritable(path: PathBuf) -> Self {
        Self { file: AppendFile::unwritable(path), row: Vec::new() }
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

    /// Appends a number.
    pub(crate) fn number(&mut self, value: f64) {
        self.separate();
        push_number(value, &mut self.row);
    }

    /// Ends the row.
    pub(crate) fn end_row(&mut self) -> Result<(), ResultsError> {
        self.row.push(b'\n');
        let written = self.file.write(&self.row);
        self.row.clear();
        written
    }

    /// Hands all rows to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), ResultsError> {
        self.file.flush()
    }

    /// Brings all rows to the disk; returns what they are.
    pub(crate) fn sync(&mut self) -> Result<Extent, ResultsError> {
        self.file.sync()
    }

    fn separate(&mut self) {
        if !self.row.is_empty() {
            self.row.push(b',');
        }
    }
}

/// Appends a number in the shortest decimal form that reads back to the same bits, or `NaN`, `inf`, `-inf`.
fn push_number(value: f64, row: &mut Vec<u8>) {
    row.extend_from_slice(zmij::Buffer::new().format(value).as_bytes());
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
        assert_eq!(row.iter().collect::<Vec<_>>(), ["t", "rod.\"a\",b", "0.5"]);
    }

    fn text(value: f64) -> String {
        let mut row = Vec::new();
        push_number(value, &mut row);
        String::from_utf8(row).unwrap()
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.0, 0.1, 0.1 + 0.2, 1e23, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let texts = ["0.0", "-0.0", "0.1", "0.30000000000000004", "1e+23", "5e-324", "NaN", "inf", "-inf"];
        assert_eq!(shown.map(text), texts);
    }

    /// Powers of two with their neighbours, and arbitrary bits by Steele and Vigna's SplitMix64.
    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let powers = (-1074..1024).map(|exponent| 2.0_f64.powi(exponent));
        let neighbours = powers.flat_map(|x| [x.next_down(), x, x.next_up()]);
        let mut state = 1_u64;
        let arbitrary = (0..300_000).map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            f64::from_bits(bits ^ (bits >> 31))
        });
        for value in neighbours.chain(arbitrary).filter(|value| !value.is_nan()) {
            assert_eq!(text(value).parse::<f64>().unwrap().to_bits(), value.to_bits(), "{value:e}");
        }
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
        assert_eq!(text, "1.0\n3.0\n");
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
