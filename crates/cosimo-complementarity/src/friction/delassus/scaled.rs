//! Direct solvers of `(L W R + B) x = b` with `L`, `R`, `B` of one block a contact: what Newton's methods need of the
//! Delassus operator.

use cosimo_linear::FactorizationError;
use nalgebra::SMatrix;

/// The blocks of one contact in `(L W R + B) x = b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled<const D: usize> {
    /// Its block of `L`.
    pub left: SMatrix<f64, D, D>,
    /// Its block of `R`.
    pub right: SMatrix<f64, D, D>,
    /// Its block of `B`, regular.
    pub block: SMatrix<f64, D, D>,
}

/// `B⁻¹`, `B⁻¹ L` and `R` of one contact: what a system smaller than the rows needs of [`Scaled`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Divided<const D: usize> {
    pub(super) inverse: SMatrix<f64, D, D>,
    pub(super) left: SMatrix<f64, D, D>,
    pub(super) right: SMatrix<f64, D, D>,
}

impl<const D: usize> Divided<D> {
    pub(super) fn new(
        contact: usize,
        Scaled { left, right, block }: &Scaled<D>,
    ) -> Result<Self, FactorizationError> {
        let inverse = block.try_inverse().ok_or(FactorizationError::Singular { column: contact * D })?;
        Ok(Self { inverse, left: inverse * left, right: *right })
    }
}

/// A direct solver of `(L W R + B) x = b` with its storage. The symmetric part of the matrix is positive definite or
/// nearly so.
pub trait ScaledSystem<const D: usize> {
    /// Factorises the matrix with these blocks, one set a contact.
    ///
    /// # Errors
    /// A matrix that is singular to working precision.
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError>;

    /// Overwrites `x`, `D` numbers per contact, by the solution with this right-hand side.
    fn solve(&mut self, x: &mut [f64]);
}
