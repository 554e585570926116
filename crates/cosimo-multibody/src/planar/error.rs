//! Why a planar model is refused.

use thiserror::Error;

/// Planar data that contradict each other; the texts name the offender.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanarError {
    /// A model without bodies.
    #[error("a planar system needs at least one body")]
    NoBodies,
    /// A name given twice.
    #[error("there are two {kind} named `{name}`; rename one")]
    DuplicateName {
        /// What is named: bodies, pins or contacts.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A body named like the ground.
    #[error("a body cannot be named `{name}`, which stands for the fixed world; rename it")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// A reference to a body that does not exist.
    #[error("{owner} refers to body `{body}`, which does not exist; there are: {known}")]
    UnknownBody {
        /// What refers to it.
        owner: String,
        /// The name that was not found.
        body: String,
        /// The bodies there are, separated by commas.
        known: String,
    },
    /// A number outside its range.
    #[error("{owner}: {quantity} is {found}, must be {rule}")]
    OutOfRange {
        /// What it belongs to.
        owner: String,
        /// Name of the number.
        quantity: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A direction of length zero.
    #[error("{owner}: {quantity} is zero and has no direction")]
    NoDirection {
        /// What it belongs to.
        owner: String,
        /// Name of the vector.
        quantity: &'static str,
    },
    /// A pin or spring whose two points do not move against each other.
    #[error("{owner} joins two points of the same body, or of the ground; join two different ones")]
    SameOwner {
        /// The pin or spring.
        owner: String,
    },
    /// A contact point fixed to the ground.
    #[error("contact `{contact}` watches a point of the ground, which does not move; give a body")]
    ContactOnGround {
        /// Name of the contact.
        contact: String,
    },
}
