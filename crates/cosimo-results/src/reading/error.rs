//! Why results cannot be read back.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why results cannot be read back.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A directory without results.
    #[error("there are no results in `{}`: name a directory that `cosimo run` has written", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// The operating system does not give the file.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The file is not as a run writes it.
    #[error("`{}`, line {line}: {mistake}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: u64,
        /// What is wrong.
        mistake: String,
    },
}

impl ReadError {
    pub(crate) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }

    pub(crate) fn wrong(path: &Path, line: u64, mistake: impl Display) -> Self {
        Self::Wrong { path: path.to_owned(), line, mistake: mistake.to_string() }
    }
}
