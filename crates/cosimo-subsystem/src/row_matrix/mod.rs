//! Square matrices over the rows of a subsystem: dense, by blocks, or sparse.

mod blocks;
mod sparse;

use std::ops::{Index, Range};

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

pub use blocks::{BadBlocks, RowBlock, RowBlocks};
pub use sparse::SparseRows;

/// A square matrix over the rows (or load coordinates) of a subsystem.
///
/// Whoever reads it uses the methods, which hold for every form: entries outside of the blocks are zero.
///
/// ```
/// use cosimo_subsystem::{RowBlock, RowBlocks, RowMatrix, nalgebra::DMatrix};
/// let wheel = |rows: [usize; 2]| RowBlock { rows: rows.to_vec(), entries: DMatrix::identity(2, 2) * 0.5 };
/// let matrix = RowMatrix::Blocks(RowBlocks::new(5, vec![wheel([0, 3]), wheel([1, 4])])?);
/// assert_eq!((matrix[(3, 3)], matrix[(0, 1)]), (0.5, 0.0));
/// assert!(!matrix.has_row(2) && !matrix.couples(0..1, 1..3));
/// # Ok::<(), cosimo_subsystem::BadBlocks>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RowMatrix {
    /// All entries.
    Dense(#[serde(with = "crate::codec::matrix")] DMatrix<f64>),
    /// Blocks of rows that meet each other only. A row in no block has no entries.
    Blocks(RowBlocks),
    /// Entries row by row, the others are zero.
    Sparse(SparseRows),
}

impl RowMatrix {
    /// A dense matrix of zeros, `rows × rows`.
    #[must_use]
    pub fn zeros(rows: usize) -> Self {
        Self::Dense(DMatrix::zeros(rows, rows))
    }

    /// A matrix of so many rows, none of which has entries: what nothing is known of, without storage for it.
    #[must_use]
    pub fn without_entries(rows: usize) -> Self {
        Self::Blocks(RowBlocks::over(&vec![false; rows]))
    }

