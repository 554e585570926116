//! Why a spatial model is refused.

use thiserror::Error;

use super::error::SpatialError;

/// Data of a spatial model that contradict each other; the texts name the offender.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpatialModelError {
    /// A model without bodies.
    #[error("a spatial system needs at least one body")]
    NoBodies,
    /// A name given twice.
    #[error("there are two {kind} named `{name}`; rename one")]
    DuplicateName {
        /// What is named: bodies, joints, forces or sensors.
        kind: &'static str,
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
    /// A stop of a sensor that does not exist, or measures three numbers.
    #[error(
        "{owner} is a stop of sensor `{sensor}`, which is none of a distance, a displacement or an angle; there are: {known}"
    )]
    UnknownSensor {
        /// What refers to it.
        owner: String,
        /// The name that was not found.
        sensor: String,
        /// The sensors of one number there are, separated by commas.
        known: String,
    },
    /// A number outside its range.
    #[error("{owner}: {quantity} is {found:?}, must be {rule}")]
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
    /// A motion that no position follows.
    #[error("joint `{joint}`: its {quantity} is {found:.3e} at t = {time:.6e} s, must be {rule}")]
    Motion {
        /// The joint.
        joint: String,
        /// The number prescribed.
        quantity: &'static str,
        /// Its value.
        found: f64,
        /// When it has it (s).
        time: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A joint or force whose two frames do not move against each other.
    #[error("{owner} joins two frames of the same body, or of the ground; join two different ones")]
    SameOwner {
        /// The joint or force.
        owner: String,
    },
    /// Two points at the same place where the line between them is needed.
    #[error("{owner}: its two points coincide at the start, so that the line between them has no direction")]
    NoLine {
        /// The joint or force.
        owner: String,
    },
    /// Two spheres of a pool that do not touch from outside.
    #[error(
        "{owner}: `{second}` and `{first}` are one inside the other at the start, their centres {distance:?} m apart"
    )]
    Nested {
        /// The contact.
        owner: String,
        /// The first body.
        first: String,
        /// The second body.
        second: String,
        /// Distance of the centres (m).
        distance: f64,
    },
    /// A pool of contacts without surfaces.
    #[error("{owner} is no contact of spheres; of others every pair is a contact of its own")]
    NoSpheres {
        /// The contact.
        owner: String,
    },
    /// A joint without rows, or with more than two bodies can have.
    #[error("{owner} has {rows} constraint rows, must have 1 to 6; make several joints of it")]
    RowCount {
        /// The joint.
        owner: String,
        /// Rows found.
        rows: usize,
    },
    /// Inertia that an element adds, of which no body can be made.
    #[error("{owner}: node {node} gets no inertia of a body: {source}")]
    Inertia {
        /// The element.
        owner: String,
        /// Number of the node, from 0.
        node: usize,
        /// The rule broken.
        source: SpatialError,
    },
}
