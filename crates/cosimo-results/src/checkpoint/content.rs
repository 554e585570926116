//! What a checkpoint holds.

use cosimo_master::RunState;
use serde::{Deserialize, Serialize};

use crate::append_file::Extent;
use crate::trace::Trace;

/// A run as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The run.
    pub run: RunState,
    pub(crate) recorder: RecorderState,
}

/// How far the results are, and what of them is in memory only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RecorderState {
    pub(crate) results: Extent,
    pub(crate) events: Extent,
    pub(crate) traces: Vec<(usize, Trace)>,
    pub(crate) impacts: Vec<f64>,
    pub(crate) first_time: f64,
    pub(crate) last_row: Option<(u64, f64)>,
    /// How far the frames are, of a run that records some.
    pub(crate) frames: Option<FramesSoFar>,
}

/// How far the frames of a run are.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct FramesSoFar {
    pub(crate) extent: Extent,
    /// Step of the last one, and its number on their grid.
    pub(crate) last: Option<(u64, u64)>,
}
