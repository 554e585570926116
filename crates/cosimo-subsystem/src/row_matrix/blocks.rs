//! Matrices by blocks.

use std::fmt;

use nalgebra::{DMatrix, DMatrixViewMut};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Rows that meet each other, and the entries between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowBlock {
    /// The rows, in the order of the entries.
    pub rows: Vec<usize>,
    /// The entries, square.
    #[serde(with = "crate::codec::matrix")]
    pub entries: DMatrix<f64>,
}

/// Why blocks make no matrix.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadBlocks {
    /// A row that the matrix does not have.
    #[error("block {block} has row {row} of a matrix of {rows} rows")]
    NoSuchRow {
        /// Number of the block.
        block: usize,
        /// The row.
        row: usize,
        /// Rows of the matrix.
        rows: usize,
    },
    /// A row in two blocks, or twice in one.
    #[error("row {row} is in more than one block, or more than once in a block")]
    RepeatedRow {
        /// The row.
        row: usize,
    },
    /// Entries that do not fit the rows.
    #[error("block {block} has {rows} rows and entries of another shape")]
    Shape {
        /// Number of the block.
        block: usize,
        /// Rows of the block.
        rows: usize,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for BadBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A matrix by blocks: rows of different blocks do not meet, rows in no block have no entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Content")]
pub struct RowBlocks {
    rows: usize,
    blocks: Vec<RowBlock>,
    /// Block of each row, and its place there.
    #[serde(skip)]
    places: Vec<Option<(usize, usize)>>,
}

/// What is written of a matrix by blocks.
#[derive(Deserialize)]
struct Content {
    rows: usize,
    blocks: Vec<RowBlock>,
}

impl TryFrom<Content> for RowBlocks {
    type Error = BadBlocks;

    fn try_from(Content { rows, blocks }: Content) -> Result<Self, BadBlocks> {
        // Every row in a block was read from the bytes; the number of rows alone may be anything.
        match blocks.iter().map(|block| block.rows.len()).sum::<usize>() {
            count if count > rows => Err(BadBlocks::Shape { block: 0, rows }),
            _ => Self::new(rows, blocks),
        }
    }
}

impl RowBlocks {
    /// Largest number of rows.
    pub const MOST_ROWS: usize = 1 << 24;

    /// A matrix of so many rows.
    ///
    /// # Errors
    /// See [`BadBlocks`].
    pub fn new(rows: usize, blocks: Vec<RowBlock>) -> Result<Self, BadBlocks> {
        if rows > Self::MOST_ROWS {
            return Err(BadBlocks::NoSuchRow { block: 0, row: rows - 1, rows: Self::MOST_ROWS });
        }
        let mut places = vec![None; rows];
        for (number, block) in blocks.iter().enumerate() {
            let size = block.rows.len();
            if block.entries.shape() != (size, size) {
                return Err(BadBlocks::Shape { block: number, rows: size });
            }
            for (k, &row) in block.rows.iter().enumerate() {
                let Some(place) = places.get_mut(row) else {
                    return Err(BadBlocks::NoSuchRow { block: number, row, rows });
                };
                if place.replace((number, k)).is_some() {
                    return Err(BadBlocks::RepeatedRow { row });
                }
            }
        }
        Ok(Self { rows, blocks, places })
    }

    /// A single block of zeros over those rows that are `needed`; `needed` has one entry per row.
    #[must_use]
    pub fn over(needed: &[bool]) -> Self {
        let rows: Vec<usize> = (0..needed.len()).filter(|row| needed[*row]).collect();
        let mut places = vec![None; needed.len()];
        rows.iter().enumerate().for_each(|(k, row)| places[*row] = Some((0, k)));
        let entries = DMatrix::zeros(rows.len(), rows.len());
        Self { rows: needed.len(), blocks: vec![RowBlock { rows, entries }], places }
    }

    /// Number of rows of the matrix.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The blocks.
    #[must_use]
    pub fn blocks(&self) -> &[RowBlock] {
        &self.blocks
    }

    /// The entries of a block, to be written.
    pub fn entries_mut(&mut self, block: usize) -> DMatrixViewMut<'_, f64> {
        self.blocks[block].entries.as_view_mut()
    }

    /// Block of a row, and its place there.
    #[inline]
    pub(super) fn place(&self, row: usize) -> Option<(usize, usize)> {
        self.places[row]
    }

    #[inline]
    pub(super) fn entry(&self, row: usize, column: usize) -> &f64 {
        match (self.places[row], self.places[column]) {
            (Some((block, k)), Some((other, l))) if block == other => &self.blocks[block].entries[(k, l)],
            _ => &0.0,
        }
    }

    pub(super) fn row_product(&self, row: usize, x: &[f64]) -> f64 {
        let Some((block, k)) = self.places[row] else { return 0.0 };
        let RowBlock { rows, entries } = &self.blocks[block];
        rows.iter().enumerate().map(|(l, column)| entries[(k, l)] * x[*column]).sum()
    }

    pub(super) fn add_product(&self, x: &[f64], out: &mut [f64]) {
        for RowBlock { rows, entries } in &self.blocks {
            for (l, column) in rows.iter().enumerate() {
                let x = x[*column];
                rows.iter().enumerate().for_each(|(k, row)| out[*row] += entries[(k, l)] * x);
            }
        }
    }

    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.blocks.iter().flat_map(|RowBlock { rows, entries }| {
            entries.iter().enumerate().map(|(k, x)| (rows[k % rows.len()], *x))
        })
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.blocks.iter_mut().for_each(|block| block.entries *= factor);
    }

    /// Whether both have the same rows in the same blocks.
    pub(super) fn has_form_of(&self, other: &Self) -> bool {
        self.rows == other.rows
            && self.blocks.len() == other.blocks.len()
            && self.blocks.iter().zip(&other.blocks).all(|(own, other)| own.rows == other.rows)
    }

    /// Takes over the entries of a matrix of the same form.
    pub(super) fn copy_from(&mut self, other: &Self) {
        for (own, other) in self.blocks.iter_mut().zip(&other.blocks) {
            own.entries.copy_from(&other.entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RowMatrix;
    use super::*;
    use crate::codec;

    fn blocks() -> RowBlocks {
        let block = |rows: &[usize], seed: f64| RowBlock {
            rows: rows.to_vec(),
            entries: DMatrix::from_fn(rows.len(), rows.len(), |i, j| {
                (seed + 3.0 * i as f64 + j as f64).sin()
            }),
        };
        RowBlocks::new(6, vec![block(&[4, 0, 2], 0.3), block(&[5, 1], 1.7)]).unwrap()
    }

    #[test]
    fn products_and_entries_are_those_of_the_dense_matrix() {
        let matrix = RowMatrix::Blocks(blocks());
        let dense = RowMatrix::Dense(matrix.to_dense());
        let x: Vec<f64> = (0..6).map(|k| (k as f64).cos()).collect();
        let (mut by_blocks, mut by_all) = ([0.0; 6], [0.0; 6]);
        matrix.product_into(&x, &mut by_blocks);
        dense.product_into(&x, &mut by_all);
        for row in 0..6 {
            assert!((by_blocks[row] - by_all[row]).abs() < 1e-15);
            assert!((matrix.row_product(row, &x) - dense.row_product(row, &x)).abs() < 1e-15);
            assert_eq!(matrix.column_amax(row), dense.column_amax(row));
            for column in 0..6 {
                let couples = matrix.couples(row..row + 1, column..column + 1);
                assert_eq!(couples, dense.entry(row, column) != 0.0, "{row}, {column}");
            }
        }
        assert_eq!(matrix.amax(), dense.amax());
        assert!(!matrix.has_row(3) && by_blocks[3] == 0.0);
    }

    #[test]
    fn blocks_survive_the_codec_and_bad_ones_are_refused() {
        let matrix = RowMatrix::Blocks(blocks());
        let read: RowMatrix = codec::decode(&codec::encode(&matrix).unwrap()).unwrap();
        assert_eq!(read, matrix);
        let block =
            |rows: &[usize], size| RowBlock { rows: rows.to_vec(), entries: DMatrix::zeros(size, size) };
        assert_eq!(
            RowBlocks::new(3, vec![block(&[0, 3], 2)]),
            Err(BadBlocks::NoSuchRow { block: 0, row: 3, rows: 3 })
        );
        assert_eq!(
            RowBlocks::new(3, vec![block(&[0], 1), block(&[1, 0], 2)]),
            Err(BadBlocks::RepeatedRow { row: 0 })
        );
        assert_eq!(RowBlocks::new(3, vec![block(&[0], 2)]), Err(BadBlocks::Shape { block: 0, rows: 1 }));
        let huge = (1_u32, usize::MAX, Vec::<RowBlock>::new());
        assert!(codec::decode::<RowMatrix>(&codec::encode(&huge).unwrap()).is_err());
    }
}
