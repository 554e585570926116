//! Matrices of which most entries are zero.

use serde::{Deserialize, Serialize};

use super::BadBlocks;
use super::blocks::RowBlocks;

/// A square matrix by the entries of its rows that may differ from zero: of rows that meet few others, as the contacts of many free
/// bodies do. A row without entries has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Content")]
pub struct SparseRows {
    /// Where the entries of each row begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Columns of the entries, ascending in each row.
    columns: Vec<usize>,
    values: Vec<f64>,
}

/// What is written of a sparse matrix.
#[derive(Deserialize)]
struct Content {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl TryFrom<Content> for SparseRows {
    type Error = BadBlocks;

    fn try_from(Content { starts, columns, values }: Content) -> Result<Self, BadBlocks> {
        let rows = starts.len().saturating_sub(1);
        let ends_right = starts.first() == Some(&0)
            && starts.last() == Some(&columns.len())
            && columns.len() == values.len()
            && rows <= RowBlocks::MOST_ROWS;
        if !ends_right {
            return Err(BadBlocks::Shape { block: 0, rows });
        }
        for (row, ends) in starts.windows(2).enumerate() {
            let own = columns.get(ends[0]..ends[1]).ok_or(BadBlocks::Shape { block: row, rows })?;
            if let Some(pair) = own.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(BadBlocks::RepeatedRow { row: pair[1] });
            }
            if let Some(&column) = own.last().filter(|column| **column >= rows) {
                return Err(BadBlocks::NoSuchRow { block: row, row: column, rows });
            }
        }
        Ok(Self { starts, columns, values })
    }
}

impl SparseRows {
    /// A matrix of zeros of so many rows, of which each has entries in those columns that `columns_of` gives, ascending.
    ///
    /// # Errors
    /// See [`BadBlocks`]: columns that do not ascend, or that the matrix does not have.
    pub fn with_pattern<C: AsRef<[usize]>>(
        rows: usize,
        columns_of: impl Fn(usize) -> C,
    ) -> Result<Self, BadBlocks> {
        let (mut starts, mut columns) = (Vec::with_capacity(rows + 1), Vec::new());
        starts.push(0);
        for row in 0..rows {
            columns.extend_from_slice(columns_of(row).as_ref());
            starts.push(columns.len());
        }
        let values = vec![0.0; columns.len()];
        Content { starts, columns, values }.try_into()
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Columns and values of the entries of a row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> (&[usize], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The entries of a row, to be written.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[self.starts[row]..self.starts[row + 1]]
    }

    #[inline]
    pub(super) fn entry(&self, row: usize, column: usize) -> &f64 {
        let (columns, values) = self.row(row);
        columns.binary_search(&column).map_or(&0.0, |place| &values[place])
    }

    #[inline]
    pub(super) fn row_product(&self, row: usize, x: &[f64]) -> f64 {
        let (columns, values) = self.row(row);
        columns.iter().zip(values).map(|(column, w)| w * x[*column]).sum()
    }

    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.rows()).flat_map(|row| self.row(row).1.iter().map(move |x| (row, *x)))
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|x| *x *= factor);
    }

    /// Whether both have their entries in the same places.
    pub(super) fn has_form_of(&self, other: &Self) -> bool {
        self.starts == other.starts && self.columns == other.columns
    }

    /// Takes over the entries of a matrix of the same form.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }
}

#[cfg(test)]
mod tests {
    use super::super::RowMatrix;
    use super::*;
    use crate::codec;

    fn sparse() -> SparseRows {
        let pattern = [vec![0, 2, 4], vec![1], vec![0, 2], vec![], vec![0, 4]];
        let mut matrix = SparseRows::with_pattern(5, |row| &pattern[row]).unwrap();
        for row in 0..5 {
            let own = matrix.row_mut(row);
            own.iter_mut().enumerate().for_each(|(k, x)| *x = (0.7 + 3.0 * row as f64 + k as f64).sin());
        }
        matrix
    }

    #[test]
    fn products_and_entries_are_those_of_the_dense_matrix() {
        let matrix = RowMatrix::Sparse(sparse());
        let dense = RowMatrix::Dense(matrix.to_dense());
        let x: Vec<f64> = (0..5).map(|k| (k as f64).cos()).collect();
        let mut out = [1.0; 5];
        matrix.product_into(&x, &mut out);
        for row in 0..5 {
            assert!((out[row] - dense.row_product(row, &x)).abs() < 1e-15);
            assert_eq!(matrix.row_product(row, &x), out[row]);
            assert_eq!(matrix.column_amax(row), dense.column_amax(row));
            for column in 0..5 {
                assert_eq!(matrix.entry(row, column), dense.entry(row, column));
                let couples = matrix.couples(row..row + 1, column..column + 1);
                assert_eq!(couples, dense.entry(row, column) != 0.0, "{row}, {column}");
            }
        }
        assert_eq!(matrix.amax(), dense.amax());
        assert!(!matrix.has_row(3) && matrix.has_row(1) && !matrix.has_all_rows());
    }

    #[test]
    fn they_survive_the_codec_and_bad_ones_are_refused() {
        let matrix = RowMatrix::Sparse(sparse());
        let read: RowMatrix = codec::decode(&codec::encode(&matrix).unwrap()).unwrap();
        assert_eq!(read, matrix);
        for pattern in [[vec![1, 0], vec![]], [vec![0, 2], vec![]], [vec![1, 1], vec![]]] {
            assert!(SparseRows::with_pattern(2, |row| &pattern[row]).is_err(), "{pattern:?}");
        }
        let bad = (2_u32, vec![0_usize, usize::MAX], vec![0_usize], vec![1.0]);
        assert!(codec::decode::<RowMatrix>(&codec::encode(&bad).unwrap()).is_err());
    }
}
