//! Matrices of linear systems.

use cosimo_linear::StructuredMatrix;
use nalgebra::DMatrix;

/// A square matrix by its entries, and by diagonals where it has few.
#[derive(Debug, Clone)]
pub(super) struct SparseMatrix {
    /// Row, column and value of what is not zero.
    pub(super) entries: Vec<(usize, usize, f64)>,
    diagonals: Option<StructuredMatrix>,
}

impl SparseMatrix {
    pub(super) fn new(matrix: &DMatrix<f64>) -> Self {
        let all = (0..matrix.ncols()).flat_map(|j| (0..matrix.nrows()).map(move |i| (i, j)));
        let entries = all.map(|(i, j)| (i, j, matrix[(i, j)])).filter(|entry| entry.2 != 0.0).collect();
        let found = StructuredMatrix::from_dense(matrix);
        let diagonals = if matches!(found, StructuredMatrix::Dense(_)) { None } else { Some(found) };
        Self { entries, diagonals }
    }

    /// `out ← out + A x`.
    pub(super) fn multiply_add(&self, x: &[f64], out: &mut [f64]) {
        match &self.diagonals {
            Some(matrix) => matrix.multiply_add(1.0, x, out),
            None => self.entries.iter().for_each(|(i, j, value)| out[*i] += value * x[*j]),
        }
    }

    /// `xᵀ A x`.
    pub(super) fn quadratic_form(&self, x: &[f64]) -> f64 {
        match &self.diagonals {
            Some(matrix) => matrix.quadratic_form(x),
            None => self.entries.iter().map(|(i, j, value)| value * x[*i] * x[*j]).sum(),
        }
    }
}
