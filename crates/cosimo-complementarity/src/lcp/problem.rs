//! The linear complementarity problem and the residual that defines "solved".

use nalgebra::{DMatrix, DVector};

use super::arithmetic::CompensatedSum;
use crate::LcpError;

/// What rounding may make of the complement, in units of the largest `|qᵢ|`, without a sum in twice the precision.
const NEGLIGIBLE: f64 = 1.0e-13;

/// A linear complementarity problem, borrowed and checked: find `z` with
///
/// ```text
///   0 ≤ z  ⟂  w = M z + q ≥ 0
/// ```
///
/// | symbol | shape   | unit        | meaning                                            |
/// |--------|---------|-------------|----------------------------------------------------|
/// | `M`    | `n × n` | `[w]/[z]`   | any finite matrix, column-major; no symmetry asked |
/// | `q`    | `n`     | `[w]`       | `w` at `z = 0`                                     |
/// | `z`    | `n`     | `[z]`       | unknown, never negative                            |
/// | `w`    | `n`     | `[w]`       | complement, never negative, `zᵢ wᵢ = 0`            |
///
/// A frictionless contact problem has `z` in N s, `w` and `q` in m/s and the Delassus operator in 1/kg as `M`.
///
/// The view is `Copy`. Its slices may be the front of larger buffers, which is how a time step solves for the
/// contacts that happen to be active: fill the first `k²` and `k` entries and borrow those.
///
/// Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §1.1.
///
/// ```
/// use cosimo_complementarity::LcpProblem;
/// let problem = LcpProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-2.0, -1.0])?;
/// assert_eq!(problem.dimension(), 2);
/// assert_eq!(problem.residual(&[1.0, 0.0])?, 0.0);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LcpProblem<'a> {
    matrix: &'a [f64],
    offset: &'a [f64],
}

impl<'a> LcpProblem<'a> {
    /// The problem with the column-major `matrix` (leading dimension `n`, length `n²`) and `offset` (length `n`).
    ///
    /// # Errors
    /// [`LcpError::MatrixLength`] unless there are `n²` entries; [`LcpError::MatrixNotFinite`] or
    /// [`LcpError::OffsetNotFinite`] for the first entry that is infinite or not a number.
    #[inline]
    pub fn new(matrix: &'a [f64], offset: &'a [f64]) -> Result<Self, LcpError> {
        let dimension = offset.len();
        if dimension.checked_mul(dimension) != Some(matrix.len()) {
            return Err(LcpError::MatrixLength { dimension, found: matrix.len() });
        }
        if !(all_finite(matrix) && all_finite(offset)) {
            return Err(not_finite(matrix, offset));
        }
        Ok(Self { matrix, offset })
    }

    /// The problem with a dense matrix `M` (`n × n`) and vector `q` (`n`).
    ///
    /// # Errors
    /// [`LcpError::MatrixShape`] unless `matrix` is `n × n`; else as [`LcpProblem::new`].
    ///
    /// ```
    /// use cosimo_complementarity::LcpProblem;
    /// use nalgebra::{dmatrix, dvector};
    /// let (matrix, offset) = (dmatrix![1.0, 0.0; 0.5, 1.0], dvector![-1.0, -1.0]);
    /// let problem = LcpProblem::from_dense(&matrix, &offset)?;
    /// assert_eq!(problem.matrix(), [1.0, 0.5, 0.0, 1.0]);
    /// # Ok::<(), cosimo_complementarity::LcpError>(())
    /// ```
    pub fn from_dense(matrix: &'a DMatrix<f64>, offset: &'a DVector<f64>) -> Result<Self, LcpError> {
        let (dimension, (rows, columns)) = (offset.len(), matrix.shape());
        if rows != dimension || columns != dimension {
            return Err(LcpError::MatrixShape { dimension, rows, columns });
        }
        Self::new(matrix.as_slice(), offset.as_slice())
    }

    /// The view of slices that this crate has built itself, without a second check.
    pub(crate) fn from_checked(matrix: &'a [f64], offset: &'a [f64]) -> Self {
        debug_assert_eq!(matrix.len(), offset.len() * offset.len());
        Self { matrix, offset }
    }

    /// Number of unknowns `n`.
    #[must_use]
    #[inline]
    pub fn dimension(&self) -> usize {
        self.offset.len()
    }

