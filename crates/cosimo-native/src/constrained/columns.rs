//! Columns of answers.

use cosimo_subsystem::RowMatrix;
use nalgebra::DMatrix;

/// `out ← columns · weights`.
pub(super) fn combine(columns: &DMatrix<f64>, weights: impl Iterator<Item = f64>, out: &mut [f64]) {
    out.fill(0.0);
    for (column, weight) in columns.column_iter().zip(weights) {
        out.iter_mut().zip(column.iter()).for_each(|(x, c)| *x += weight * c);
    }
}

/// The columns of a matrix.
pub(super) fn columns_of(matrix: &DMatrix<f64>) -> impl Iterator<Item = &[f64]> {
    matrix.as_slice().chunks_exact(matrix.nrows().max(1))
}

/// Writes column `k` of those that are reported, of which `values` holds all rows.
pub(super) fn write_column(matrix: &mut RowMatrix, told: &[usize], (k, values): (usize, &[f64])) {
    match matrix {
        RowMatrix::Dense(dense) => dense.column_mut(k).copy_from_slice(values),
        RowMatrix::Blocks(blocks) => {
            let mut entries = blocks.entries_mut(0);
            told.iter().enumerate().for_each(|(l, row)| entries[(l, k)] = values[*row]);
        }
        RowMatrix::Sparse(sparse) => {
            for row in told {
                if let Ok(place) = sparse.row(*row).0.binary_search(&told[k]) {
                    sparse.row_mut(*row)[place] = values[*row];
                }
            }
        }
    }
}

/// Adds a multiple of the only column of a matrix.
pub(super) fn add_column(column: &DMatrix<f64>, factor: f64, out: &mut [f64]) {
    out.iter_mut().zip(column.iter()).for_each(|(x, c)| *x += factor * c);
}
