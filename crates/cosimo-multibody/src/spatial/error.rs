//! Why a body is refused.

use thiserror::Error;

/// Data of a rigid body that contradict each other.
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
}
