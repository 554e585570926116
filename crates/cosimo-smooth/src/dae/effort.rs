//! What a step costs.

/// Work of one solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepEffort {
    /// Iterations done.
    pub iterations: usize,
    /// Factorisations done.
    pub factorizations: usize,
}
