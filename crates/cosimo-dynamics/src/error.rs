//! Why a system or a step of it is refused.

use cosimo_linear::FactorizationError;
use thiserror::Error;

/// A system whose data contradict each other.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SystemError {
    /// A vector or matrix has the wrong size.
    #[error("{quantity} has size {found}, expected {expected}")]
    Size {
        /// What it is.
        quantity: &'static str,
        /// The size it must have.
        expected: usize,
        /// The size it has.
        found: usize,
    },
    /// A number that is not finite.
    #[error("{quantity} contains a number that is not finite")]
    NotFinite {
        /// Where it was found.
        quantity: &'static str,
    },
    /// A row of a coordinate that there is not.
    #[error("a {row} observes coordinate {coordinate}, counted from 0, of a system of {coordinates}")]
    Coordinate {
        /// What the row is of.
        row: &'static str,
        /// The coordinate.
        coordinate: usize,
        /// How many there are.
        coordinates: usize,
    },
    /// The mass matrix, on the motions that the constraints leave free, is singular.
    #[error(
        "no unique acceleration: the mass matrix or the constraints are singular ({0}); look for a zero mass or a constraint given twice"
    )]
    NoAcceleration(#[from] FactorizationError),
    /// A rule that needs points before its start, or chooses its order, and does not pass on given momenta.
    #[error(
        "the rule `{rule}` belongs to differential-algebraic systems: nothing here gives it points before its start; take the two-step rule, one of the generalized-α family, or θ"
    )]
    Rule {
        /// Its label.
        rule: String,
    },
    /// A parameter outside its range.
    #[error("{quantity} is {found}, must be {rule}")]
    OutOfRange {
        /// Name of the parameter.
        quantity: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
}

/// Why one implicit step failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// The size of a step is not positive, or not finite.
    #[error("the step size is {found} s, must be positive and finite")]
    StepSize {
        /// Value found (s).
        found: f64,
    },
    /// The iteration matrix is singular.
    #[error("the iteration matrix M + c_v C + c_q K (with constraints) cannot be factorised: {0}")]
    Factorization(#[from] FactorizationError),
    /// A number that is not finite appeared.
    #[error("{quantity} is not finite")]
    NotFinite {
        /// Where it appeared.
        quantity: &'static str,
    },
}
