//! One factorisation type for every structure.

use crate::{BandedLdlt, DenseLu, FactorizationError, InlineVector, StructuredMatrix, SymmetricBanded};
use nalgebra::DMatrix;

/// Factorisation of `M + c_v C + c_q K` in the cheapest structure the three matrices share.
///
/// ```
/// use cosimo_linear::{Factorization, StructuredMatrix};
/// let mass = StructuredMatrix::Diagonal(vec![2.0, 4.0].into());
/// let mut factorization = Factorization::default();
/// factorization.factorize_sum(&[(1.0, &mass), (0.5, &mass)])?;
/// let mut x = [3.0, 6.0];
/// factorization.solve(&mut x);
/// assert_eq!(x, [1.0, 1.0]);
/// # Ok::<(), cosimo_linear::FactorizationError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Factorization {
    form: Form,
    dense: DMatrix<f64>,
    banded: SymmetricBanded,
}

#[derive(Debug, Clone)]
enum Form {
    Diagonal(InlineVector<3>),
    Banded(BandedLdlt),
    Dense(DenseLu),
}

impl Default for Form {
    fn default() -> Self {
        Self::Diagonal(InlineVector::default())
    }
}

impl Factorization {
    /// Factorises `Σ factor · matrix`; all matrices have the same dimension.
    ///
    /// # Errors
    /// See [`FactorizationError`].
    pub fn factorize_sum(&mut self, terms: &[(f64, &StructuredMatrix)]) -> Result<(), FactorizationError> {
        let terms =
            || terms.iter().filter(|(factor, m)| *factor != 0.0 && !matches!(m, StructuredMatrix::Zero(_)));
        let n = terms().next().map_or(0, |(_, m)| m.dimension());
        if terms().all(|(_, m)| matches!(m, StructuredMatrix::Diagonal(_))) {
            self.factorize_diagonal(n, terms())
        } else if terms().any(|(_, m)| matches!(m, StructuredMatrix::Dense(_))) {
            self.assemble_dense(n, terms());
            self.factorize_dense_buffer()
        } else {
            // Without pivoting an indefinite band may fail although the matrix is regular: then dense, with pivoting.
            self.factorize_banded(n, terms()).or_else(|_| {
                self.assemble_dense(n, terms());
                self.factorize_dense_buffer()
            })
        }
    }

    /// Factorises a dense matrix.
    ///
    /// # Errors
    /// See [`FactorizationError`].
    pub fn factorize_dense(&mut self, matrix: &DMatrix<f64>) -> Result<(), FactorizationError> {
        if let Form::Dense(lu) = &mut self.form {
            return lu.factorize(matrix);
        }
        let mut lu = DenseLu::default();
        lu.factorize(matrix)?;
        self.form = Form::Dense(lu);
        Ok(())
    }

