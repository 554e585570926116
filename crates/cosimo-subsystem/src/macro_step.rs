//! Macro steps.

use serde::{Deserialize, Serialize};

/// One macro step, from `time` to `time + size` (s).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct MacroStep {
    /// Start (s). Communication points are computed from the index of the step, never accumulated.
    pub time: f64,
    /// Size (s), positive.
    pub size: f64,
}
