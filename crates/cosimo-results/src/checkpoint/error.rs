//! Why a checkpoint is not used.

use std::path::PathBuf;

use thiserror::Error;

use super::model_id::ModelId;
use super::version::VERSION;

/// Why a checkpoint is not used.
#[derive(Debug, Error)]
#[error("checkpoint `{}` is refused: {reason}", path.display())]
pub struct RefusedCheckpoint {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: CheckpointError,
}

/// What is wrong with a checkpoint.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is something else.
    #[error("it is no checkpoint")]
    NotACheckpoint,
    /// The file has another format.
    #[error("it has version {found} of the format, this program reads version {}", VERSION)]
    Format {
        /// Version found.
        found: u32,
    },
    /// The file is not as it was written.
    #[error("it is damaged: {reason}")]
    Damaged {
        /// How that shows.
        reason: String,
    },
    /// The file was written by another version of the program, whose results may differ in their last bits.
    #[error("it was written by version {found} of the program, this is {}", env!("CARGO_PKG_VERSION"))]
    Program {
        /// Version found.
        found: String,
    },
    /// The file belongs to another model.
    #[error("it belongs to another model ({found}) than the one beside it ({expected})")]
    Foreign {
        /// Model of the checkpoint.
        found: ModelId,
        /// Model that is wanted.
        expected: ModelId,
    },
}
