//! Symmetric banded matrices and their `L D Lᵀ` factorisation.

use crate::FactorizationError;

/// Symmetric banded matrix, stored by diagonals.
///
/// `diagonals[k][i] = A[i + k][i]`, `k = 0 ..= half_width`; diagonal `k` has length `n − k`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SymmetricBanded {
    diagonals: Vec<Vec<f64>>,
}

impl SymmetricBanded {
    /// Zero matrix of dimension `n` with `half_width` diagonals below the main one.
    #[must_use]
    pub fn zeros(n: usize, half_width: usize) -> Self {
        Self { diagonals: (0..=half_width.min(n.saturating_sub(1))).map(|k| vec![0.0; n - k]).collect() }
    }

    /// Dimension `n`.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.diagonals.first().map_or(0, Vec::len)
    }

    /// Number of diagonals below the main one.
    #[must_use]
    pub fn half_width(&self) -> usize {
        self.diagonals.len().saturating_sub(1)
    }

    /// Diagonal `k` below the main one, length `n − k`.
    #[must_use]
    pub fn diagonal(&self, k: usize) -> &[f64] {
        &self.diagonals[k]
    }

    /// Mutable diagonal `k` below the main one, length `n − k`.
    pub fn diagonal_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.diagonals[k]
    }

    /// `y ← y + factor · A x`.
    pub fn multiply_add(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        for (k, diagonal) in self.diagonals.iter().enumerate() {
            let m = diagonal.len();
            for ((yi, d), xi) in y[k..].iter_mut().zip(diagonal).zip(&x[..m]) {
                *yi += factor * d * xi;
            }
            if k > 0 {
                for ((yi, d), xi) in y[..m].iter_mut().zip(diagonal).zip(&x[k..]) {
                    *yi += factor * d * xi;
                }
            }
        }
    }
}

/// Factorisation `A = L D Lᵀ` of a symmetric positive definite banded matrix, without pivoting.
#[derive(Debug, Clone, Default)]
pub struct BandedLdlt {
    /// Column `j` of `L` below the diagonal: `lower[j·w .. (j+1)·w]`.
    lower: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    half_width: usize,
}

impl BandedLdlt {
    /// Factorises `matrix`; storage is reused when the shape is the same.
    ///
    /// # Errors
    /// [`FactorizationError::NotPositiveDefinite`] names the first row with a pivot that is not positive.
    pub fn factorize(&mut self, matrix: &SymmetricBanded) -> Result<(), FactorizationError> {
        let (n, w) = (matrix.dimension(), matrix.half_width());
        self.half_width = w;
        self.inverse_diagonal.clear();
        self.inverse_diagonal.extend_from_slice(matrix.diagonal(0));
        self.lower.clear();
        self.lower.resize(n * w, 0.0);
        for k in 1..=w {
            for (j, value) in matrix.diagonal(k).iter().enumerate() {
                self.lower[j * w + k - 1] = *value;
            }
        }
        for j in 0..n {
            self.eliminate_column(j)?;
        }
        Ok(())
    }

    /// Overwrites `x` (length `n`) with `A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        match self.half_width {
            0 => x.iter_mut().zip(&self.inverse_diagonal).for_each(|(xi, d)| *xi *= d),
            1 => self.solve_tridiagonal(x),
            _ => self.solve_general(x),
        }
    }

    fn eliminate_column(&mut self, j: usize) -> Result<(), FactorizationError> {
        let (n, w) = (self.inverse_diagonal.len(), self.half_width);
        let pivot = self.inverse_diagonal[j];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err(FactorizationError::NotPositiveDefinite { row: j });
        }
        let below = w.min(n - 1 - j);
        for a in 0..below {
            let multiplier = self.lower[j * w + a] / pivot;
            let i = j + 1 + a;
            self.inverse_diagonal[i] -= multiplier * self.lower[j * w + a];
            for b in a + 1..below {
                self.lower[i * w + (b - a - 1)] -= multiplier * self.lower[j * w + b];
            }
        }
        for a in 0..below {
            self.lower[j * w + a] /= pivot;
        }
        self.inverse_diagonal[j] = 1.0 / pivot;
        Ok(())
    }

    fn solve_tridiagonal(&self, x: &mut [f64]) {
        let n = x.len();
        let mut above = x[0];
        for (xi, l) in x[1..].iter_mut().zip(&self.lower) {
            *xi -= l * above;
            above = *xi;
        }
        for (xi, d) in x.iter_mut().zip(&self.inverse_diagonal) {
            *xi *= d;
        }
        let mut below = x[n - 1];
        for (xi, l) in x[..n - 1].iter_mut().zip(&self.lower).rev() {
            *xi -= l * below;
            below = *xi;
        }
    }

    fn solve_general(&self, x: &mut [f64]) {
        let (n, w) = (x.len(), self.half_width);
        for j in 0..n {
            let xj = x[j];
            for (xi, l) in x[j + 1..].iter_mut().zip(&self.lower[j * w..(j + 1) * w]) {
                *xi -= l * xj;
            }
        }
        for (xi, d) in x.iter_mut().zip(&self.inverse_diagonal) {
            *xi *= d;
        }
        for j in (0..n).rev() {
            let sum: f64 = x[j + 1..].iter().zip(&self.lower[j * w..(j + 1) * w]).map(|(xi, l)| xi * l).sum();
            x[j] -= sum;
        }
    }
}
