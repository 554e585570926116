//! The system of a matrix of blocks.

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};

use super::add_block::add_block;
use super::block_matrix::BlockMatrix;
use super::scaled::{Scaled, ScaledSystem};

/// The system of a matrix: as many unknowns as rows.
#[derive(Debug)]
pub(crate) struct ScaledMatrix<const D: usize> {
    matrix: BlockMatrix<D>,
    lu: BlockLu,
    positions: Vec<BlockPosition>,
}

impl<const D: usize> ScaledMatrix<D> {
    pub(crate) fn new(matrix: BlockMatrix<D>) -> Self {
        let pairs = matrix.blocks().map(|(row, column, _)| (row, column));
        let pattern = BlockPattern::new(&vec![D; matrix.rows()], pairs);
        let positions =
            matrix.blocks().filter_map(|(row, column, _)| pattern.position(row, column)).collect();
        Self { matrix, lu: BlockLu::new(pattern), positions }
    }
}

impl<const D: usize> ScaledSystem<D> for ScaledMatrix<D> {
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        self.lu.clear();
        for ((row, column, block), position) in self.matrix.blocks().zip(&self.positions) {
            let mut entries = scaled[row].left * block * scaled[column].right;
            if row == column {
                entries += scaled[row].block;
            }
            add_block(&mut self.lu, *position, &entries);
        }
        self.lu.factorize()
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }
}
