//! What an iterative scheme carries from step to step, as plain data.

use serde::{Deserialize, Serialize};

use super::acceleration::secant::Secant;

/// What an iterative scheme carries from step to step. It moves first guesses and the number of iterations, and
/// with them the results by what the tolerance leaves open: a run that is to go on with the same bits needs it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SchemeState {
    /// The iteration without contact impulses.
    pub(crate) free: StageState,
    /// The iteration with them.
    pub(crate) contact: StageState,
}

/// What one iteration of a step carries to that of the next.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct StageState {
    /// Solutions of the last two steps, the later first.
    pub(crate) solutions: [Vec<f64>; 2],
    /// Number of them that there are.
    pub(crate) known: u32,
    /// Size of the step that they belong to (s).
    pub(crate) step: f64,
    /// Which contacts carried an impulse.
    pub(crate) loaded: Vec<bool>,
    /// Secants of the accelerators, cluster by cluster.
    pub(crate) secants: Vec<Vec<Secant>>,
}
