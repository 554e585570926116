//! Eigenvalues of dense matrices.

use nalgebra::{Complex, DMatrix};

/// All eigenvalues of a square matrix that need not be symmetric, by the multishift QR algorithm of `faer`; `None` of a matrix that
/// is not square, has entries that are not finite, or of which they are not found.
///
/// The error of each is about `ε ‖A‖` times its condition: large eigenvalues keep their digits beside any number of tiny ones.
///
/// ```
/// use cosimo_linear::eigenvalues;
/// use nalgebra::dmatrix;
/// let mut found = eigenvalues(&dmatrix![0.0, 1.0; -4.0, 0.0]).unwrap();
/// found.sort_by(|a, b| a.im.total_cmp(&b.im));
/// assert!((found[0].im + 2.0).abs() < 1e-14 && (found[1].im - 2.0).abs() < 1e-14);
/// ```
#[must_use]
pub fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    if !matrix.is_square() || matrix.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let (rows, columns) = matrix.shape();
    let found = faer::Mat::from_fn(rows, columns, |row, column| matrix[(row, column)]).eigenvalues().ok()?;
    let finite = found.iter().all(|value| value.re.is_finite() && value.im.is_finite());
    finite.then(|| found.into_iter().map(|value| Complex::new(value.re, value.im)).collect())
}
