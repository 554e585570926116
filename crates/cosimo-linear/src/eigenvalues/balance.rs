//! Balancing.

use nalgebra::DMatrix;

/// Ratio of the sum of the norms of a row and its column after scaling to that before, from which a scaling is worth it.
const WORTH: f64 = 0.95;

/// Passes over all rows; a few suffice.
const PASSES: usize = 16;

/// Scales `A ← D⁻¹ A D` by powers of two, which round nothing, until the norms of every row and its column, the diagonal left out,
/// are alike.
///
/// References: B. N. Parlett, C. Reinsch, *Balancing a matrix for calculation of eigenvalues and eigenvectors*, Numerische
/// Mathematik 13, 1969; with norms of length as by R. James, J. Langou, B. R. Lowery, *On matrix balancing and eigenvector
/// computation*, arXiv:1401.5766, 2014.
pub(super) fn balance(matrix: &mut DMatrix<f64>) {
    for _ in 0..PASSES {
        let scaled = (0..matrix.nrows()).filter(|k| scale(matrix, *k)).count();
        if scaled == 0 {
            return;
        }
    }
}

/// Scales one row and its column; says whether it did.
fn scale(matrix: &mut DMatrix<f64>, k: usize) -> bool {
    let others = |entry: &dyn Fn(usize) -> f64| {
        (0..matrix.nrows()).filter(|i| *i != k).map(entry).fold(0.0, f64::hypot)
    };
    let (column, row) = (others(&|i| matrix[(i, k)]), others(&|i| matrix[(k, i)]));
    if !(column > 0.0 && row > 0.0) {
        return false;
    }
    let power = (0.5 * (row / column).log2()).round();
    let factor = power.exp2();
    let is_worth = (column * factor).hypot(row / factor) < WORTH * column.hypot(row);
    if !(is_worth && factor.is_normal()) {
        return false;
    }
    matrix.column_mut(k).scale_mut(factor);
    matrix.row_mut(k).scale_mut(1.0 / factor);
    true
}
