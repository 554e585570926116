//! Why a study cannot be done.

use std::path::PathBuf;

use cosimo_model::{BuildError, Diagnostics, OverrideError};
use cosimo_results::ResultsError;
use thiserror::Error;

use crate::outputs::UnknownOutput;
use crate::{CasesError, MOST_NUMBERS};

/// Why a study cannot be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// There are no such cases.
    #[error(transparent)]
    Cases(#[from] CasesError),
    /// The path of an entry is none.
    #[error(transparent)]
    Path(#[from] OverrideError),
    /// The model can be read in no case: its mistakes in the first one.
    #[error(transparent)]
    Mistakes(#[from] Diagnostics),
    /// The model can be built in no case: why not in the first one.
    #[error(transparent)]
    Build(#[from] Box<BuildError>),
    /// An output that the model does not have.
    #[error(transparent)]
    Output(#[from] UnknownOutput),
    /// More numbers than memory is promised for.
    #[error(
        "the table has {numbers} inputs and outputs, at most {MOST_NUMBERS} are kept: ask for fewer outputs, or do several sweeps"
    )]
    Many {
        /// How many.
        numbers: usize,
    },
    /// An entry that has no numbers to be an axis of the figure.
    #[error(
        "the figure cannot be over `{key}`: it is not varied, or not by numbers alone; varied are `{keys}`"
    )]
    Over {
        /// Path of the entry.
        key: String,
        /// Paths of those that are varied.
        keys: String,
    },
}

/// Why a directory of a study cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// A file is in the way, or cannot be read or written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A directory without a sweep.
    #[error("there is no sweep in `{}` to go on with: it has no study.json", path.display())]
    NoStudy {
        /// The directory.
        path: PathBuf,
    },
    /// A file that the model names and that is another one now.
    #[error(
        "`{}` is not as it was when the sweep in `{}` began: put it back, or do the sweep anew with --force",
        file.display(), path.display()
    )]
    Changed {
        /// The file.
        file: PathBuf,
        /// The directory.
        path: PathBuf,
    },
    /// A description of a study that is none, or is of another version.
    #[error("`{}` cannot be used: {mistake}; do the sweep anew with --force", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        mistake: String,
    },
}
