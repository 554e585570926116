//! The directory of a run's results.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::ResultsError;

const RESULTS: &str = "results.csv";
const EVENTS: &str = "events.csv";
const SUMMARY: &str = "summary.json";
const PLOT: &str = "plot.svg";

/// What to do with a directory that has content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// Leave it alone and report an error.
    #[default]
    Refuse,
    /// Replace the files of an earlier run; other files stay.
    Force,
}

/// A directory that is ready to receive the results of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDirectory {
    path: PathBuf,
}

impl ResultDirectory {
    /// Creates the directory, with its parents, or takes the one that exists.
    ///
    /// With [`Overwrite::Force`] the files of an earlier run are removed at once, so that what is found later belongs
    /// to this run; nothing else in the directory is touched.
    ///
    /// # Errors
    /// [`ResultsError::NotEmpty`] if it has content and `overwrite` refuses, [`ResultsError::NotADirectory`] if the
    /// path is a file, [`ResultsError::Create`] if the operating system does not permit it.
    pub fn create(path: impl Into<PathBuf>, overwrite: Overwrite) -> Result<Self, ResultsError> {
        let path = path.into();
        if path.exists() && !path.is_dir() {
            return Err(ResultsError::NotADirectory { path });
        }
        if let Err(source) = fs::create_dir_all(&path) {
            return Err(ResultsError::Create { path, source });
        }
        let directory = Self { path };
        match overwrite {
            Overwrite::Refuse => directory.refuse_content()?,
            Overwrite::Force => directory.remove_results()?,
        }
        Ok(directory)
    }

    /// The directory itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of `results.csv`, the quantities over time.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.path.join(RESULTS)
    }

    /// Path of `events.csv`, what happened at the contacts.
    #[must_use]
    pub fn events(&self) -> PathBuf {
        self.path.join(EVENTS)
    }

    /// Path of `summary.json`, the run in numbers.
    #[must_use]
    pub fn summary(&self) -> PathBuf {
        self.path.join(SUMMARY)
    }

    /// Path of `plot.svg`, the figure.
    #[must_use]
    pub fn plot(&self) -> PathBuf {
        self.path.join(PLOT)
    }

    fn refuse_content(&self) -> Result<(), ResultsError> {
        match fs::read_dir(&self.path).map(|mut entries| entries.next().is_none()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(ResultsError::NotEmpty { path: self.path.clone() }),
            Err(source) => Err(ResultsError::Create { path: self.path.clone(), source }),
        }
    }

    fn remove_results(&self) -> Result<(), ResultsError> {
        for path in [self.results(), self.events(), self.summary(), self.plot()] {
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(source) if source.kind() == ErrorKind::NotFound => {}
                Err(source) => return Err(ResultsError::Create { path, source }),
            }
        }
        Ok(())
    }
}
