//! Checkpoints: from which a run goes on after its process has ended.
//!
//! A checkpoint is one file with the state of the run and how far its results are. It is written when the results up to
//! it are on the disk, so they are never behind it; what they are ahead is cut off when the run goes on.

mod config;
mod content;
mod error;
mod format;
mod model_id;
mod pace;
mod store;
mod version;

pub use config::CheckpointConfig;
pub use content::Checkpoint;
pub(crate) use content::{FramesSoFar, RecorderState};
pub use error::{CheckpointError, RefusedCheckpoint};
pub use model_id::ModelId;
pub(crate) use pace::Pace;
pub use store::CheckpointFile;
pub(crate) use store::CheckpointStore;
