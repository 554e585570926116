//! Errors of factorisations.

use thiserror::Error;

/// Why a matrix could not be factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactorizationError {
    /// No usable pivot in this column: the matrix is singular to working precision, or not finite.
    #[error("the matrix is singular: no usable pivot in column {column}")]
    Singular {
        /// Index of the column.
        column: usize,
    },
    /// A pivot of a symmetric matrix is not positive.
    #[error("the matrix is not positive definite: row {row}")]
    NotPositiveDefinite {
        /// Index of the row.
        row: usize,
    },
}
