//! Errors of airfoil data.

use thiserror::Error;

/// Why data of an airfoil were refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum AirfoilError {
    /// A field that does not hold what it must.
    #[error("line {line}, column {column}: `{found}` where {expected} must stand")]
    Field {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What must stand there.
        expected: &'static str,
    },
    /// A file that ends early.
    #[error("the file ends at line {line}, before {missing}")]
    Ended {
        /// Number of lines.
        line: usize,
        /// What is missing.
        missing: String,
    },
    /// More text than the header prefetches.
    #[error("line {line} stands after the last table; the counts of the header do not fit the tables")]
    Surplus {
        /// Line, counted from 1.
        line: usize,
    },
    /// Angles or Mach numbers that do not increase.
    #[error("{coefficient}: {axis} does not increase from {before} to {after}")]
    NotIncreasing {
        /// Name of the coefficient.
        coefficient: &'static str,
        /// Name of the axis.
        axis: &'static str,
        /// An entry.
        before: f64,
        /// The next.
        after: f64,
    },
    /// Angles that do not go round.
    #[error("{coefficient}: angles go from {first}° to {last}°; they must cover −180° to 180°")]
    Coverage {
        /// Name of the coefficient.
        coefficient: &'static str,
        /// The first angle (deg).
        first: f64,
        /// The last angle (deg).
        last: f64,
    },
    /// A table without entries, or with a number of values that does not fit its axes.
    #[error("{coefficient}: {found} values for {angles} angles and {machs} Mach numbers")]
    Size {
        /// Name of the coefficient.
        coefficient: &'static str,
        /// Number of angles.
        angles: usize,
        /// Number of Mach numbers.
        machs: usize,
        /// Number of values.
        found: usize,
    },
    /// A number that is not finite, or a Mach number below zero.
    #[error("{coefficient}: {what} is {found}")]
    BadNumber {
        /// Name of the coefficient.
        coefficient: &'static str,
        /// What it is.
        what: &'static str,
        /// The number.
        found: f64,
    },
}
