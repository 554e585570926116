//! Checkpoints: from which a run goes on after its process has ended.
//!
//! A checkpoint is one file with the state of the run and how far its results are. It is written when the results up to
//! it are on the disk, so they are never behind it; what they are ahead is cut off when the run goes on.

mod format;
mod pace;
mod store;

use std::fmt;
use std::path::PathBuf;

use cosimo_master::RunState;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

use crate::recorder::RecorderState;

pub(crate) use pace::Pace;
pub use store::CheckpointFile;
pub(crate) use store::CheckpointStore;

/// Which model a checkpoint belongs to: a hash of the complete text of its model file.
///
/// ```
/// use cosimo_results::ModelId;
/// assert_eq!(ModelId::of("step = 1e-3"), ModelId::of("step = 1e-3"));
/// assert_ne!(ModelId::of("step = 1e-3"), ModelId::of("step = 2e-3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelId(u128);

impl ModelId {
    /// The identity of a model with this text, every default filled in.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// When checkpoints are written. One is written in any case when the run is asked to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckpointConfig {
    /// The model.
    pub model: ModelId,
    /// Every so many macro steps; 0 for never.
    pub every_steps: u64,
    /// After so much wall time (s); 0 for never.
    pub every_seconds: f64,
    /// How many are kept, at least 2: the last one may turn out to be damaged.
    pub keep: usize,
}

/// A run as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The run.
    pub run: RunState,
    pub(crate) recorder: RecorderState,
}

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
    #[error("it has version {found} of the format, this program reads version {}", format::VERSION)]
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
