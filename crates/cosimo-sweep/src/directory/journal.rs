//! A line per run that is done, with its checksum: what a kill or a crash leaves behind the last whole line is cut off.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cosimo_results::ResultsError;
use xxhash_rust::xxh3::xxh3_64;

use crate::study::{Row, Study};

/// What is lost at most where the machine stops.
const PACE: Duration = Duration::from_secs(1);

/// The file, to be written on.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl Journal {
    /// Opens or creates the file, and reads the rows of the study in it.
    pub(super) fn open(path: &Path, study: &Study) -> Result<(Self, Vec<Row>), ResultsError> {
        let opened = || {
            let mut file =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let (rows, length) = rows(&bytes, study);
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok((file, rows))
        };
        let opened = opened().map_err(|source| ResultsError::Write { path: path.to_owned(), source });
        opened.map(|(file, rows)| (Self { path: path.to_owned(), file, synced: Instant::now() }, rows))
    }

    /// Appends a row, in one piece.
    pub(super) fn append(&mut self, row: &Row) -> Result<(), ResultsError> {
        let written = line(row).and_then(|line| self.file.write_all(line.as_bytes()));
        written.map_err(|source| ResultsError::Write { path: self.path.clone(), source })?;
        if self.synced.elapsed() > PACE {
            self.sync()?;
        }
        Ok(())
    }

    /// Brings all rows to the disk.
    pub(super) fn sync(&mut self) -> Result<(), ResultsError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| ResultsError::Write { path: self.path.clone(), source })
    }
}

fn line(row: &Row) -> std::io::Result<String> {
    let text = serde_json::to_string(row)?;
    Ok(format!("{:016x} {text}\n", xxh3_64(text.as_bytes())))
}

/// The rows up to the first line that is none, each run once, and how many bytes they are.
fn rows(bytes: &[u8], study: &Study) -> (Vec<Row>, u64) {
    let (mut rows, mut length, mut known) = (Vec::new(), 0, BTreeSet::new());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(row) = row(line, study) else { break };
        length += line.len() as u64;
        if known.insert(row.run) {
            rows.push(row);
        }
    }
    (rows, length)
}

fn row(line: &[u8], study: &Study) -> Option<Row> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (checksum, text) = line.split_once(' ')?;
    if u64::from_str_radix(checksum, 16).ok()? != xxh3_64(text.as_bytes()) {
        return None;
    }
    let row: Row = serde_json::from_str(text).ok()?;
    (row.run < study.cases().len() && row.outputs.len() == study.outputs().len()).then_some(row)
}
