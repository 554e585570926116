//! Why a problem or a setting was refused before any computation.

use thiserror::Error;

/// A rule on the input that was broken, with the values that broke it.
///
/// A problem without a solution is not an error but an [`LcpOutcome`](crate::LcpOutcome).
///
/// ```
/// use cosimo_complementarity::{LcpError, LcpProblem};
/// let refused = LcpProblem::new(&[1.0, 0.0], &[-1.0]);
/// assert_eq!(refused, Err(LcpError::MatrixLength { dimension: 1, found: 2 }));
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LcpError {
    /// The matrix slice does not hold `dimension²` entries.
    #[error("the matrix has {found} entries; the {dimension} entries of q ask for {dimension} x {dimension}")]
    MatrixLength {
        /// Number of unknowns `n`, the length of `q`.
        dimension: usize,
        /// Length of the slice given.
        found: usize,
    },
    /// The matrix given is not `dimension × dimension`.
    #[error(
        "the matrix is {rows} x {columns}; the {dimension} entries of q ask for {dimension} x {dimension}"
    )]
    MatrixShape {
        /// Number of unknowns `n`, the length of `q`.
        dimension: usize,
        /// Rows of the matrix given.
        rows: usize,
        /// Columns of the matrix given.
        columns: usize,
    },
    /// A vector the size of the problem has another length.
    #[error("`{vector}` has {found} entries, the problem has {dimension} unknowns")]
    VectorLength {
        /// Name of the argument.
        vector: &'static str,
        /// Number of unknowns `n`.
        dimension: usize,
        /// Length of the slice given.
        found: usize,
    },
    /// An entry of `M` is infinite or not a number.
    #[error("M[{row}, {column}] is {found}; every entry must be finite")]
    MatrixNotFinite {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The entry.
        found: f64,
    },
    /// An entry of `q` is infinite or not a number.
    #[error("q[{index}] is {found}; every entry must be finite")]
    OffsetNotFinite {
        /// Index, from 0.
        index: usize,
        /// The entry.
        found: f64,
    },
    /// The tolerance of a solver is not a positive, finite number.
    #[error("`tolerance` must be positive and finite, not {found}")]
    Tolerance {
        /// The value given.
        found: f64,
    },
    /// More equations than rows.
    #[error("{found} rows are to be equations, there are {dimension}")]
    Equations {
        /// Number of rows.
        dimension: usize,
        /// Equations asked for.
        found: usize,
    },
    /// A relaxation outside (0, 2).
    #[error("`relaxation` must lie between 0 and 2, not be {found}")]
    Relaxation {
        /// The value given.
        found: f64,
    },
}
