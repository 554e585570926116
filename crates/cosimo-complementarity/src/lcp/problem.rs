//! The linear complementarity problem and the residual that defines "solved".

use nalgebra::{DMatrix, DVector};

use super::arithmetic::CompensatedSum;
use crate::{Budget, LcpError};

/// What rounding may make of the complement, in units of the largest `|qᵢ|`, without a sum in twice the precision.
const NEGLIGIBLE: f64 = 1.0e-13;

/// Largest `|qᵢ|` below which products are formed in a larger unit, so that none of them is subnormal and rounded like one.
const SMALL: f64 = 1.0e-200;
const ENLARGED: f64 = f64::from_bits((1023 + 600) << 52); // 2⁶⁰⁰

/// Share of its terms by which a complement may be off in a solution up to round-off: one rounding of each.
const ROUNDED: f64 = f64::EPSILON;
/// Largest share of the largest `|qᵢ|` that this rounding may be: beyond, a point says nothing.
const TELLING: f64 = 1.0e-3;

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
#[derive(Debug, Clone, Copy)]
pub struct LcpProblem<'a> {
    matrix: &'a [f64],
    offset: &'a [f64],
    pub(super) budget: Budget<'a>,
}

/// By matrix and offset.
impl PartialEq for LcpProblem<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.matrix, self.offset) == (other.matrix, other.offset)
    }
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
        Ok(Self { matrix, offset, budget: Budget::default() })
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

    /// The same problem, to be solved within these bounds.
    #[must_use]
    pub fn within(self, budget: Budget<'a>) -> Self {
        Self { budget, ..self }
    }

    /// The view of slices that this crate has built itself, without a second check.
    pub(crate) fn from_checked(matrix: &'a [f64], offset: &'a [f64]) -> Self {
        debug_assert_eq!(matrix.len(), offset.len() * offset.len());
        Self { matrix, offset, budget: Budget::default() }
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
    ///   r(z) = maxᵢ |min(d zᵢ, wᵢ)| / ‖q‖∞,      w = M z + q
    /// ```
    ///
    /// | symbol | unit      | meaning                                                              |
    /// |--------|-----------|----------------------------------------------------------------------|
    /// | `r`    | –         | residual; unchanged if `(M, q, z)` become `(α M, β q, β/α z)`        |
    /// | `d`    | `[w]/[z]` | [`diagonal_scale`](Self::diagonal_scale)                             |
    ///
    /// Where `q = 0` the smallest normal number takes the place of `‖q‖∞`: `z = 0` has `r = 0`.
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
        let (unit, offset) = self.unit_and_size();
        let negligible = NEGLIGIBLE / f64::EPSILON / z.len() as f64 * offset;
        let mut largest = 0.0_f64;
        for (row, z_row) in z.iter().enumerate() {
            let complement = self.precise_complement(row, z, (unit, negligible)).0;
            let forward = scale * (unit * z_row);
            // `min` would drop a NaN silently.
            if !(forward.is_finite() && complement.is_finite()) {
                return f64::INFINITY;
            }
            largest = largest.max(forward.min(complement).abs());
        }
        largest / offset
    }

    /// Whether what `z` misses by more than the tolerance is explained by the rounding of its entries: in each such row
    /// `|wᵢ| ≤ 2⁻⁵² Σ |Mᵢⱼ| zⱼ`, so that `z` solves a problem whose entries differ from those of `M` by one rounding at most
    /// (W. Oettli, W. Prager, Numerische Mathematik 6 (1964) 405–409), and that is little in terms of `q`.
    ///
    /// The first `equations` rows ask for `wᵢ = 0` whatever the sign of `zᵢ`.
    pub(crate) fn is_met_up_to_rounding(&self, z: &[f64], tolerance: f64, equations: usize) -> bool {
        let scale = self.diagonal_scale();
        let (unit, offset) = self.unit_and_size();
        z.iter().enumerate().all(|(row, z_row)| {
            let (complement, terms) = self.precise_complement(row, z, (unit, 0.0));
            let forward = if row < equations { f64::INFINITY } else { scale * (unit * z_row) };
            let miss = forward.min(complement).abs();
            let rounding = ROUNDED * terms;
            miss <= tolerance * offset || (complement.abs() <= rounding && rounding <= TELLING * offset)
        })
    }

    /// The unit in which products are formed, a power of two, and the largest `|qᵢ|` in it, or the smallest normal number.
    fn unit_and_size(&self) -> (f64, f64) {
        let largest = self.offset.iter().fold(0.0_f64, |norm, entry| norm.max(entry.abs()));
        let unit = if largest < SMALL && largest > 0.0 { ENLARGED } else { 1.0 };
        (unit, if largest > 0.0 { unit * largest } else { f64::MIN_POSITIVE })
    }

    /// `wᵢ` of one row and the sum of the magnitudes of its products, in this unit; in twice the working precision where
    /// they are more than negligible and that does not overflow.
    #[inline]
    fn precise_complement(&self, row: usize, z: &[f64], (unit, negligible): (f64, f64)) -> (f64, f64) {
        let (complement, terms) = self.complement_and_terms(row, z, unit);
        if terms <= negligible {
            return (complement, terms);
        }
        (self.compensated_complement(row, z, unit).unwrap_or(complement), terms)
    }

    /// `wᵢ` of one row, and the sum of the magnitudes of its products.
    #[inline]
    fn complement_and_terms(&self, row: usize, z: &[f64], unit: f64) -> (f64, f64) {
        let entries = self.matrix[row..].iter().step_by(self.dimension());
        let products = entries.zip(z).filter(|(_, z)| **z != 0.0).map(|(entry, z)| entry * (unit * z));
        let (product, terms) =
            products.fold((0.0, 0.0), |(sum, terms), product| (sum + product, terms + product.abs()));
        (product + unit * self.offset[row], terms)
    }

    /// `wᵢ` of one row, in twice the working precision; `None` where that overflows.
    #[cold]
    fn compensated_complement(&self, row: usize, z: &[f64], unit: f64) -> Option<f64> {
        let mut sum = CompensatedSum::new(unit * self.offset[row]);
        for (entry, z) in self.matrix[row..].iter().step_by(self.dimension()).zip(z) {
            sum.add_product(*entry, unit * *z);
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
    fn subnormal_data_are_measured_like_others() {
        // As it would be for q = −1; powers of two change nothing.
        let offset = [-1e-320, -1e-320];
        let problem = LcpProblem::new(&[1.0, 0.0, 0.0, 1.0], &offset).unwrap();
        assert_eq!(problem.residual(&[0.0; 2]).unwrap(), 1.0);
        assert_eq!(problem.residual(&[1e-320; 2]).unwrap(), 0.0);
        // A third of 2024 times the least number is none, and the product is not rounded to one.
        let third = [-2024.0 * f64::from_bits(1)];
        let problem = LcpProblem::new(&[3.0], &third).unwrap();
        let residual = problem.residual(&[675.0 * f64::from_bits(1)]).unwrap();
        assert!((residual - 1.0 / 2024.0).abs() < 1e-15, "{residual}");
    }

    /// A body squeezed by something that gives way by 1e-10: `z = 1e10`, which a unit in the last place moves by 2e-6.
    #[test]
    fn what_rounding_leaves_is_told_from_what_is_wrong() {
        let (stiff, offset) = (1.0 + 1e-10, [-1.0, -1.0]);
        let matrix = [stiff, -1.0, -1.0, stiff];
        let problem = LcpProblem::new(&matrix, &offset).unwrap();
        let met = |z: [f64; 2]| problem.is_met_up_to_rounding(&z, 1e-10, 0);
        let z = 1.0 / (stiff - 1.0);
        let next = z * (1.0 + f64::EPSILON);
        let residual = problem.residual(&[z, next]).unwrap();
        assert!(residual > 1e-7 && residual < 1e-5, "{residual}");
        assert!(met([z, next]));
        assert!(!met([z, z * (1.0 + 1e-14)]) && !met([0.0, 0.0]) && !met([1e14, 1e14]));
        // A thousandth of q is no round-off.
        let matrix = [1.0 + 1e-14, -1.0, -1.0, 1.0 + 1e-14];
        let problem = LcpProblem::new(&matrix, &offset).unwrap();
        let z = 1.0 / (matrix[0] - 1.0);
        assert!(!problem.is_met_up_to_rounding(&[z, z * (1.0 + f64::EPSILON)], 1e-10, 0));
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
