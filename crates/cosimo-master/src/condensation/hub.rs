//! Inverse masses of low rank: a subsystem with many more joined rows than degrees of freedom.
//!
//! Its inverse mass `W = L Lᵀ` would couple all of its joints with each other. With `y = Lᵀ X`, `X` the loads of the
//! joints, every joint meets the few unknowns `y` instead:
//!
//! ```text
//!   s (Q χ + V) L y        in the rows of its joints
//!   Σ s ρ Lᵀ x − y = 0     in addition
//! ```

use cosimo_subsystem::RowMatrix;

/// Share of the largest diagonal entry at which what is left of an inverse mass is round-off.
const ROUND_OFF: f64 = 1e-14;

/// Factor `L`, `r × k`, of an inverse mass `W = L Lᵀ` by Cholesky's method with pivoting.
#[derive(Debug, Clone, Default)]
pub(super) struct LowRankFactor {
    /// By columns, `r` numbers each.
    columns: Vec<f64>,
    rows: usize,
    rank: usize,
    left: Vec<f64>,
}

impl LowRankFactor {
    /// Factorises a symmetric, positive semidefinite matrix, `r × r`; says whether its rank is at most `most`. Costs
    /// `r k²`.
    pub(super) fn factorize(&mut self, inverse_mass: &RowMatrix, most: usize) -> bool {
        let r = inverse_mass.shape().0;
        (self.rows, self.rank) = (r, 0);
        self.columns.clear();
        self.left.clear();
        self.left.extend((0..r).map(|i| inverse_mass[(i, i)]));
        let largest = self.left.iter().copied().fold(0.0, f64::max);
        loop {
            let pivot = (0..r).fold(0, |best, i| if self.left[i] > self.left[best] { i } else { best });
            if !(self.left[pivot] > ROUND_OFF * largest) {
                return largest.is_finite() && self.left.iter().all(|left| left.abs() <= ROUND_OFF * largest);
            }
            if self.rank == most || !self.add_column(inverse_mass, pivot, largest) {
                return false;
            }
        }
    }

    /// Adds the column of a pivot; false if the matrix is not symmetric there.
    fn add_column(&mut self, inverse_mass: &RowMatrix, pivot: usize, largest: f64) -> bool {
        let r = self.rows;
        let is_symmetric = (0..r)
            .all(|i| (inverse_mass[(i, pivot)] - inverse_mass[(pivot, i)]).abs() <= ROUND_OFF * largest);
        if !is_symmetric {
            return false;
        }
        let start = self.columns.len();
        self.columns.extend((0..r).map(|i| inverse_mass[(i, pivot)]));
        let (done, column) = self.columns.split_at_mut(start);
        for other in done.chunks_exact(r) {
            let factor = other[pivot];
            column.iter_mut().zip(other).for_each(|(c, o)| *c -= factor * o);
        }
        let scale = 1.0 / self.left[pivot].sqrt();
        column.iter_mut().for_each(|c| *c *= scale);
        self.left.iter_mut().zip(&*column).for_each(|(left, c)| *left -= c * c);
        self.left[pivot] = 0.0;
        self.rank += 1;
        true
    }

    /// Number of columns `k`.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Entry of `L`; zero beyond the rank.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        if column < self.rank { self.columns[column * self.rows + row] } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::LowRankFactor;

    #[test]
    fn the_rank_is_found_and_the_product_is_the_matrix() {
        let tall =
            DMatrix::from_fn(40, 3, |i, j| ((3 * i + 7 * j + i * j) as f64).sin() * [1.0, 10.0, 1e-3][j]);
        let matrix = &tall * tall.transpose();
        let mut factor = LowRankFactor::default();
        assert!(!factor.factorize(&matrix.clone().into(), 2));
        assert!(factor.factorize(&matrix.clone().into(), 10));
        assert_eq!(factor.rank(), 3);
        let l = DMatrix::from_fn(40, 3, |i, j| factor.entry(i, j));
        assert!((&l * l.transpose() - &matrix).amax() < 1e-13 * matrix.amax());
    }

    #[test]
    fn matrices_that_are_no_inverse_masses_are_refused() {
        let mut factor = LowRankFactor::default();
        assert!(!factor.factorize(&DMatrix::from_fn(5, 5, |i, j| (i + 2 * j) as f64).into(), 5));
        assert!(!factor.factorize(&DMatrix::from_diagonal_element(5, 5, f64::NAN).into(), 5));
        assert!(!factor.factorize(&(DMatrix::identity(5, 5) * -1.0).into(), 5));
    }
}
