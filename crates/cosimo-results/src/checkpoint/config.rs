//! When checkpoints are written.

use super::model_id::ModelId;

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
