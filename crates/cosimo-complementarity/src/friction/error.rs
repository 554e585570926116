//! Why a friction problem was refused.

use thiserror::Error;

/// A rule on the input that was broken.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FrictionError {
    /// An entry outside the matrix.
    #[error("entry ({row}, {column}) lies outside the {size} x {size} matrix W")]
    Entry {
        /// Row, 0-based.
        row: usize,
        /// Column, 0-based.
        column: usize,
        /// Rows of the matrix.
        size: usize,
    },
    /// A matrix whose shape does not fit whole contacts.
    #[error("the matrix is {rows} x {columns}, must be square with a multiple of {dimension} rows")]
    Shape {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
        /// Numbers a contact.
        dimension: usize,
    },
    /// A vector of another length.
    #[error("`{quantity}` has {found} entries, must have {expected}")]
    Length {
        /// Name of the vector.
        quantity: &'static str,
        /// Entries wanted.
        expected: usize,
        /// Entries found.
        found: usize,
    },
    /// A number that is infinite or not a number.
    #[error("`{quantity}` is not finite in row {index}")]
    NotFinite {
        /// Name of the quantity.
        quantity: &'static str,
        /// Row, 0-based.
        index: usize,
    },
    /// A contact at a body that is not there.
    #[error("contact {contact} acts on body {body}, there are {bodies} bodies")]
    Body {
        /// Contact, 0-based.
        contact: usize,
        /// Body, 0-based.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// A coefficient of friction that is negative or not finite.
    #[error("the coefficient of friction of contact {contact} is {found}, must be finite and not negative")]
    Friction {
        /// Contact, 0-based.
        contact: usize,
        /// Value found.
        found: f64,
    },
    /// A contact that no impulse can open.
    #[error("contact {contact} has no normal compliance: W_NN is {found}, must be positive")]
    Normal {
        /// Contact, 0-based.
        contact: usize,
        /// Value found (1/kg).
        found: f64,
    },
    /// A contact whose compliance is too small or too large for floating-point numbers.
    #[error(
        "contact {contact} has {found:e} in its block of W, must lie between 1e-100 and 1e100: choose other units"
    )]
    Magnitude {
        /// Contact, 0-based.
        contact: usize,
        /// Value found (1/kg).
        found: f64,
    },
    /// A contact whose impulse would be larger than floating-point numbers are.
    #[error(
        "contact {contact} moves at {speed:e} with a normal compliance of {compliance:e}: its impulse would be beyond \
         1e300: choose other units"
    )]
    Impulse {
        /// Contact, 0-based.
        contact: usize,
        /// Largest of its velocities without impulses (m/s).
        speed: f64,
        /// Its normal compliance (1/kg).
        compliance: f64,
    },
    /// A setting outside its range.
    #[error("`{setting}` is {found}, must be {rule}")]
    Setting {
        /// Name of the setting.
        setting: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A law that the solver is not made for.
    #[error("{solver} solves problems with {law} law only")]
    Law {
        /// Name of the solver.
        solver: &'static str,
        /// The law that it solves.
        law: &'static str,
    },
}