    /// Number of rows and columns.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(matrix) => matrix.shape(),
            Self::Blocks(blocks) => (blocks.rows(), blocks.rows()),
            Self::Sparse(sparse) => (sparse.rows(), sparse.rows()),
        }
    }

    /// Whether it is `0 × 0`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape() == (0, 0)
    }

    /// Whether the row has entries: of a dense matrix every row has.
    #[inline]
    #[must_use]
    pub fn has_row(&self, row: usize) -> bool {
        match self {
            Self::Dense(_) => true,
            Self::Blocks(blocks) => blocks.place(row).is_some(),
            Self::Sparse(sparse) => !sparse.row(row).0.is_empty(),
        }
    }

    /// Whether every row has entries.
    #[must_use]
    pub fn has_all_rows(&self) -> bool {
        (0..self.shape().0).all(|row| self.has_row(row))
    }

    /// Whether entries between these rows may differ from zero.
    #[must_use]
    pub fn couples(&self, a: Range<usize>, b: Range<usize>) -> bool {
        match self {
            Self::Dense(_) => true,
            Self::Blocks(blocks) => {
                let block = |row: usize| blocks.place(row).map(|(block, _)| block);
                a.filter_map(block).any(|own| b.clone().filter_map(block).any(|other| own == other))
            }
            Self::Sparse(sparse) => {
                let meets = |row: usize| sparse.row(row).0.iter().any(|column| b.contains(column));
                a.into_iter().any(meets)
            }
        }
    }

    /// The entry at this row and column.
    #[inline]
    #[must_use]
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self[(row, column)]
    }

    /// Row `row` times a vector.
    #[inline]
    #[must_use]
    pub fn row_product(&self, row: usize, x: &[f64]) -> f64 {
        match self {
            Self::Dense(matrix) => {
                let (entries, n, mut entry, mut sum) = (matrix.as_slice(), matrix.nrows(), row, 0.0);
                for x in x {
                    sum += entries[entry] * x;
                    entry += n;
                }
                sum
            }
            Self::Blocks(blocks) => blocks.row_product(row, x),
            Self::Sparse(sparse) => sparse.row_product(row, x),
        }
    }

    /// Writes the product with a vector, column by column.
    pub fn product_into(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        match self {
            Self::Dense(matrix) => {
                for (column, x) in matrix.as_slice().chunks_exact(out.len().max(1)).zip(x) {
                    out.iter_mut().zip(column).for_each(|(sum, w)| *sum += w * x);
                }
            }
            Self::Blocks(blocks) => blocks.add_product(x, out),
            Self::Sparse(sparse) => {
                out.iter_mut().enumerate().for_each(|(row, sum)| *sum = sparse.row_product(row, x));
            }
        }
    }

    /// The product with a vector.
    #[must_use]
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        (0..self.shape().0).map(|row| self.row_product(row, x)).collect()
    }

    /// The entries that are stored, and the row of each.
    pub fn stored(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (dense, blocks, sparse) = match self {
            Self::Dense(matrix) => (Some(matrix), None, None),
            Self::Blocks(blocks) => (None, Some(blocks), None),
            Self::Sparse(sparse) => (None, None, Some(sparse)),
        };
        let of_dense = dense.into_iter().flat_map(|matrix| {
            let rows = matrix.nrows();
            matrix.iter().enumerate().map(move |(k, x)| (k % rows, *x))
        });
        let of_blocks = blocks.into_iter().flat_map(RowBlocks::stored);
        of_dense.chain(of_blocks).chain(sparse.into_iter().flat_map(SparseRows::stored))
    }

    /// Largest magnitude of an entry; zero of none.
    #[must_use]
    pub fn amax(&self) -> f64 {
        self.stored().fold(0.0, |most: f64, (_, x)| most.max(x.abs()))
    }

    /// Largest magnitude of an entry of a column.
    #[must_use]
    pub fn column_amax(&self, column: usize) -> f64 {
        (0..self.shape().0).map(|row| self.entry(row, column).abs()).fold(0.0, f64::max)
    }

    /// The matrix as a dense one, to be written; one of another form becomes a dense one of zeros.
    pub fn dense_mut(&mut self) -> &mut DMatrix<f64> {
        match self {
            Self::Dense(matrix) => matrix,
            _ => {
                *self = Self::zeros(self.shape().0);
                self.dense_mut()
            }
        }
    }

    /// All entries.
    #[must_use]
    pub fn to_dense(&self) -> DMatrix<f64> {
        let (rows, columns) = self.shape();
        DMatrix::from_fn(rows, columns, |row, column| self.entry(row, column))
    }

    /// Multiplies all entries.
    pub fn scale(&mut self, factor: f64) {
        match self {
            Self::Dense(matrix) => *matrix *= factor,
            Self::Blocks(blocks) => blocks.scale(factor),
            Self::Sparse(sparse) => sparse.scale(factor),
        }
    }

    /// Takes over another matrix without new storage where form and shape agree.
    pub fn copy_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Dense(own), Self::Dense(other)) if own.shape() == other.shape() => own.copy_from(other),
            (Self::Blocks(own), Self::Blocks(other)) if own.has_form_of(other) => own.copy_from(other),
            (Self::Sparse(own), Self::Sparse(other)) if own.has_form_of(other) => own.copy_from(other),
            _ => self.clone_from(other),
        }
    }
}

impl From<DMatrix<f64>> for RowMatrix {
    fn from(matrix: DMatrix<f64>) -> Self {
        Self::Dense(matrix)
    }
}

impl Index<(usize, usize)> for RowMatrix {
    type Output = f64;

    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        match self {
            Self::Dense(matrix) => &matrix[(row, column)],
            Self::Blocks(blocks) => blocks.entry(row, column),
            Self::Sparse(sparse) => sparse.entry(row, column),
        }
    }
}
