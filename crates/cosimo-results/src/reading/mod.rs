//! Reading the results of a run back.

mod error;
mod event;
mod rows;
mod scene;
mod table;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use error::ReadError;
pub use table::{Column, Table};

use crate::{Event, RecordedScene, ResultDirectory};

/// The results of a run, as its directory holds them: also of a run that goes on, has failed or was killed.
///
/// ```
/// # use cosimo_master::{Observer, QuantityLabel, StepRecord};
/// # use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, Results};
/// # let scratch = tempfile::tempdir()?;
/// # let path = scratch.path().join("out");
/// # let mut recorder = Recorder::create(ResultDirectory::create(&path, Overwrite::Refuse)?, RecordConfig::default())?;
/// # recorder.start(&[QuantityLabel { owner: "ball".into(), name: "z".into(), unit: "m".into() }], (0.0, 1.0));
/// # let _ = recorder.step(&StepRecord { step: 0, time: 0.0, values: &[0.5], is_last: false });
/// # recorder.into_result()?;
/// let results = Results::open(&path)?;
/// let height = results.table.column("ball.z").ok_or("no such quantity")?;
/// assert_eq!((height.unit.as_str(), height.values[0]), ("m", 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Results {
    /// The directory.
    pub directory: PathBuf,
    /// The recorded quantities over time.
    pub table: Table,
    /// What happened at the contacts, in order of time.
    pub events: Vec<Event>,
    /// How the run stands, the content of `summary.json`.
    pub summary: Value,
    /// What was to be seen; `None` where the model has no bodies or no frames were recorded.
    pub scene: Option<RecordedScene>,
}

impl Results {
    /// Reads the results in a directory. A row that a run is just writing, or was writing when it was killed, is left out.
    ///
    /// # Errors
    /// [`ReadError`] with file and line: a file is missing, or is not as a run writes it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let directory = ResultDirectory::at(path.as_ref());
        if !directory.results().is_file() {
            return Err(ReadError::NoRun { path: path.as_ref().to_owned() });
        }
        let summary = read_summary(&directory.summary())?;
        let table = Table::read(&directory.results(), &summary)?;
        let events = event::read(&directory.events())?;
        let scene = RecordedScene::read(&directory)?;
        Ok(Self { directory: path.as_ref().to_owned(), table, events, summary, scene })
    }

    /// The title of the model, if it has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.summary.get("title").and_then(Value::as_str)
    }

    /// How the run ended: `completed`, `stopped`, `failed`, or `unfinished` where it goes on or was killed.
    #[must_use]
    pub fn outcome(&self) -> &str {
        self.summary.get("outcome").and_then(Value::as_str).unwrap_or("unfinished")
    }
}

fn read_summary(path: &Path) -> Result<Value, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|source| ReadError::unreadable(path, source))?;
    serde_json::from_str(&text).map_err(|error| ReadError::wrong(path, error.line() as u64, error))
}
