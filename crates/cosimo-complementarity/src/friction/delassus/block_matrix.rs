//! The Delassus operator as a matrix of blocks.

use nalgebra::{DMatrix, SMatrix};

use crate::friction::error::FrictionError;

/// `W` by its blocks that are not zero, row by row, columns ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<SMatrix<f64, D, D>>,
    /// Place of the diagonal block of each row.
    diagonal: Vec<usize>,
}

/// No rows.
impl<const D: usize> Default for BlockMatrix<D> {
    fn default() -> Self {
        Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal: Vec::new() }
    }
}

impl<const D: usize> BlockMatrix<D> {
    /// The matrix of `contacts · D` rows with these entries `(row, column, value)`, 0-based; entries of one place add
    /// up.
    ///
    /// # Errors
    /// An index outside the matrix, or a value that is not finite.
    pub fn from_triplets(
        contacts: usize,
        triplets: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, FrictionError> {
        let size = contacts * D;
        let mut entries: Vec<(usize, usize, f64)> = Vec::new();
        for (row, column, value) in triplets {
            if row >= size || column >= size {
                return Err(FrictionError::Entry { row, column, size });
            }
            if !value.is_finite() {
                return Err(FrictionError::NotFinite { quantity: "W", index: row });
            }
            entries.push((row, column, value));
        }
        Ok(Self::gather(contacts, entries))
    }

    /// Entries that are known to be finite and inside the matrix.
    pub(crate) fn gather(contacts: usize, mut entries: Vec<(usize, usize, f64)>) -> Self {
        // Every row needs its diagonal block, be it zero.
        entries.extend((0..contacts).map(|i| (i * D, i * D, 0.0)));
        entries.sort_by_key(|(row, column, _)| (row / D, column / D));
        let mut matrix =
            Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal: vec![0; contacts] };
        for (row, column, value) in entries {
            let (i, j) = (row / D, column / D);
            while matrix.starts.len() <= i {
                matrix.starts.push(matrix.columns.len());
            }
            let is_open = matrix.columns.len() > matrix.starts[i] && matrix.columns.last() == Some(&j);
            if !is_open {
                if i == j {
                    matrix.diagonal[i] = matrix.columns.len();
                }
                matrix.columns.push(j);
                matrix.blocks.push(SMatrix::zeros());
            }
            if let Some(block) = matrix.blocks.last_mut() {
                block[(row % D, column % D)] += value;
            }
        }
        matrix.starts.resize(contacts + 1, matrix.columns.len());
        matrix
    }

    /// A dense matrix, `contacts · D` square; blocks of zeros are dropped.
    ///
    /// # Errors
    /// The matrix is not square in whole contacts, or not finite.
    pub fn from_dense(matrix: &DMatrix<f64>) -> Result<Self, FrictionError> {
        let (rows, columns) = matrix.shape();
        if rows != columns || rows % D != 0 {
            return Err(FrictionError::Shape { rows, columns, dimension: D });
        }
        Self::from_triplets(rows / D, nonzeros(matrix))
    }

    /// Rows of blocks with their columns, ascending, the diagonal among them.
    pub fn from_rows(rows: impl Iterator<Item = Vec<(usize, SMatrix<f64, D, D>)>>) -> Self {
        let mut matrix = Self::default();
        rows.for_each(|row| matrix.push_row(row.into_iter()));
        matrix
    }

    /// Forgets all rows; their storage is used again.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
        self.columns.clear();
        self.blocks.clear();
        self.diagonal.clear();
    }

    /// Adds a row of blocks with their columns, ascending, the diagonal among them; others that are zero are dropped.
    pub fn push_row(&mut self, blocks: impl Iterator<Item = (usize, SMatrix<f64, D, D>)>) {
        let row = self.diagonal.len();
        for (column, block) in blocks {
            if column == row {
                self.diagonal.push(self.blocks.len());
            } else if block.iter().all(|entry| *entry == 0.0) {
                continue;
            }
            self.columns.push(column);
            self.blocks.push(block);
        }
        if self.diagonal.len() == row {
            self.diagonal.push(self.blocks.len());
            self.columns.push(row);
            self.blocks.push(SMatrix::zeros());
        }
        self.starts.push(self.columns.len());
    }

    /// Adds a number for each contact to its diagonal.
    pub fn add_to_diagonal(&mut self, numbers: &[f64]) {
        for (place, number) in self.diagonal.iter().zip(numbers) {
            (0..D).for_each(|k| self.blocks[*place][(k, k)] += number);
        }
    }

    /// A dense matrix of whole contacts that is known to be finite.
    pub(crate) fn from_checked(matrix: &DMatrix<f64>) -> Self {
        Self::gather(matrix.nrows() / D, nonzeros(matrix).collect())
    }

    /// Number of blocks kept.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// All blocks with their row and column, row by row.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, usize, &SMatrix<f64, D, D>)> {
        (0..self.diagonal.len())
            .flat_map(|row| self.of_row(row).map(move |(column, block)| (row, column, block)))
    }

    /// Number of rows of blocks.
    pub(crate) fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// The columns of the blocks in a row, ascending.
    pub(crate) fn columns_of(&self, contact: usize) -> &[usize] {
        &self.columns[self.starts[contact]..self.starts[contact + 1]]
    }

    /// The block on the diagonal of a row.
    pub(crate) fn diagonal_block(&self, row: usize) -> &SMatrix<f64, D, D> {
        &self.blocks[self.diagonal[row]]
    }

    /// The block of this row and column; `None` where it is zero.
    pub(crate) fn block_at(&self, row: usize, column: usize) -> Option<&SMatrix<f64, D, D>> {
        let place = self.columns_of(row).binary_search(&column).ok()?;
        Some(&self.blocks[self.starts[row] + place])
    }

    pub(crate) fn of_row(&self, contact: usize) -> impl Iterator<Item = (usize, &SMatrix<f64, D, D>)> {
        let range = self.starts[contact]..self.starts[contact + 1];
        self.columns[range.clone()].iter().copied().zip(&self.blocks[range])
    }
}

/// Entries of a dense matrix that are not zero.
fn nonzeros(matrix: &DMatrix<f64>) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    let places = (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |j| (i, j)));
    places.map(|(i, j)| (i, j, matrix[(i, j)])).filter(|(_, _, value)| *value != 0.0)
}
