//! What a solve may take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bounds on a solve besides those of the solver: it is given to a problem
/// ([`FrictionProblem::within`](crate::friction::FrictionProblem::within), [`LcpProblem::within`](crate::LcpProblem::within)),
/// and every solver asks for it once per iteration. What has run out leaves the best point found.
///
/// Without bounds, which is the default, solvers do not ask for the time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget<'a> {
    /// Iterations, of all methods together. Default: those of the solver.
    pub max_iterations: Option<usize>,
    /// When the solve ends. Default: never.
    pub until: Option<Instant>,
    /// Ends the solve once it is true. Default: nothing does.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// Whether the time has run out or somebody has stopped the solve.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Iterations that a solver with this limit of its own may take.
    #[must_use]
    pub fn limit(&self, own: usize) -> usize {
        self.max_iterations.map_or(own, |most| most.min(own))
    }
}
