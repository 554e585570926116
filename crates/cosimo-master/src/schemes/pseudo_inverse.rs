//! Inverse of a compliance on the loads that move something.

use cosimo_linear::DenseLu;
use nalgebra::{DMatrix, DVector};

/// Singular value, against the largest, below which a load moves nothing: what differences of answers leave of zero.
const NOTHING: f64 = 1e-6;

/// Pseudo-inverse of a compliance whose rows may have different units.
#[derive(Debug)]
pub(crate) enum PseudoInverse {
    /// Every load moves something.
    Regular(DenseLu),
    /// Some loads move nothing: the pseudo-inverse, and room for a right-hand side.
    Singular(DMatrix<f64>, Vec<f64>),
}

impl PseudoInverse {
    pub(crate) fn new(matrix: DMatrix<f64>) -> Self {
        let mut lu = DenseLu::default();
        if lu.factorize(&matrix).is_ok() && lu.least_pivot(&matrix) > NOTHING {
            return Self::Regular(lu);
        }
        let n = matrix.nrows();
        let scale = |d: f64| if d > 0.0 { d.sqrt().recip() } else { 1.0 };
        let scales = DVector::from_iterator(n, matrix.diagonal().iter().map(|d| scale(*d)));
        let scaled =
            DMatrix::from_fn(n, n, |row, column| scales[row] * matrix[(row, column)] * scales[column]);
        let is_finite = scaled.iter().all(|x| x.is_finite());
        let inverse = if is_finite { invert(scaled) } else { DMatrix::from_element(n, n, f64::NAN) };
        let inverse =
            DMatrix::from_fn(n, n, |row, column| scales[row] * inverse[(row, column)] * scales[column]);
        Self::Singular(inverse, vec![0.0; n])
    }

    /// Overwrites a right-hand side with the loads.
    pub(crate) fn apply(&mut self, x: &mut [f64]) {
        match self {
            Self::Regular(lu) => lu.solve(x),
            Self::Singular(inverse, right_side) => {
                right_side.copy_from_slice(x);
                for (row, x) in x.iter_mut().enumerate() {
                    *x = right_side.iter().enumerate().map(|(k, r)| inverse[(row, k)] * r).sum();
                }
            }
        }
    }
}

fn invert(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let n = matrix.nrows();
    let svd = matrix.svd(true, true);
    let least = NOTHING * svd.singular_values.max();
    svd.pseudo_inverse(least).unwrap_or_else(|_| DMatrix::zeros(n, n))
}
