//! How a solve ended.

/// How a solver of the friction-contact problem ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrictionStatus {
    /// The residual, recomputed from the impulses returned, is within the tolerance.
    Solved,
    /// The limit on the number of iterations was met; the impulses are the best found.
    IterationLimit,
    /// The method cannot go on; the impulses are the best found.
    Stalled,
    /// The time of the [`Budget`](crate::Budget) has run out, or somebody has stopped the solve; the impulses are the best
    /// found.
    Interrupted,
}

/// How a solve ended, with the work done and the accuracy reached.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "the impulses are a solution only if the status says so"]
pub struct FrictionOutcome {
    /// How it ended.
    pub status: FrictionStatus,
    /// Iterations of the method, or of all methods that were tried: sweeps, factorisations or Newton steps.
    pub iterations: usize,
    /// [`FrictionProblem::residual`](super::FrictionProblem::residual) of the impulses returned; never NaN.
    pub residual: f64,
}

impl FrictionOutcome {
    /// Are the impulses returned a solution, checked by their residual?
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status == FrictionStatus::Solved
    }
}

/// A method that solves friction-contact problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrictionMethod {
    /// The first guess is a solution.
    Guess,
    /// [`GaussSeidel`](super::GaussSeidel).
    GaussSeidel,
    /// [`Patches`](super::Patches).
    Patches,
    /// [`InteriorPoint`](super::InteriorPoint).
    InteriorPoint,
    /// [`PseudoTransient`](super::PseudoTransient).
    PseudoTransient,
    /// [`ProximalPoint`](super::ProximalPoint).
    ProximalPoint,
    /// [`AlartCurnier`](super::AlartCurnier).
    Newton,
    /// [`ProjectedGradient`](super::ProjectedGradient).
    ProjectedGradient,
}
