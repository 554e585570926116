//! The system of a few contacts, in full.

use cosimo_linear::{DenseLu, FactorizationError};
use nalgebra::DMatrix;

use crate::friction::{Delassus, Scaled, ScaledSystem};

/// Contacts up to which the matrix is kept in full, in memory that is used again.
pub(super) const FEW: usize = 16;

/// The full matrix and its factors.
#[derive(Debug, Clone, Default)]
pub(super) struct DenseMemory {
    matrix: DMatrix<f64>,
    lu: DenseLu,
}

/// The system in memory that is used again.
pub(super) struct Dense<'a, const D: usize> {
    pub(super) memory: &'a mut DenseMemory,
    pub(super) delassus: &'a dyn Delassus<D>,
}

impl<const D: usize> ScaledSystem<D> for Dense<'_, D> {
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        let DenseMemory { matrix, lu } = &mut *self.memory;
        if matrix.nrows() != scaled.len() * D {
            *matrix = DMatrix::zeros(scaled.len() * D, scaled.len() * D);
        }
        for (row, Scaled { left, block, .. }) in scaled.iter().enumerate() {
            for (column, Scaled { right, .. }) in scaled.iter().enumerate() {
                let mut part = left * self.delassus.between(row, column) * right;
                if row == column {
                    part += block;
                }
                matrix.fixed_view_mut::<D, D>(row * D, column * D).copy_from(&part);
            }
        }
        lu.factorize(matrix)
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.memory.lu.solve(x);
    }
}
