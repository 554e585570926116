//! Why results could not be converted.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Format;

/// Why results could not be converted. No file of the format is left then, or the earlier ones.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A file or folder could not be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The format cannot hold these results.
    #[error("the results cannot be written as {format}")]
    Encode {
        /// The format.
        format: Format,
        /// Why.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A format that shows bodies, and a run without any.
    #[error("there is nothing to see for {format}: the run has recorded no bodies")]
    NoBodies {
        /// The format.
        format: Format,
    },
    /// The figure of the run is missing.
    #[error("there is no figure to be drawn as {format}: `{}` cannot be read", path.display())]
    NoFigure {
        /// The format.
        format: Format,
        /// The figure.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

impl FormatError {
    /// What could not be written, for a closure.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<'_> {
        move |source| Self::Write { path: path.to_owned(), source }
    }

    /// What a format cannot hold, for a closure.
    pub(crate) fn encode<E: Into<Box<dyn Error + Send + Sync>>>(format: Format) -> impl Fn(E) -> Self {
        move |source| Self::Encode { format, source: source.into() }
    }
}
