//! Constraint rows that others already imply.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Structure};
use cosimo_linear::FactorizationError;
use nalgebra::DMatrix;

use super::kkt::{Kkt, Weights};

/// Share of a row that its part outside the span of the earlier rows must have.
const INDEPENDENT: f64 = 1e-9;

/// Work (products) above which the rows are not orthogonalised but eliminated in the sparse matrix.
const LARGEST_WORK: f64 = 2e8;

/// Leaves out of `kkt` the rows that depend on earlier ones at this position.
///
/// # Errors
/// The matrix is singular for another reason.
pub(super) fn leave_out_redundant(
    system: &dyn ConstrainedSystem,
    t: f64,
    q: &[f64],
    kkt: &mut Kkt,
) -> Result<(), FactorizationError> {
    let structure = system.structure();
    let (n, m) = (structure.velocities(), structure.rows());
    (0..m).for_each(|row| kkt.leave_out(row, false));
    if kkt.is_dense() || (n as f64) * (m as f64) * (m as f64) < LARGEST_WORK {
        let mut rows = DenseRows::of(structure);
        system.jacobian(t, q, &mut rows);
        dependent_rows(&mut rows.matrix).into_iter().for_each(|row| kkt.leave_out(row, true));
        return Ok(());
    }
    loop {
        kkt.begin(Weights::MASS, |_| None);
        system.masses(q, kkt);
        system.jacobian(t, q, kkt);
        match kkt.factorize() {
            Ok(()) => return Ok(()),
            Err(FactorizationError::Singular { column }) if column >= n && !kkt.left_out()[column - n] => {
                kkt.leave_out(column - n, true);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Rows (columns of `transposed`) that depend on those before them, by Gram-Schmidt with a second pass.
fn dependent_rows(transposed: &mut DMatrix<f64>) -> Vec<usize> {
    let mut dependent = Vec::new();
    for row in 0..transposed.ncols() {
        let size = transposed.column(row).norm();
        for _ in 0..2 {
            for before in 0..row {
                let share = transposed.column(before).dot(&transposed.column(row));
                if share != 0.0 {
                    let (done, mut own) = transposed.columns_range_pair_mut(before, row);
                    own.axpy(-share, &done, 1.0);
                }
            }
        }
        let left = transposed.column(row).norm();
        if left > INDEPENDENT * size {
            transposed.column_mut(row).unscale_mut(left);
        } else {
            transposed.column_mut(row).fill(0.0);
            dependent.push(row);
        }
    }
    dependent
}

/// Takes up `Φᵀ` as a dense matrix.
struct DenseRows<'a> {
    structure: &'a Structure,
    matrix: DMatrix<f64>,
}

impl<'a> DenseRows<'a> {
    fn of(structure: &'a Structure) -> Self {
        Self { matrix: DMatrix::zeros(structure.velocities(), structure.rows()), structure }
    }
}

impl MatrixSink for DenseRows<'_> {
    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let first = self.structure.coordinates().blocks()[block].velocity;
        for (column, entries) in values.chunks_exact(rows.rows.max(1)).enumerate() {
            for (k, x) in entries.iter().enumerate() {
                self.matrix[(first + column, rows.first + k)] += x;
            }
        }
    }

    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_rows_are_the_dependent_ones() {
        let rows =
            nalgebra::dmatrix![1.0, 2.0, 0.0; 0.0, 1e-3, 1.0; 2.0, 4.001, 1.0; 0.0, 0.0, 0.0; 1.0, 0.0, 5.0];
        assert_eq!(dependent_rows(&mut rows.transpose()), [2, 3]);
    }
}
