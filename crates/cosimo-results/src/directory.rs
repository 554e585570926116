//! The directory of a run's results.

mod paths;

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::ResultsError;
use crate::checkpoint::{CheckpointFile, CheckpointStore};
use crate::durable::{PART, write_durably};
use crate::manifest::{self, MANIFEST};
use crate::run_lock::{LOCK, RunLock};

const RESULTS: &str = "results.csv";
const EVENTS: &str = "events.csv";
const SUMMARY: &str = "summary.json";
const PLOT: &str = "plot.svg";
const MODEL: &str = "model.toml";
const SCENE: &str = "scene.json";
const FRAMES: &str = "frames.bin";
const REPORT: &str = "report.html";
const CHECKPOINTS: &str = "checkpoints";

/// All that a run writes, the lock and the list of these names excepted.
const WRITTEN: [&str; 9] = [MODEL, RESULTS, EVENTS, SUMMARY, PLOT, SCENE, FRAMES, REPORT, CHECKPOINTS];

/// What to do with a directory that has content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// Leave it alone and report an error.
    #[default]
    Refuse,
    /// Replace the files of an earlier run, and no others: a file in the way that no run has written is an error.
    Force,
}

/// What a directory holds.
enum Content {
    /// Nothing, the lock and the list of names excepted.
    None,
    /// A run without a summary and without a checkpoint, and nothing else.
    Begun,
    /// Something to keep.
    Other,
}

/// A directory that is ready to receive the results of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDirectory {
    path: PathBuf,
}

impl ResultDirectory {
    /// Creates the directory, with its parents, or takes the one that exists. One that holds nothing but a run that has ended
    /// without a checkpoint and without a summary, as one that was killed soon after its start, counts as empty.
    ///
    /// With [`Overwrite::Force`] the files of an earlier run are removed at once, so that what is found later belongs
    /// to this run; nothing else in the directory is touched. The file `.cosimo-run` lists what runs have written.
    ///
    /// # Errors
    /// [`ResultsError::NotEmpty`] if it has content and `overwrite` refuses, [`ResultsError::NotADirectory`] if the
    /// path is a file, [`ResultsError::Foreign`] if a file that no run has written has the name of a result,
    /// [`ResultsError::InUse`] if another run is to be replaced while it goes on, [`ResultsError::Create`] if the
    /// operating system does not permit it.
    pub fn create(path: impl Into<PathBuf>, overwrite: Overwrite) -> Result<Self, ResultsError> {
        Self::create_from(&[], &[], path, overwrite)
    }

    /// Like [`create`](Self::create), for a run that reads the files `inputs`: these are never replaced, by whatever
    /// path they are named. The results will be converted into the files `conversions`, see [`claim`](Self::claim).
    ///
    /// # Errors
    /// [`ResultsError::Input`] if one of them has the name of a result in the directory; otherwise those of `create`.
    /// In every case the directory's files are as they were.
    pub fn create_from(
        inputs: &[PathBuf],
        conversions: &[&str],
        path: impl Into<PathBuf>,
        overwrite: Overwrite,
    ) -> Result<Self, ResultsError> {
        let path = path.into();
        if path.exists() && !path.is_dir() {
            return Err(ResultsError::NotADirectory { path });
        }
        if let Err(source) = fs::create_dir_all(&path) {
            return Err(ResultsError::Create { path, source });
        }
        let directory = Self { path };
        let content = directory.content()?;
        match (content, overwrite) {
            (Content::None, Overwrite::Refuse) => {}
            (Content::Other, Overwrite::Refuse) => {
                return Err(ResultsError::NotEmpty { path: directory.path });
            }
            (Content::Begun, _) | (_, Overwrite::Force) => {
                let earlier = manifest::names(&directory.path);
                let earlier = earlier.iter().map(String::as_str).filter(|name| !WRITTEN.contains(name));
                let conversions: Vec<&str> = earlier.chain(conversions.iter().copied()).collect();
                let names = [&WRITTEN[..], &conversions].concat();
                manifest::check(&directory.path, &names, inputs)?;
                let _lock = directory.lock()?;
                // The model first: without it there is no run to go on with.
                directory.remove(&directory.model())?;
                directory.remove_results()?;
                conversions.iter().try_for_each(|name| directory.remove_conversion(name))?;
            }
        }
        manifest::store(&directory.path, [&WRITTEN[..], conversions].concat())?;
        Ok(directory)
    }

