//! Why a body or a step of it is refused.

use thiserror::Error;

/// Data of a rigid body that contradict each other, or a step that has no end.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpatialError {
    /// A number outside its range.
    #[error("the {quantity} is {found:?}, must be {rule}")]
    OutOfRange {
        /// Name of the number.
        quantity: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// An inertia matrix that belongs to no body.
    #[error("no body has this inertia: {reason}")]
    Inertia {
        /// The rule broken.
        reason: String,
    },
    /// The body turns too far in one step.
    #[error(
        "the body turns by {angle:.3} rad in a step of {size} s, more than half a turn; use a smaller step"
    )]
    TurnsTooFar {
        /// Angle of the rotation (rad).
        angle: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// The rotation of a step was not found.
    #[error(
        "the rotation of a step of {size} s was not found in {iterations} iterations; use a smaller step"
    )]
    NotConverged {
        /// Size of the step (s).
        size: f64,
        /// Iterations done.
        iterations: usize,
    },
}
