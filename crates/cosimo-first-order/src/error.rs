//! What goes wrong in a system.

use thiserror::Error;

/// Why a system gives no answer, or a step of it has no end.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SystemError {
    /// The system refuses the point it is asked at; with another step it may not.
    #[error("{reason}")]
    Refused {
        /// What the system says.
        reason: String,
    },
    /// The system has failed for good.
    #[error("{reason}")]
    Failed {
        /// What the system says.
        reason: String,
    },
    /// The system asks for the end of the simulation.
    #[error("it asks at {time} s for the simulation to end; set the end of the run to that time")]
    Terminated {
        /// When (s).
        time: f64,
    },
    /// A number of the system that is not finite.
    #[error("{what} {index} is not finite at {time} s")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// Its index.
        index: usize,
        /// When (s).
        time: f64,
    },
    /// Newton's method does not find the end of a step.
    #[error(
        "the step has no solution by {iterations} iterations: the last correction of state {state} is {correction:.3e} of its size"
    )]
    NotConverged {
        /// Iterations done.
        iterations: u32,
        /// The state that changes most.
        state: usize,
        /// Its last correction, relative (–).
        correction: f64,
    },
    /// The matrix of a step cannot be solved with.
    #[error("the matrix I − c ∂f/∂x of the step is singular; take another step size")]
    Singular,
    /// More events in one step than can be.
    #[error("there are more than {count} events in one step, the last at {time} s")]
    TooManyEvents {
        /// How many were taken.
        count: u32,
        /// The last one (s).
        time: f64,
    },
}

impl SystemError {
    /// Whether a step of another size may succeed.
    #[must_use]
    pub fn is_of_step(&self) -> bool {
        !matches!(self, Self::Failed { .. } | Self::Terminated { .. })
    }
}
