//! Blocks of two bodies in the vectors and matrices of a system.

use nalgebra::Matrix3;

use super::pose::{Gradient, Hessian};

/// Adds the parts of a gradient to the velocities of the two bodies.
pub(super) fn scatter(bodies: [Option<usize>; 2], gradient: &Gradient, out: &mut [f64]) {
    for (k, body) in bodies.iter().enumerate() {
        let Some(body) = body else { continue };
        let own = &mut out[6 * body..6 * body + 6];
        for j in 0..3 {
            own[j] += gradient.0[2 * k][j];
            own[3 + j] += gradient.0[2 * k + 1][j];
        }
    }
}

/// Writes one row of a joint's matrices, `rows × 6` by columns, for each of its bodies.
pub(super) fn write_row(blocks: &mut [[f64; 36]; 2], (row, rows): (usize, usize), gradient: &Gradient) {
    for (k, block) in blocks.iter_mut().enumerate() {
        for j in 0..3 {
            block[j * rows + row] = gradient.0[2 * k][j];
            block[(3 + j) * rows + row] = gradient.0[2 * k + 1][j];
        }
    }
}

/// The 6 × 6 block of a multiple of the identity for translations and a matrix for turns, by columns.
pub(super) fn diagonal_block(translation: f64, turn: &Matrix3<f64>) -> [f64; 36] {
    let mut out = [0.0; 36];
    for j in 0..3 {
        out[7 * j] = translation;
        for i in 0..3 {
            out[6 * (3 + j) + 3 + i] = turn[(i, j)];
        }
    }
    out
}

/// Gives the blocks of two bodies, ground left out.
pub(super) fn give_blocks(
    bodies: [Option<usize>; 2],
    matrix: &Hessian,
    mut give: impl FnMut(usize, usize, &[f64]),
) {
    for (i, row) in bodies.iter().enumerate() {
        for (j, column) in bodies.iter().enumerate() {
            if let (Some(row), Some(column)) = (row, column) {
                give(*row, *column, &matrix.block(i, j));
            }
        }
    }
}
