//! The step that is derived.

use cosimo_dynamics::Motion;

use super::increments::Increments;
use super::problem::StepProblem;
use super::state::DaeState;

/// The step that is derived, solved.
pub(super) struct Solved<'a> {
    pub(super) problem: &'a StepProblem<'a>,
    /// `x`, and what it consists of.
    pub(super) increments: (&'a [f64], &'a Increments),
    /// Where forces balance.
    pub(super) stage: Motion<'a>,
    pub(super) end: &'a DaeState,
}

impl Solved<'_> {
    pub(super) fn motion(&self) -> Motion<'_> {
        self.end.motion()
    }
}
