//! All eigenvalues of a dense matrix.

use nalgebra::{Complex, DMatrix, Hessenberg};

use super::{balance, francis};

/// All eigenvalues of a square matrix that need not be symmetric, each as often as it is one, by balancing, Hessenberg's form and
/// Francis' implicit double-shift QR iteration; `None` of a matrix that is not square, has entries that are not finite, or for
/// which the iteration does not converge in 30 sweeps per eigenvalue. It always ends.
///
/// The error of each is about `ε ‖A‖` times its condition: large eigenvalues keep their digits beside any number of tiny ones.
///
/// References: G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 2013, sections 7.4 and 7.5.
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
    if matrix.is_empty() {
        return Some(Vec::new());
    }
    let mut balanced = matrix.clone();
    balance::balance(&mut balanced);
    let found = francis::eigenvalues(Hessenberg::new(balanced).unpack_h())?;
    let finite = found.iter().all(|value| value.re.is_finite() && value.im.is_finite());
    finite.then_some(found)
}
