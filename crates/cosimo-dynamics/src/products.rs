//! Products of matrices and vectors.

use nalgebra::DMatrix;

/// `y ← y + factor · A x`.
pub(crate) fn multiply_add(matrix: &DMatrix<f64>, (factor, x): (f64, &[f64]), y: &mut [f64]) {
    let rows = matrix.nrows().max(1);
    for (column, xj) in matrix.as_slice().chunks_exact(rows).zip(x) {
        let scaled = factor * xj;
        y.iter_mut().zip(column).for_each(|(yi, a)| *yi += scaled * a);
    }
}

/// `y ← y + factor · Aᵀ x`.
pub(crate) fn transposed_multiply_add(matrix: &DMatrix<f64>, (factor, x): (f64, &[f64]), y: &mut [f64]) {
    let rows = matrix.nrows().max(1);
    for (yj, column) in y.iter_mut().zip(matrix.as_slice().chunks_exact(rows)) {
        *yj += factor * column.iter().zip(x).map(|(a, xi)| a * xi).sum::<f64>();
    }
}
