//! Blocks of a matrix that is about to be factorised.

use cosimo_linear::{BlockLu, BlockPosition};
use nalgebra::SMatrix;

/// Adds a block to the place of the matrix that it belongs to.
pub(super) fn add_block<const N: usize>(
    lu: &mut BlockLu,
    position: BlockPosition,
    block: &SMatrix<f64, N, N>,
) {
    for column in 0..N {
        for row in 0..N {
            lu.add(position, (row, column), block[(row, column)]);
        }
    }
}
