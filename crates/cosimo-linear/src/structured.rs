//! Square matrices stored in the cheapest form their entries allow.

use nalgebra::DMatrix;

use crate::{InlineVector, SymmetricBanded};

/// Square matrix stored by structure: zero, diagonal, symmetric banded or dense.
#[derive(Debug, Clone, PartialEq)]
pub enum StructuredMatrix {
    /// The zero matrix of this dimension.
    Zero(usize),
    /// A diagonal matrix, by its diagonal.
    Diagonal(InlineVector<3>),
    /// A symmetric matrix with a narrow band.
    Banded(SymmetricBanded),
    /// Anything else.
    Dense(Box<DMatrix<f64>>),
}

/// A band wider than this share of the dimension is stored dense.
const WIDEST_BAND: f64 = 0.25;

impl StructuredMatrix {
    /// Finds the structure of a square matrix: exact zeros decide.
    #[must_use]
    pub fn from_dense(matrix: &DMatrix<f64>) -> Self {
        let n = matrix.nrows();
        let half_width = (0..n)
            .flat_map(|j| (0..n).map(move |i| (i, j)))
            .filter(|&ij| matrix[ij] != 0.0)
            .map(|(i, j)| i.abs_diff(j))
            .max();
        match half_width {
            None => Self::Zero(n),
            Some(0) => Self::Diagonal(matrix.diagonal().as_slice().into()),
            Some(w) if w as f64 <= WIDEST_BAND * n as f64 && is_symmetric(matrix) => {
                let mut banded = SymmetricBanded::zeros(n, w);
                for k in 0..=w {
                    for (j, entry) in banded.diagonal_mut(k).iter_mut().enumerate() {
                        *entry = matrix[(j + k, j)];
                    }
                }
                Self::Banded(banded)
            }
            Some(_) => Self::Dense(Box::new(matrix.clone())),
        }
    }

    /// Dimension `n`.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Self::Zero(n) => *n,
            Self::Diagonal(d) => d.len(),
            Self::Banded(b) => b.dimension(),
            Self::Dense(a) => a.nrows(),
        }
    }

    /// `y ← y + factor · A x`, lengths `n`.
    #[inline]
    pub fn multiply_add(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        if !matches!(self, Self::Zero(_)) {
            self.multiply_add_entries(factor, x, y);
        }
    }

    fn multiply_add_entries(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        match self {
            Self::Zero(_) => {}
            Self::Diagonal(d) => {
                for ((yi, di), xi) in y.iter_mut().zip(d).zip(x) {
                    *yi += factor * di * xi;
                }
            }
            Self::Banded(b) => b.multiply_add(factor, x, y),
            Self::Dense(a) => {
                for (column, xj) in a.as_slice().chunks_exact(y.len().max(1)).zip(x) {
                    let scaled = factor * xj;
                    for (yi, aij) in y.iter_mut().zip(column) {
                        *yi += aij * scaled;
                    }
                }
            }
        }
    }

    /// `xᵀ A x`.
    #[inline]
    #[must_use]
    pub fn quadratic_form(&self, x: &[f64]) -> f64 {
        if matches!(self, Self::Zero(_)) { 0.0 } else { self.quadratic_form_of_entries(x) }
    }

    fn quadratic_form_of_entries(&self, x: &[f64]) -> f64 {
        match self {
            Self::Zero(_) => 0.0,
            Self::Diagonal(d) => d.iter().zip(x).map(|(di, xi)| di * xi * xi).sum(),
            Self::Banded(b) => (0..=b.half_width())
                .map(|k| {
                    let twice = if k == 0 { 1.0 } else { 2.0 };
                    let products = b.diagonal(k).iter().zip(x).zip(&x[k..]);
                    twice * products.map(|((d, xi), xk)| d * xi * xk).sum::<f64>()
                })
                .sum(),
            Self::Dense(a) => {
                let columns = a.as_slice().chunks_exact(x.len().max(1));
                columns.zip(x).map(|(c, xj)| xj * c.iter().zip(x).map(|(a, xi)| a * xi).sum::<f64>()).sum()
            }
        }
    }

    /// `out ← out + factor · A` for a dense `n × n` block whose top left corner is `(0, 0)` of `out`.
    pub fn add_to_dense(&self, factor: f64, out: &mut DMatrix<f64>) {
        match self {
            Self::Zero(_) => {}
            Self::Diagonal(d) => d.iter().enumerate().for_each(|(i, di)| out[(i, i)] += factor * di),
            Self::Banded(b) => {
                for k in 0..=b.half_width() {
                    for (j, d) in b.diagonal(k).iter().enumerate() {
                        out[(j + k, j)] += factor * d;
                        if k > 0 {
                            out[(j, j + k)] += factor * d;
                        }
                    }
                }
            }
            Self::Dense(a) => {
                for j in 0..a.ncols() {
                    for i in 0..a.nrows() {
                        out[(i, j)] += factor * a[(i, j)];
                    }
                }
            }
        }
    }

    /// The same matrix, dense.
    #[must_use]
    pub fn to_dense(&self) -> DMatrix<f64> {
        let n = self.dimension();
        let mut out = DMatrix::zeros(n, n);
        self.add_to_dense(1.0, &mut out);
        out
    }

    /// Whether the matrix equals its transpose, entry by entry.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        match self {
            Self::Dense(a) => is_symmetric(a),
            _ => true,
        }
    }
}

fn is_symmetric(matrix: &DMatrix<f64>) -> bool {
    (0..matrix.ncols()).all(|j| (0..j).all(|i| matrix[(i, j)] == matrix[(j, i)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tridiagonal(n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.5 + i as f64,
            1 => -1.0,
            _ => 0.0,
        })
    }

    #[test]
    fn structure_is_found_and_kept() {
        assert!(matches!(StructuredMatrix::from_dense(&DMatrix::zeros(3, 3)), StructuredMatrix::Zero(3)));
        assert!(matches!(
            StructuredMatrix::from_dense(&DMatrix::identity(3, 3)),
            StructuredMatrix::Diagonal(_)
        ));
        let banded = StructuredMatrix::from_dense(&tridiagonal(9));
        assert!(matches!(&banded, StructuredMatrix::Banded(b) if b.half_width() == 1));
        assert_eq!(banded.to_dense(), tridiagonal(9));
        assert!(matches!(StructuredMatrix::from_dense(&tridiagonal(3)), StructuredMatrix::Dense(_)));
    }

    #[test]
    fn products_agree_with_dense_ones() {
        for matrix in [tridiagonal(9), DMatrix::from_fn(4, 4, |i, j| (i * 7 + j * 3) as f64 % 5.0)] {
            let n = matrix.nrows();
            let x = nalgebra::DVector::from_fn(n, |i, _| (i as f64).sin());
            let mut y = nalgebra::DVector::from_element(n, 1.0);
            let structured = StructuredMatrix::from_dense(&matrix);
            structured.multiply_add(2.0, x.as_slice(), y.as_mut_slice());
            let expected = nalgebra::DVector::from_element(n, 1.0) + 2.0 * &matrix * &x;
            assert!((y - expected).amax() < 1e-14);
            assert!((structured.quadratic_form(x.as_slice()) - x.dot(&(&matrix * &x))).abs() < 1e-12);
        }
    }
}
