//! Files of a sweep that can be gone on with.
//!
//! | file | content |
//! |---|---|
//! | `study.json` | model, cases and outputs: all that the sweep is; and hashes of the files that the model names |
//! | `rows.journal` | a line per run that is done, in the order of their ends |
//! | `sweep.csv`, `sweep.parquet` | the table |
//! | `sweep.svg` | the figure |
//! | `sweep-times.csv` | wall time of every run |

mod fingerprint;
mod journal;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use cosimo_results::{Overwrite, ResultDirectory, ResultsError, RunLock, write_durably};
use serde::{Deserialize, Serialize};

use crate::error::DirectoryError;
use crate::study::{Row, Study};

use fingerprint::Fingerprint;
use journal::Journal;

const STUDY: &str = "study.json";
const JOURNAL: &str = "rows.journal";
const TABLE: &str = "sweep.csv";
/// Name of the table as Parquet.
pub const TABLE_PARQUET: &str = "sweep.parquet";
const FIGURE: &str = "sweep.svg";
const TIMES: &str = "sweep-times.csv";

/// Names of all files of a sweep.
const FILES: [&str; 6] = [STUDY, JOURNAL, TABLE, TABLE_PARQUET, FIGURE, TIMES];

/// Version of the files.
const FORMAT: u32 = 2;

/// What `study.json` has in every version.
#[derive(Deserialize)]
struct Header {
    format: u32,
    cosimo_version: String,
}

/// What `study.json` has.
#[derive(Serialize, Deserialize)]
struct Content<S> {
    format: u32,
    /// Another version may find other bits.
    cosimo_version: String,
    /// What the model is read from besides its text.
    files: Vec<Fingerprint>,
    study: S,
}

/// A directory in which a sweep keeps what it has done, line by line, so that it can go on after any end.
#[derive(Debug)]
pub struct SweepDirectory {
    path: PathBuf,
    rows: Vec<Row>,
    journal: Journal,
    _lock: RunLock,
}

impl SweepDirectory {
    /// Begins a sweep in a directory, which is made if it does not exist. `inputs` are files that it reads and never replaces.
    ///
    /// # Errors
    /// Files are in the way, another run writes there, or the operating system does not permit it.
    pub fn create(
        path: &Path,
        inputs: &[PathBuf],
        overwrite: Overwrite,
        study: &Study,
    ) -> Result<Self, DirectoryError> {
        ResultDirectory::claim_from(inputs, path, &FILES, overwrite)?;
        let lock = RunLock::take(path)?;
        // The study last: without it there is nothing to go on with.
        for name in FILES {
            let file = path.join(name);
            match fs::remove_file(&file) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(ResultsError::Write { path: file, source }.into());
                }
                _ => {}
            }
        }
        let files = study.files().into_iter().map(Fingerprint::of).collect();
        let content = Content { format: FORMAT, cosimo_version: version(), files, study };
        let file = path.join(STUDY);
        let text = serde_json::to_string(&content).map_err(|error| unusable(&file, error))?;
        store(&file, &text)?;
        let (journal, rows) = Journal::open(&path.join(JOURNAL), study)?;
        Ok(Self { path: path.to_owned(), rows, journal, _lock: lock })
    }

    /// Opens the directory of a sweep to go on with it.
    ///
    /// # Errors
    /// There is none, another run writes there, its files cannot be used, or a file that the model names is another one now.
    pub fn open(path: &Path) -> Result<(Self, Study), DirectoryError> {
        let file = path.join(STUDY);
        let text = fs::read_to_string(&file).map_err(|source| match source.kind() {
            ErrorKind::NotFound => DirectoryError::NoStudy { path: path.to_owned() },
            _ => ResultsError::Read { path: file.clone(), source }.into(),
        })?;
        let lock = RunLock::take(path)?;
        check_version(&file, &text)?;
        let Content { study, files, .. }: Content<Study> =
            serde_json::from_str(&text).map_err(|error| unusable(&file, error))?;
        if let Some(other) = files.into_iter().find(|own| !own.is_same()) {
            return Err(DirectoryError::Changed { file: other.path, path: path.to_owned() });
        }
        let (journal, rows) = Journal::open(&path.join(JOURNAL), &study)?;
        Ok((Self { path: path.to_owned(), rows, journal, _lock: lock }, study))
    }

    /// The directory itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is done, in the order of its ends.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Keeps a run that is done; it outlives this process from now on.
    ///
    /// # Errors
    /// [`ResultsError::Write`].
    pub fn keep(&mut self, row: Row) -> Result<(), DirectoryError> {
        self.journal.append(&row)?;
        self.rows.push(row);
        Ok(())
    }

    /// Writes the table as CSV, its figure, and the wall times.
    ///
    /// # Errors
    /// [`ResultsError::Write`].
    pub fn write(&mut self, table: &str, figure: &str) -> Result<(), DirectoryError> {
        self.journal.sync()?;
        store(&self.path.join(TABLE), table)?;
        store(&self.path.join(FIGURE), figure)?;
        let mut times: Vec<(usize, f64)> = self.rows.iter().map(|row| (row.run, row.seconds)).collect();
        times.sort_by_key(|(run, _)| *run);
        let lines = times.into_iter().map(|(run, seconds)| format!("{},{seconds:?}\n", run + 1));
        store(&self.path.join(TIMES), &("run,seconds\n".to_owned() + &lines.collect::<String>()))
    }
}

/// Refuses what another version has written.
fn check_version(file: &Path, text: &str) -> Result<(), DirectoryError> {
    let Header { format, cosimo_version } =
        serde_json::from_str(text).map_err(|error| unusable(file, error))?;
    if format == FORMAT && cosimo_version == version() {
        return Ok(());
    }
    let mistake = format!(
        "it is of version {cosimo_version} of Cosimo, format {format}; this is {}, {FORMAT}",
        version()
    );
    Err(unusable(file, mistake))
}

fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

fn store(path: &Path, text: &str) -> Result<(), DirectoryError> {
    let written = write_durably(path, text.as_bytes());
    Ok(written.map_err(|source| ResultsError::Write { path: path.to_owned(), source })?)
}

fn unusable(path: &Path, mistake: impl std::fmt::Display) -> DirectoryError {
    DirectoryError::Unusable { path: path.to_owned(), mistake: mistake.to_string() }
}
