//! What to record.

use std::num::NonZeroU64;

use crate::Selection;
use crate::checkpoint::CheckpointConfig;
use crate::frames::FrameRate;

/// What to record of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordConfig {
    /// Title of summary and plot. Default: none.
    pub title: Option<String>,
    /// Version of the model file's format, for the summary. Default: none.
    pub schema: Option<u32>,
    /// Record every n-th macro step; the first and the last always. Default: 1.
    pub every: NonZeroU64,
    /// What `results.csv` contains, in the order of the run's labels. Default: everything.
    pub quantities: Selection,
    /// What `plot.svg` shows; need not be recorded. Default: nothing chosen, which stands for the first six
    /// position-like recorded quantities (in m or rad, no constraint residuals) that move, or of others if there are
    /// none.
    pub plot: Option<Selection>,
    /// How many frames are recorded of what is to be seen. Default: 60 per simulated second, or 500 per run, whichever is more.
    pub frames: FrameRate,
    /// Which checkpoints are written. Default: none.
    pub checkpoints: Option<CheckpointConfig>,
}

impl Default for RecordConfig {
    fn default() -> Self {
        Self {
            title: None,
            schema: None,
            every: NonZeroU64::MIN,
            quantities: Selection::everything(),
            plot: None,
            frames: FrameRate::Usual,
            checkpoints: None,
        }
    }
}
