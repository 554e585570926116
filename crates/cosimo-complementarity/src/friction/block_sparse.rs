//! The Delassus operator as a matrix of blocks.

use nalgebra::{DMatrix, SMatrix, SVector};

use super::delassus::of_contact;
use super::grouped::ScaledGroups;
use super::residual::add_product;
use super::scaled::ScaledMatrix;
use super::{Delassus, FrictionError, ScaledSystem};
use crate::lcp::arithmetic::CompensatedSum;

/// `W` by its blocks that are not zero, row by row, columns ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<SMatrix<f64, D, D>>,
    /// Place of the diagonal block of each row.
    diagonal: Vec<usize>,
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

    /// Row, column and size of the largest difference between an entry and its mirror image, where it is above this share of
    /// the mean diagonal. The operator of a mechanism is symmetric but for loads that follow the motion.
    #[must_use]
    pub fn asymmetry(&self, share: f64) -> Option<(usize, usize, f64)> {
        let (mut least, mut found) = (share * self.mean_diagonal(), None);
        for (i, j, block) in self.blocks() {
            let difference = block - self.between(j, i).transpose();
            for (row, column) in (0..D).flat_map(|row| (0..D).map(move |column| (row, column))) {
                let size = difference[(row, column)].abs();
                if size > least {
                    (least, found) = (size, Some((i * D + row, j * D + column, size)));
                }
            }
        }
        found
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
    pub(crate) fn from_rows(rows: impl Iterator<Item = Vec<(usize, SMatrix<f64, D, D>)>>) -> Self {
        let mut matrix =
            Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal: Vec::new() };
        for (i, row) in rows.enumerate() {
            for (column, block) in row {
                if column == i {
                    matrix.diagonal.push(matrix.columns.len());
                }
                matrix.columns.push(column);
                matrix.blocks.push(block);
            }
            matrix.starts.push(matrix.columns.len());
        }
        matrix
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

    /// A direct solver of `(L W R + B) x = b` that has the matrix.
    pub(crate) fn into_scaled(self) -> Box<dyn ScaledSystem<D>> {
        match ScaledGroups::find(&self) {
            Some(groups) => Box::new(groups),
            None => Box::new(ScaledMatrix::new(self)),
        }
    }

    /// The columns of the blocks in a row, ascending.
    pub(crate) fn columns_of(&self, contact: usize) -> &[usize] {
        &self.columns[self.starts[contact]..self.starts[contact + 1]]
    }

    fn of_row(&self, contact: usize) -> impl Iterator<Item = (usize, &SMatrix<f64, D, D>)> {
        let range = self.starts[contact]..self.starts[contact + 1];
        self.columns[range.clone()].iter().copied().zip(&self.blocks[range])
    }
}

/// Entries of a dense matrix that are not zero.
fn nonzeros(matrix: &DMatrix<f64>) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    let places = (0..matrix.nrows()).flat_map(|i| (0..matrix.ncols()).map(move |j| (i, j)));
    places.map(|(i, j)| (i, j, matrix[(i, j)])).filter(|(_, _, value)| *value != 0.0)
}

impl<const D: usize> Delassus<D> for BlockMatrix<D> {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn block(&self, contact: usize) -> SMatrix<f64, D, D> {
        self.blocks[self.diagonal[contact]]
    }

    #[inline]
    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> SVector<f64, D> {
        self.of_row(contact).fold(SVector::zeros(), |sum, (j, block)| sum + block * of_contact::<D>(r, j))
    }

    fn precise_velocity(&self, contact: usize, r: &[f64], q: &SVector<f64, D>) -> Option<SVector<f64, D>> {
        let mut sums = q.map(CompensatedSum::new);
        self.of_row(contact).for_each(|(j, block)| add_product(block, &of_contact::<D>(r, j), &mut sums));
        Some(sums.map(CompensatedSum::value))
    }

    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let terms = |i: usize| {
            let of_row = self.of_row(i).map(|(j, block)| block.abs() * of_contact::<D>(r, j).abs());
            of_row.sum::<SVector<f64, D>>().max()
        };
        (0..self.contacts()).map(terms).fold(0.0, f64::max)
    }

    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        let range = self.starts[contact]..self.starts[contact + 1];
        match self.columns[range.clone()].binary_search(&other) {
            Ok(place) => self.blocks[range.start + place],
            Err(_) => SMatrix::zeros(),
        }
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend(self.of_row(contact).map(|(column, _)| column));
    }

    fn to_blocks(&self) -> BlockMatrix<D> {
        self.clone()
    }

    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        self.clone().into_scaled()
    }
}