    /// Overwrites `x` (length `n`) with `A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        match &self.form {
            Form::Diagonal(inverse) => x.iter_mut().zip(inverse).for_each(|(xi, d)| *xi *= d),
            Form::Banded(ldlt) => ldlt.solve(x),
            Form::Dense(lu) => lu.solve(x),
        }
    }

    fn assemble_dense<'a>(&mut self, n: usize, terms: impl Iterator<Item = &'a (f64, &'a StructuredMatrix)>) {
        if self.dense.shape() != (n, n) {
            self.dense = DMatrix::zeros(n, n);
        }
        self.dense.fill(0.0);
        terms.for_each(|(factor, m)| m.add_to_dense(*factor, &mut self.dense));
    }

    fn factorize_dense_buffer(&mut self) -> Result<(), FactorizationError> {
        let dense = std::mem::take(&mut self.dense);
        let result = self.factorize_dense(&dense);
        self.dense = dense;
        result
    }

    fn factorize_diagonal<'a>(
        &mut self,
        n: usize,
        terms: impl Iterator<Item = &'a (f64, &'a StructuredMatrix)>,
    ) -> Result<(), FactorizationError> {
        let mut inverse = match std::mem::take(&mut self.form) {
            Form::Diagonal(buffer) => buffer,
            _ => InlineVector::default(),
        };
        inverse.set_zeros(n);
        for (factor, matrix) in terms {
            if let StructuredMatrix::Diagonal(d) = matrix {
                inverse.iter_mut().zip(d).for_each(|(sum, di)| *sum += factor * di);
            }
        }
        for (i, value) in inverse.iter_mut().enumerate() {
            if !value.is_finite() || *value == 0.0 {
                return Err(FactorizationError::Singular { column: i });
            }
            *value = 1.0 / *value;
        }
        self.form = Form::Diagonal(inverse);
        Ok(())
    }

    fn factorize_banded<'a>(
        &mut self,
        n: usize,
        terms: impl Iterator<Item = &'a (f64, &'a StructuredMatrix)> + Clone,
    ) -> Result<(), FactorizationError> {
        let width =
            |m: &StructuredMatrix| if let StructuredMatrix::Banded(b) = m { b.half_width() } else { 0 };
        let half_width = terms.clone().map(|(_, m)| width(m)).max().unwrap_or(0);
        if self.banded.dimension() != n || self.banded.half_width() != half_width {
            self.banded = SymmetricBanded::zeros(n, half_width);
        }
        for k in 0..=half_width {
            self.banded.diagonal_mut(k).fill(0.0);
        }
        for (factor, matrix) in terms {
            match matrix {
                StructuredMatrix::Diagonal(d) => add_scaled(*factor, d, self.banded.diagonal_mut(0)),
                StructuredMatrix::Banded(b) => (0..=b.half_width())
                    .for_each(|k| add_scaled(*factor, b.diagonal(k), self.banded.diagonal_mut(k))),
                StructuredMatrix::Zero(_) | StructuredMatrix::Dense(_) => {}
            }
        }
        if !matches!(self.form, Form::Banded(_)) {
            self.form = Form::Banded(BandedLdlt::default());
        }
        match &mut self.form {
            Form::Banded(ldlt) => ldlt.factorize(&self.banded),
            _ => Ok(()),
        }
    }
}

fn add_scaled(factor: f64, source: &[f64], target: &mut [f64]) {
    target.iter_mut().zip(source).for_each(|(t, s)| *t += factor * s);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(n: usize, bands: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.0 * bands as f64 + 1.0,
            k if k <= bands => -1.0 / k as f64,
            _ => 0.0,
        })
    }

    #[test]
    fn every_structure_solves_its_equations() {
        for matrix in [DMatrix::identity(6, 6) * 3.0, chain(12, 1), chain(20, 3), chain(4, 3)] {
            let n = matrix.nrows();
            let mass = StructuredMatrix::from_dense(&DMatrix::identity(n, n));
            let structured = StructuredMatrix::from_dense(&matrix);
            let mut factorization = Factorization::default();
            for _ in 0..2 {
                factorization.factorize_sum(&[(1.0, &mass), (0.5, &structured)]).unwrap();
            }
            let b = nalgebra::DVector::from_fn(n, |i, _| 1.0 + i as f64);
            let mut x = b.clone();
            factorization.solve(x.as_mut_slice());
            let residual = (DMatrix::identity(n, n) + 0.5 * matrix) * x - b;
            assert!(residual.amax() < 1e-12, "{residual}");
        }
    }

    #[test]
    fn indefinite_band_falls_back_to_pivoting() {
        let mut factorization = Factorization::default();
        let structured = StructuredMatrix::from_dense(&chain(20, 1));
        factorization.factorize_sum(&[(-1.0, &structured)]).unwrap();
        let mut x = [1.0; 20];
        factorization.solve(&mut x);
        let residual = -chain(20, 1) * nalgebra::DVector::from_column_slice(&x);
        assert!(residual.iter().all(|r| (r - 1.0).abs() < 1e-12));
    }
}