    /// The matrix `M`, column-major, `n²` entries.
    #[must_use]
    #[inline]
    pub fn matrix(&self) -> &'a [f64] {
        self.matrix
    }

    /// The vector `q`, `n` entries.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> &'a [f64] {
        self.offset
    }

    /// The factor `d` (`[w]/[z]`, positive) that makes `z` comparable to `w`:
    ///
    /// ```text
    ///   d = (1/n) Σᵢ |Mᵢᵢ|,   or maxᵢⱼ |Mᵢⱼ| where the diagonal is 0,   or 1 where M is 0
    /// ```
    #[must_use]
    #[inline]
    pub fn diagonal_scale(&self) -> f64 {
        let n = self.dimension();
        // Divided before it is summed, so that the largest finite entries do not overflow.
        let mean: f64 = self.matrix.iter().step_by(n + 1).map(|entry| entry.abs() / n as f64).sum();
        if mean > 0.0 {
            return mean;
        }
        let largest = self.matrix.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// Writes `w = M z + q` (`[w]`) for the `z` given (`[z]`); both have length `n`.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if a length is not `n`.
    ///
    /// ```
    /// use cosimo_complementarity::LcpProblem;
    /// let problem = LcpProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-2.0, 3.0])?;
    /// let mut w = [0.0; 2];
    /// problem.complement(&[1.0, 0.0], &mut w)?;
    /// assert_eq!(w, [0.0, 4.0]);
    /// # Ok::<(), cosimo_complementarity::LcpError>(())
    /// ```
    pub fn complement(&self, z: &[f64], out: &mut [f64]) -> Result<(), LcpError> {
        self.check_length("z", z)?;
        self.check_length("out", out)?;
        out.iter_mut().enumerate().for_each(|(row, out)| *out = self.complement_at(row, z));
        Ok(())
    }

    /// How far `z` is from a solution: the natural map, scaled; 0 exactly at solutions.
    ///
    /// ```text
    ///   r(z) = maxᵢ |min(d zᵢ, wᵢ)| / max(‖q‖∞, tiny),      w = M z + q
    /// ```
    ///
    /// | symbol | unit      | meaning                                                              |
    /// |--------|-----------|----------------------------------------------------------------------|
    /// | `r`    | –         | residual; unchanged if `(M, q, z)` become `(α M, β q, β/α z)`        |
    /// | `d`    | `[w]/[z]` | [`diagonal_scale`](Self::diagonal_scale)                             |
    /// | `tiny` | `[w]`     | smallest normal number; `z = 0` has `r = 0` for `q = 0`              |
    ///
    /// `min(d zᵢ, wᵢ)` is 0 if and only if `zᵢ ≥ 0`, `wᵢ ≥ 0` and `zᵢ wᵢ = 0`; a negative `zᵢ` or `wᵢ` and a product
    /// that is not 0 all count in the unit of `w`, relative to the largest `|qᵢ|`. `M z + q` is
    /// summed in twice the working precision where the round-off of its terms would count, so that large terms hide nothing.
    /// Every solver of the class is judged by this number and by no other. A `z` that is not finite, or makes `w` overflow, has `r = ∞`, never NaN.
    ///
    /// Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §1.4 (the
    /// problem as the equation `min(z, M z + q) = 0`); the scaling is ours.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `z` is not `n`.
    ///
    /// ```
    /// use cosimo_complementarity::LcpProblem;
    /// let problem = LcpProblem::new(&[2.0], &[-4.0])?;
    /// assert_eq!(problem.residual(&[2.0])?, 0.0);
    /// assert_eq!(problem.residual(&[1.0])?, 0.5); // w = −2 is half of q
    /// assert_eq!(problem.residual(&[-1.0])?, 1.5); // w = −6
    /// assert_eq!(problem.residual(&[f64::NAN])?, f64::INFINITY);
    /// # Ok::<(), cosimo_complementarity::LcpError>(())
    /// ```
    pub fn residual(&self, z: &[f64]) -> Result<f64, LcpError> {
        self.check_length("z", z)?;
        Ok(self.residual_of(z))
    }

    /// [`residual`](Self::residual) of a `z` whose length is known to be `n`.
    pub(crate) fn residual_of(&self, z: &[f64]) -> f64 {
        let scale = self.diagonal_scale();
        let offset = self.offset.iter().fold(f64::MIN_POSITIVE, |norm, entry| norm.max(entry.abs()));
        let negligible = NEGLIGIBLE / f64::EPSILON / z.len() as f64 * offset;
        let mut largest = 0.0_f64;
        for (row, z_row) in z.iter().enumerate() {
            let (mut complement, terms) = self.complement_and_terms(row, z);
            if terms > negligible {
                complement = self.compensated_complement(row, z).unwrap_or(complement);
            }
            let forward = scale * z_row;
            // `min` would drop a NaN silently.
            if !(forward.is_finite() && complement.is_finite()) {
                return f64::INFINITY;
            }
            largest = largest.max(forward.min(complement).abs());
        }
        largest / offset
    }

    /// `wᵢ` of one row, and the sum of the magnitudes of its products.
    #[inline]
    fn complement_and_terms(&self, row: usize, z: &[f64]) -> (f64, f64) {
        let entries = self.matrix[row..].iter().step_by(self.dimension());
        let products = entries.zip(z).filter(|(_, z)| **z != 0.0).map(|(entry, z)| entry * z);
        let (product, terms) =
            products.fold((0.0, 0.0), |(sum, terms), product| (sum + product, terms + product.abs()));
        (product + self.offset[row], terms)
    }

    /// `wᵢ` of one row, in twice the working precision; `None` where that overflows.
    #[cold]
    fn compensated_complement(&self, row: usize, z: &[f64]) -> Option<f64> {
        let mut sum = CompensatedSum::new(self.offset[row]);
        for (entry, z) in self.matrix[row..].iter().step_by(self.dimension()).zip(z) {
            sum.add_product(*entry, *z);
        }
        Some(sum.value()).filter(|sum| sum.is_finite())
    }

    /// `wᵢ` of one row. Entries with `zⱼ = 0` are skipped.
    #[inline]
    pub(super) fn complement_at(&self, row: usize, z: &[f64]) -> f64 {
        let entries = self.matrix[row..].iter().step_by(self.dimension());
        let product: f64 = entries.zip(z).filter(|(_, z)| **z != 0.0).map(|(entry, z)| entry * z).sum();
        product + self.offset[row]
    }

    pub(super) fn check_length(&self, vector: &'static str, found: &[f64]) -> Result<(), LcpError> {
        if found.len() == self.dimension() {
            return Ok(());
        }
        Err(LcpError::VectorLength { vector, dimension: self.dimension(), found: found.len() })
    }
}

