//! What is known of a trial step.

use super::increments::Increments;
use super::state::DaeState;

/// A trial step.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) h: f64,
    /// The start, with accelerations that balance its loads.
    pub(super) start: DaeState,
    /// The first solution, where all others begin.
    pub(super) free: Increments,
    pub(super) free_multipliers: Vec<f64>,
    /// Whether the factors are those of the first solution.
    pub(super) has_first_factors: bool,
    pub(super) moved: DaeState,
    /// Of the jump prepared, what each of its columns makes prescribed motions do.
    pub(super) driven: Vec<f64>,
}

impl Trial {
    pub(super) fn new(state: &DaeState) -> Self {
        let (n, m) = (state.v.len(), state.mu.len());
        Self {
            h: 0.0,
            start: state.clone(),
            free: Increments::zeros(n, m),
            free_multipliers: vec![0.0; m],
            has_first_factors: false,
            moved: state.clone(),
            driven: Vec::new(),
        }
    }

    /// The factors at hand are not those of the first solution any more.
    pub(super) fn forget_factors(&mut self) {
        self.has_first_factors = false;
    }
}
