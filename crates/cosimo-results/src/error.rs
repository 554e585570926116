//! Why results could not be written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::UnknownQuantity;

/// Why results could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The directory has content, and overwriting was not asked for.
    #[error("`{}` exists and is not empty: name another directory or force overwriting", path.display())]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// A file that is to be made of results exists, and overwriting was not asked for.
    #[error("`{}` exists: force overwriting, or name another directory", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file in the way of a result that no earlier run has written.
    #[error("`{}` is not of an earlier run and is not replaced: move it, or name another directory", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file in the way of a result that the run itself reads.
    #[error("`{}` is an input of this run and is not replaced: name another directory", path.display())]
    Input {
        /// The file.
        path: PathBuf,
    },
    /// The path is a file.
    #[error("`{}` is not a directory: name another path for the results", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// A directory or file could not be created, read or removed.
    #[error("cannot create `{}`", path.display())]
    Create {
        /// The directory or file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// A file of a run that is to go on could not be read.
    #[error("cannot read `{}`, without which the run cannot go on", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// A file could not be written to.
    #[error("cannot write to `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// A directory without a run.
    #[error("there is no run in `{}` to go on with: it has no model.toml", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// Another run writes into the directory.
    #[error("another run is writing into `{}`: wait for its end, stop it, or name another directory", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A file of results that is not what it was.
    #[error("`{}` was altered since the checkpoint: its checksum is another one", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
    },
    /// A file of results that is shorter than it was.
    #[error("`{}` has {found} bytes, fewer than the {expected} that the checkpoint is for", path.display())]
    Shortened {
        /// The file.
        path: PathBuf,
        /// Its length (bytes).
        found: u64,
        /// Length at the checkpoint (bytes).
        expected: u64,
    },
    /// A pattern of the configuration names no quantity of the run.
    #[error(transparent)]
    UnknownQuantity(#[from] UnknownQuantity),
    /// The figure could not be drawn.
    #[error("cannot draw `{}`", path.display())]
    Draw {
        /// The file of the figure.
        path: PathBuf,
        /// What the drawing library said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ResultsError {
    /// The error and its causes in one line, as for `summary.json`.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}
