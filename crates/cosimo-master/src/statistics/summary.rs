//! What a step did.

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct StepSummary {
    /// Solves of the interface problem.
    pub solves: u32,
    /// Master iterations.
    pub iterations: u32,
    /// Parts the step was taken in: 1, or more where it was halved or split at impacts.
    pub parts: u32,
}

impl StepSummary {
    pub(crate) fn add(&mut self, other: Self) {
        self.solves += other.solves;
        self.iterations += other.iterations;
        self.parts += other.parts;
    }
}