/// Is every entry finite? Looks at all of them, which is faster than to stop at the first that is not.
#[inline]
fn all_finite(entries: &[f64]) -> bool {
    entries.iter().fold(true, |so_far, entry| so_far & entry.is_finite())
}

/// The error that names the first entry, of `matrix` before `offset`, that is not finite.
#[cold]
fn not_finite(matrix: &[f64], offset: &[f64]) -> LcpError {
    let first = |entries: &[f64]| entries.iter().position(|entry| !entry.is_finite());
    let dimension = offset.len();
    if let Some(index) = first(matrix) {
        let (row, column) = (index % dimension, index / dimension);
        return LcpError::MatrixNotFinite { row, column, found: matrix[index] };
    }
    let index = first(offset).unwrap_or_default();
    LcpError::OffsetNotFinite { index, found: offset[index] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residual_has_no_unit() {
        let (matrix, offset, z) = ([2.0, 1.0, -1.0, 3.0], [-1.0, 2.0], [0.3, 0.2]);
        let expected = LcpProblem::new(&matrix, &offset).unwrap().residual(&z).unwrap();
        let (alpha, beta) = (1.0e-7, 3.0e4);
        let (matrix, offset) = (matrix.map(|m| alpha * m), offset.map(|q| beta * q));
        let scaled =
            LcpProblem::new(&matrix, &offset).unwrap().residual(&z.map(|z| beta / alpha * z)).unwrap();
        assert!((scaled - expected).abs() < 1.0e-14 * expected, "{scaled} instead of {expected}");
    }

    #[test]
    fn residual_of_an_overflow_is_infinite() {
        let problem = LcpProblem::new(&[f64::MAX, 0.0, -f64::MAX, 1.0], &[-1.0, -1.0]).unwrap();
        assert_eq!(problem.residual(&[4.0, 4.0]).unwrap(), f64::INFINITY);
    }

    #[test]
    fn empty_problem_has_no_residual() {
        assert_eq!(LcpProblem::new(&[], &[]).unwrap().residual(&[]).unwrap(), 0.0);
    }

    #[test]
    fn every_negative_sign_counts() {
        let problem = LcpProblem::new(&[1.0, 0.0, 0.0, 1.0], &[1.0, -1.0]).unwrap();
        assert_eq!(problem.residual(&[0.0, 1.0]).unwrap(), 0.0);
        assert_eq!(problem.residual(&[0.0, 0.0]).unwrap(), 1.0);
        assert_eq!(problem.residual(&[-0.5, 1.0]).unwrap(), 0.5);
    }

    #[test]
    fn broken_rules_are_named() {
        let not_finite = LcpProblem::new(&[1.0, 0.0, f64::NAN, 1.0], &[1.0, 1.0]);
        assert!(matches!(not_finite, Err(LcpError::MatrixNotFinite { row: 0, column: 1, .. })));
        let not_finite = LcpProblem::new(&[1.0], &[f64::NEG_INFINITY]);
        assert_eq!(not_finite, Err(LcpError::OffsetNotFinite { index: 0, found: f64::NEG_INFINITY }));
        let (matrix, offset) = (DMatrix::zeros(2, 1), DVector::zeros(2));
        let shape = LcpProblem::from_dense(&matrix, &offset);
        assert_eq!(shape, Err(LcpError::MatrixShape { dimension: 2, rows: 2, columns: 1 }));
        let short = LcpProblem::new(&[1.0], &[1.0]).unwrap().residual(&[]);
        assert_eq!(short, Err(LcpError::VectorLength { vector: "z", dimension: 1, found: 0 }));
    }
}
