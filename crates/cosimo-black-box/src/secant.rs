//! Low-rank updates of an inverse mass from what a subsystem answers.

use nalgebra::DMatrix;

/// Broyden's update: the smallest change of `W` (Frobenius) with which `W Δx = Δv`,
///
/// ```text
///   W ← W + (Δv − W Δx) Δxᵀ / (Δxᵀ Δx)
/// ```
///
/// Source: C. G. Broyden, *Math. Comp.* 19, 1965, equation 4.5. Nothing happens for `Δx = 0`.
///
/// `mismatch` is `Δv − W Δx`.
pub(crate) fn broyden_update(inverse_mass: &mut DMatrix<f64>, impulses: &[f64], mismatch: &[f64]) {
    let square: f64 = impulses.iter().map(|x| x * x).sum();
    if !(square > 0.0) {
        return;
    }
    for (column, x) in impulses.iter().enumerate() {
        for (row, error) in mismatch.iter().enumerate() {
            inverse_mass[(row, column)] += error * x / square;
        }
    }
}
