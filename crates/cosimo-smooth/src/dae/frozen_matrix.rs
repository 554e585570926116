//! The matrix that is carried from step to step.

/// The matrix of which [`TangentPolicy::Frozen`](super::TangentPolicy::Frozen) carries the factors from step to step, as it was
/// assembled: a step depends on it alone, whatever was tried, prepared or restored in between.
#[derive(Debug, Default)]
pub(super) struct FrozenMatrix {
    pub(super) entries: Vec<f64>,
    /// Whether a step has left one.
    pub(super) is_there: bool,
    /// Whether the factors at hand are its.
    pub(super) is_loaded: bool,
}

impl FrozenMatrix {
    /// Room for a matrix of so many entries.
    pub(super) fn with_entries(count: usize) -> Self {
        Self { entries: vec![0.0; count], ..Self::default() }
    }
}
