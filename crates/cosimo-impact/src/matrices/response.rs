//! How a system answers to loads on the rows of its contacts.

use cosimo_linear::set_square_zeros;
use cosimo_smooth::dae::SaddlePoint;
use nalgebra::DMatrix;

use super::ContactJacobian;

/// Answers of the coordinates and of the multipliers to unit loads on some rows, one column each.
#[derive(Debug, Default)]
pub(crate) struct Response {
    /// `n + m` by rows.
    columns: Vec<f64>,
    size: usize,
}

impl Response {
    /// Solves for unit loads on these rows.
    pub(crate) fn solve(
        &mut self,
        matrix: &mut SaddlePoint,
        jacobian: &ContactJacobian,
        rows: &[usize],
        (n, m): (usize, usize),
    ) {
        self.begin(rows.len(), n + m);
        for (column, &row) in self.columns.chunks_exact_mut(n + m).zip(rows) {
            jacobian.row(row, &mut column[..n]);
            column[n..].fill(0.0);
            matrix.solve(column);
        }
    }

    /// Room for so many columns of this size.
    pub(crate) fn begin(&mut self, columns: usize, size: usize) {
        self.size = size;
        self.columns.clear();
        self.columns.resize(columns * size, 0.0);
    }

    pub(crate) fn column(&self, k: usize) -> &[f64] {
        &self.columns[k * self.size..(k + 1) * self.size]
    }

    pub(crate) fn column_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.columns[k * self.size..(k + 1) * self.size]
    }

    /// Adds `factor` times the answer to these loads.
    pub(crate) fn add(&self, factor: f64, loads: &[f64], out: &mut [f64]) {
        for (k, load) in loads.iter().enumerate().filter(|(_, load)| **load != 0.0) {
            out.iter_mut().zip(self.column(k)).for_each(|(out, x)| *out += factor * load * x);
        }
    }

    /// Writes `G` times the answers: the Delassus operator of these rows.
    pub(crate) fn delassus(&self, jacobian: &ContactJacobian, rows: &[usize], out: &mut DMatrix<f64>) {
        set_square_zeros(out, rows.len());
        for k in 0..rows.len() {
            for (i, &row) in rows.iter().enumerate() {
                out[(i, k)] = jacobian.product(row, self.column(k));
            }
        }
    }
}
