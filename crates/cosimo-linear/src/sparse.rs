//! LU factorisation of a sparse matrix of any pattern, by the crate `faer`.

use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::Lu;
use faer::sparse::{SparseColMat, Triplet};
use faer::traits::ComplexField;
use faer::{Conj, MatMut};
use nalgebra::Complex;

use crate::FactorizationError;

/// Numbers that a sparse matrix may be of.
pub trait SparseNumber: ComplexField {
    /// One.
    const ONE: Self;

    /// Whether it is neither infinite nor no number.
    fn is_a_number(&self) -> bool;
}

impl SparseNumber for f64 {
    const ONE: Self = 1.0;

    fn is_a_number(&self) -> bool {
        self.is_finite()
    }
}

impl SparseNumber for Complex<f64> {
    const ONE: Self = Self::new(1.0, 0.0);

    fn is_a_number(&self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
}

/// LU factors of a sparse square matrix, with exchanges of rows and columns in an order that keeps them sparse. For matrices that are
/// factorised few times: the order is found anew each time.
///
/// ```
/// use cosimo_linear::SparseLu;
/// let lu = SparseLu::new(2, &[(0, 1, 2.0), (1, 0, 4.0)])?;
/// let mut x = [2.0, 8.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [2.0, 1.0]);
/// # Ok::<(), cosimo_linear::FactorizationError>(())
/// ```
pub struct SparseLu<T> {
    factors: Lu<usize, T>,
    dimension: usize,
}

impl<T: SparseNumber> SparseLu<T> {
    /// Factorises the matrix of these entries: row, column, value; those of one place are added.
    ///
    /// # Errors
    /// [`FactorizationError::Singular`] of a matrix that has no inverse whatever its numbers, or a pivot of zero. Pivots of round-off are
    /// none: what is solved tells.
    pub fn new(dimension: usize, entries: &[(usize, usize, T)]) -> Result<Self, FactorizationError> {
        use faer::sparse::linalg::LuError;
        let triplet =
            |(row, col, val): &(usize, usize, T)| Triplet { row: *row, col: *col, val: val.clone() };
        let triplets: Vec<_> = entries.iter().map(triplet).collect();
        let outside = FactorizationError::Singular { column: 0 };
        let matrix = SparseColMat::<usize, T>::try_new_from_triplets(dimension, dimension, &triplets)
            .map_err(|_| outside)?;
        let factors = matrix.sp_lu().map_err(|error| match error {
            LuError::SymbolicSingular { index } => FactorizationError::Singular { column: index },
            LuError::Generic(_) => outside,
        })?;
        let lu = Self { factors, dimension };
        // A pivot of zero leaves a solution without numbers.
        let mut probe = vec![T::ONE; dimension];
        lu.solve(&mut probe);
        match probe.iter().position(|x| !x.is_a_number()) {
            Some(column) => Err(FactorizationError::Singular { column }),
            None => Ok(lu),
        }
    }

    /// Overwrites right-hand sides, one after the other, by the solutions.
    pub fn solve(&self, x: &mut [T]) {
        debug_assert!(x.len().is_multiple_of(self.dimension.max(1)), "whole right-hand sides");
        let columns = x.len() / self.dimension.max(1);
        let x = MatMut::from_column_major_slice_mut(x, self.dimension, columns);
        self.factors.solve_in_place_with_conj(Conj::No, x);
    }
}

impl<T> std::fmt::Debug for SparseLu<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseLu").field("dimension", &self.dimension).finish_non_exhaustive()
    }
}
