//! Products in twice the working precision.

use nalgebra::{SMatrix, SVector};

use crate::lcp::arithmetic::CompensatedSum;

/// Adds `block · r` in twice the working precision.
pub(crate) fn add_product<const D: usize>(
    block: &SMatrix<f64, D, D>,
    r: &SVector<f64, D>,
    sums: &mut SVector<CompensatedSum, D>,
) {
    for (row, sum) in sums.iter_mut().enumerate() {
        (0..D).for_each(|column| sum.add_product(block[(row, column)], r[column]));
    }
}
