//! Dense LU factorisation with partial pivoting in storage that is reused.

use nalgebra::DMatrix;

use crate::{FactorizationError, set_square_zeros};

/// Dense LU factorisation `P A = L U` with partial pivoting.
///
/// The factors and the row order live in buffers that keep their size, so a numeric refactorisation of a matrix
/// of a dimension that there has been allocates nothing.
///
/// ```
/// use cosimo_linear::DenseLu;
/// use nalgebra::dmatrix;
/// let mut lu = DenseLu::default();
/// lu.factorize(&dmatrix![0.0, 2.0; 4.0, 0.0])?;
/// let mut x = [2.0, 4.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [1.0, 1.0]);
/// # Ok::<(), cosimo_linear::FactorizationError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct DenseLu {
    factors: DMatrix<f64>,
    pivots: Vec<usize>,
}

impl DenseLu {
    /// Factorises `matrix`, `n × n`.
    ///
    /// # Errors
    /// [`FactorizationError::Singular`] names the column without a usable pivot: one that is zero, not finite, or
    /// smaller than `n · 1e-15` times the largest entry its column had before the elimination.
    pub fn factorize(&mut self, matrix: &DMatrix<f64>) -> Result<(), FactorizationError> {
        let n = matrix.nrows();
        if self.factors.shape() != matrix.shape() {
            set_square_zeros(&mut self.factors, n);
        }
        self.factors.copy_from(matrix);
        self.pivots.clear();
        for k in 0..n {
            let scale = matrix.column(k).amax();
            let pivot = self.largest_row_from(k);
            let value = self.factors[(pivot, k)];
            if !value.is_finite() || value.abs() <= n as f64 * 1e-15 * scale || value == 0.0 {
                return Err(FactorizationError::Singular { column: k });
            }
            self.pivots.push(pivot);
            if pivot != k {
                self.factors.swap_rows(pivot, k);
            }
            self.eliminate(k);
        }
        Ok(())
    }

    /// Overwrites `x` (length `n`) with `A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.pivots.len();
        debug_assert_eq!(x.len(), n, "right-hand side has the matrix' dimension");
        let factors = self.factors.as_slice();
        if let ([x], [pivot]) = (&mut *x, factors) {
            *x /= pivot;
            return;
        }
        for (k, &pivot) in self.pivots.iter().enumerate() {
            x.swap(k, pivot);
        }
        for k in 0..n {
            let xk = x[k];
            if xk != 0.0 {
                for (xi, l) in x[k + 1..].iter_mut().zip(&factors[k * n + k + 1..(k + 1) * n]) {
                    *xi -= l * xk;
                }
            }
        }
        for k in (0..n).rev() {
            x[k] /= factors[k * n + k];
            let xk = x[k];
            for (xi, u) in x[..k].iter_mut().zip(&factors[k * n..k * n + k]) {
                *xi -= u * xk;
            }
        }
    }

    /// Least pivot against the largest entry of its column in `matrix`, which has been factorised; 1 without rows.
    #[must_use]
    pub fn least_pivot(&self, matrix: &DMatrix<f64>) -> f64 {
        let pivots = matrix.column_iter().enumerate();
        pivots.map(|(k, column)| self.factors[(k, k)].abs() / column.amax()).fold(1.0, f64::min)
    }

    /// Number of rows of the factorised matrix.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.pivots.len()
    }

    fn largest_row_from(&self, k: usize) -> usize {
        let column = self.factors.column(k);
        (k..column.len()).fold(k, |best, i| if column[i].abs() > column[best].abs() { i } else { best })
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.factors.nrows();
        let (left, right) = self.factors.as_mut_slice().split_at_mut((k + 1) * n);
        let multipliers = &mut left[k * n + k..];
        let pivot = multipliers[0];
        for l in &mut multipliers[1..] {
            *l /= pivot;
        }
        for column in right.chunks_exact_mut(n) {
            let head = column[k];
            if head != 0.0 {
                for (entry, l) in column[k + 1..].iter_mut().zip(&multipliers[1..]) {
                    *entry -= l * head;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn solution_satisfies_the_equations_when_pivoting_is_needed() {
        let a = dmatrix![1e-20, 2.0, 1.0; 3.0, -1.0, 4.0; 2.0, 5.0, 7.0];
        let mut lu = DenseLu::default();
        lu.factorize(&a).unwrap();
        let b = nalgebra::dvector![1.0, -2.0, 3.0];
        let mut x = b.clone();
        lu.solve(x.as_mut_slice());
        assert!((a * x - b).amax() < 1e-14);
    }

    #[test]
    fn singular_column_is_named() {
        let a = dmatrix![1.0, 2.0; 2.0, 4.0];
        assert!(matches!(DenseLu::default().factorize(&a), Err(FactorizationError::Singular { column: 1 })));
        let nan = dmatrix![f64::NAN];
        assert!(DenseLu::default().factorize(&nan).is_err());
    }
}