    /// Opens the directory of an earlier run to go on with it.
    ///
    /// # Errors
    /// [`ResultsError::NoRun`] if the directory has no model, which is the first file that a run stores.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ResultsError> {
        let directory = Self { path: path.into() };
        if directory.model().is_file() {
            Ok(directory)
        } else {
            Err(ResultsError::NoRun { path: directory.path })
        }
    }

    /// What is at this path, whatever it is.
    pub(crate) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Keeps other runs out of the directory as long as the lock is held.
    ///
    /// # Errors
    /// [`ResultsError::InUse`] while another process, or another lock of this one, holds it.
    pub fn lock(&self) -> Result<RunLock, ResultsError> {
        RunLock::take(&self.path)
    }

    /// Stores the complete text of the model, so that the directory alone is enough to go on with the run.
    ///
    /// # Errors
    /// [`ResultsError::Write`].
    pub fn store_model(&self, text: &str) -> Result<(), ResultsError> {
        let path = self.model();
        write_durably(&path, text.as_bytes()).map_err(|source| ResultsError::Write { path, source })
    }

    /// Removes the results and checkpoints of an earlier run, not its model.
    ///
    /// # Errors
    /// [`ResultsError::Create`] if the operating system does not permit it.
    pub fn remove_results(&self) -> Result<(), ResultsError> {
        let results = [self.results(), self.events(), self.summary(), self.plot()];
        for path in results.into_iter().chain([self.scene(), self.frames(), self.report()]) {
            self.remove(&path)?;
        }
        self.remove_checkpoints()
    }

    /// Removes the checkpoints; what a kill in the last instant of a run may have left.
    ///
    /// # Errors
    /// [`ResultsError::Create`] if the operating system does not permit it.
    pub fn remove_checkpoints(&self) -> Result<(), ResultsError> {
        let cleared = self.store().clear();
        cleared.map_err(|source| ResultsError::Create { path: self.path.join(CHECKPOINTS), source })
    }

    /// Whether the summary says that the run was completed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome().is_some_and(|outcome| outcome == "completed")
    }

    /// The outcome that the summary tells, "unfinished" as long as the run goes on.
    fn outcome(&self) -> Option<String> {
        let text = fs::read_to_string(self.summary()).ok()?;
        let summary: serde_json::Value = serde_json::from_str(&text).ok()?;
        summary.get("outcome")?.as_str().map(str::to_owned)
    }

    /// The checkpoints, the newest first.
    ///
    /// # Errors
    /// [`ResultsError::Create`] if their folder cannot be read.
    pub fn checkpoints(&self) -> Result<Vec<CheckpointFile>, ResultsError> {
        let files = self.store().files();
        files.map_err(|source| ResultsError::Create { path: self.path.join(CHECKPOINTS), source })
    }

    pub(crate) fn store(&self) -> CheckpointStore {
        CheckpointStore::new(self.path.join(CHECKPOINTS))
    }

    /// The same by an absolute path: what a unit of another tool does to the current directory does not move it.
    #[must_use]
    pub fn absolute(&self) -> Self {
        Self { path: std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone()) }
    }

    /// The directory itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the report of the run in this directory is to be written: not in place of a file of another's.
    ///
    /// # Errors
    /// [`ResultsError::Foreign`] where a file of its name stands that no run has written.
    pub fn report_in(path: &Path) -> Result<PathBuf, ResultsError> {
        Self::claim(path, &[REPORT], Overwrite::Force)?;
        Ok(path.join(REPORT))
    }

    fn content(&self) -> Result<Content, ResultsError> {
        let refused = |source| ResultsError::Create { path: self.path.clone(), source };
        let entries: io::Result<Vec<_>> = fs::read_dir(&self.path)
            .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
        let mut names = entries.map_err(refused)?;
        names.retain(|name| name != LOCK && name != MANIFEST);
        if names.is_empty() {
            return Ok(Content::None);
        }
        let is_result = |name: &OsString| {
            let name = name.to_str().map(|name| name.strip_suffix(PART).unwrap_or(name));
            name.is_some_and(|name| name == MANIFEST || WRITTEN.contains(&name))
        };
        let is_begun = self.path.join(MANIFEST).is_file()
            && names.iter().all(is_result)
            && (!self.summary().exists() || self.outcome().is_some_and(|outcome| outcome == "unfinished"))
            && self.checkpoints()?.is_empty();
        Ok(if is_begun { Content::Begun } else { Content::Other })
    }

    pub(crate) fn remove(&self, path: &Path) -> Result<(), ResultsError> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                Err(ResultsError::Create { path: path.to_owned(), source })
            }
            _ => Ok(()),
        }
    }
}
