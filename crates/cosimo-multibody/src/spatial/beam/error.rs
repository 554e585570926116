//! Why a beam is refused.

use thiserror::Error;

use super::super::error::SpatialError;

/// Data of a beam that contradict each other.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BeamError {
    /// Too few nodes.
    #[error("beam `{beam}` has {nodes} nodes, needs at least 2")]
    TooFewNodes {
        /// The beam.
        beam: String,
        /// Nodes found.
        nodes: usize,
    },
    /// Stations that do not increase.
    #[error("beam `{beam}`: station {station} m follows {before} m; stations must increase and be finite")]
    Stations {
        /// The beam.
        beam: String,
        /// The station (m).
        station: f64,
        /// The one before (m).
        before: f64,
    },
    /// A section whose law is not positive definite.
    #[error(
        "beam `{beam}`: the section at {station} m has a stiffness whose least eigenvalue is {found:?}, must be positive"
    )]
    Stiffness {
        /// The beam.
        beam: String,
        /// The station (m).
        station: f64,
        /// Least eigenvalue.
        found: f64,
    },
    /// A section whose moments belong to no distribution of mass.
    #[error(
        "beam `{beam}`: the section at {station} m has a second moment of {found:?} kg m about its centre of mass, which is negative: \
         its inertia about the reference line is below mass times offset²; is the offset a fraction of the chord, or the inertia about the centre?"
    )]
    NegativeCentralInertia {
        /// The beam.
        beam: String,
        /// The station (m).
        station: f64,
        /// Least second moment about the centre of mass (kg m).
        found: f64,
    },
    /// A node whose inertia belongs to no body.
    #[error(
        "beam `{beam}`: node {node} at {station} m gets no inertia of a body: {source}; give the sections a mass everywhere and an inertia floor"
    )]
    NodeInertia {
        /// The beam.
        beam: String,
        /// Number of the node, from 0.
        node: usize,
        /// Its station (m).
        station: f64,
        /// The rule broken.
        source: SpatialError,
    },
}

/// A table of sections that cannot be read.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SectionTableError {
    /// A header that names no columns.
    #[error(
        "{table}: line {line}: the header must be `r0_m,r1_m` and then `NAME_UNIT_at_r0` and `NAME_UNIT_at_r1` of every quantity, found `{found}`"
    )]
    Header {
        /// The table.
        table: String,
        /// Line, from 1.
        line: usize,
        /// The header found.
        found: String,
    },
    /// A unit that is not known.
    #[error("{table}: column `{column}` ends in no unit; known are {known}")]
    Unit {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Units that are known.
        known: &'static str,
    },
    /// A field that is not a number.
    #[error("{table}: line {line}, field {field}: `{found}` is no finite number")]
    Number {
        /// The table.
        table: String,
        /// Line, from 1.
        line: usize,
        /// Field, from 1.
        field: usize,
        /// The text found.
        found: String,
    },
    /// A line with too few or too many fields.
    #[error("{table}: line {line} has {found} fields, must have {expected}")]
    Fields {
        /// The table.
        table: String,
        /// Line, from 1.
        line: usize,
        /// Fields found.
        found: usize,
        /// Fields expected.
        expected: usize,
    },
    /// Segments that leave a gap, overlap, or have no length.
    #[error(
        "{table}: line {line}: a segment from {from} m to {to} m follows one that ends at {before} m; segments must follow each other"
    )]
    Segments {
        /// The table.
        table: String,
        /// Line, from 1.
        line: usize,
        /// Begin of the segment (m).
        from: f64,
        /// End of the segment (m).
        to: f64,
        /// End of the segment before (m).
        before: f64,
    },
    /// A table without segments.
    #[error("{table} has no segments")]
    Empty {
        /// The table.
        table: String,
    },
    /// A column that does not exist.
    #[error("{table} has no column `{column}`; there are: {known}")]
    Column {
        /// The table.
        table: String,
        /// The column asked for.
        column: String,
        /// Columns there are.
        known: String,
    },
    /// A column whose unit is that of another quantity.
    #[error("{table}: column `{column}` is in {found}, the {quantity} must be in {expected}")]
    WrongUnit {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What it is for.
        quantity: &'static str,
        /// Unit found.
        found: &'static str,
        /// Units that fit.
        expected: &'static str,
    },
    /// A fraction of the chord where the chord is not given.
    #[error("{table}: column `{column}` is a fraction of the chord; give the chord")]
    NoChord {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A quantity that sections need.
    #[error("sections need a table of the {quantity}")]
    Missing {
        /// The quantity.
        quantity: &'static str,
    },
}
