//! Inverse of an inverse mass on the loads that move something.

use cosimo_linear::DenseLu;
use nalgebra::allocator::Allocator;
use nalgebra::{DMatrix, DefaultAllocator, DimDiff, DimMin, DimSub, OMatrix, OVector, U1};

/// Singular value, against the largest, below which a load moves nothing: what differences of answers leave of zero.
pub(super) const NOTHING: f64 = 1e-6;

/// Pseudo-inverse of an inverse mass whose rows may have different units. Where every load moves something it is the inverse, and
/// factorising it anew allocates nothing.
#[derive(Debug)]
pub(crate) struct PseudoInverse {
    matrix: DMatrix<f64>,
    lu: DenseLu,
    /// The pseudo-inverse where some loads move nothing.
    singular: Option<DMatrix<f64>>,
    right_side: Vec<f64>,
}

impl PseudoInverse {
    /// For a matrix of `n` rows.
    pub(crate) fn new(n: usize) -> Self {
        Self {
            matrix: DMatrix::zeros(n, n),
            lu: DenseLu::default(),
            singular: None,
            right_side: vec![0.0; n],
        }
    }

    /// The inverse mass, to be set before it is factorised.
    pub(crate) fn matrix_mut(&mut self) -> &mut DMatrix<f64> {
        &mut self.matrix
    }

    /// Makes the pseudo-inverse of the matrix as it is set.
    pub(crate) fn factorize(&mut self) {
        let Self { matrix, lu, .. } = self;
        let is_regular = lu.factorize(matrix).is_ok() && lu.least_pivot(matrix) > NOTHING;
        self.singular = (!is_regular).then(|| invert(matrix));
    }

    /// Overwrites a right-hand side with the loads.
    pub(crate) fn apply(&mut self, x: &mut [f64]) {
        let Some(inverse) = &self.singular else {
            self.lu.solve(x);
            return;
        };
        self.right_side.copy_from_slice(x);
        for (row, x) in x.iter_mut().enumerate() {
            *x = self.right_side.iter().enumerate().map(|(k, r)| inverse[(row, k)] * r).sum();
        }
    }
}

/// Pseudo-inverse in the units that make the diagonal one; not a number of what is not finite.
fn invert<D>(matrix: &OMatrix<f64, D, D>) -> OMatrix<f64, D, D>
where
    D: DimMin<D, Output = D> + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    invert_in(matrix, matrix.diagonal())
}

/// Pseudo-inverse in the units that make one of these sizes of the rows; not a number of what is not finite.
pub(super) fn invert_in<D>(matrix: &OMatrix<f64, D, D>, mut scales: OVector<f64, D>) -> OMatrix<f64, D, D>
where
    D: DimMin<D, Output = D> + DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    scales.apply(|d| *d = if *d > 0.0 { d.sqrt().recip() } else { 1.0 });
    let in_units = |mut matrix: OMatrix<f64, D, D>| {
        for (mut column, own) in matrix.column_iter_mut().zip(scales.iter()) {
            column.zip_apply(&scales, |entry, scale| *entry *= scale * own);
        }
        matrix
    };
    let scaled = in_units(matrix.clone());
    if !scaled.iter().all(|x| x.is_finite()) {
        return matrix.map(|_| f64::NAN);
    }
    let svd = scaled.svd(true, true);
    let least = NOTHING * svd.singular_values.max();
    in_units(svd.pseudo_inverse(least).unwrap_or_else(|_| matrix.map(|_| 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// The first two loads act at one place in opposite directions, in units a million times apart; the third by itself.
    #[test]
    fn loads_that_move_nothing_are_left_alone() {
        let unit = 1e6;
        let mut inverse = PseudoInverse::new(3);
        inverse.matrix_mut().copy_from(&dmatrix![
            2.0, -2.0 * unit, 0.0;
            -2.0 * unit, 2.0 * unit * unit, 0.0;
            0.0, 0.0, 4.0
        ]);
        inverse.factorize();
        let mut x = [2.0, -2.0 * unit, 8.0];
        inverse.apply(&mut x);
        // What is asked for is found, with equal shares in equal units.
        for (found, exact) in x.iter().zip([0.5, -0.5 / unit, 2.0]) {
            assert!((found - exact).abs() < 1e-12 * exact.abs(), "{x:?}");
        }
    }

    #[test]
    fn regular_matrices_are_inverted() {
        let mut inverse = PseudoInverse::new(2);
        inverse.matrix_mut().copy_from(&dmatrix![2.0, 1.0; 1.0, 3.0]);
        inverse.factorize();
        let mut x = [4.0, 7.0];
        inverse.apply(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15, "{x:?}");
    }
}
