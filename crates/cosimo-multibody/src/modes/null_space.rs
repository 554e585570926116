//! What constraints leave free.

use nalgebra::{DMatrix, DVector};

/// Share of the longest row below which what is left of a row counts as implied by others.
const DEPENDENT: f64 = 1e-9;

/// An orthonormal basis of the coordinates: across the constraints, and along them.
#[derive(Debug)]
pub(super) struct NullSpace {
    /// Rows of `Φ` that others do not imply.
    rows: Vec<usize>,
    /// Spans `Φᵀ`, `n × r`.
    across: DMatrix<f64>,
    /// `Φ y = 0` for `y = along z`, `n × (n − r)`.
    pub(super) along: DMatrix<f64>,
    /// `Φ` of the rows kept times `across`, `r × r`, lower triangular.
    triangle: DMatrix<f64>,
}

impl NullSpace {
    pub(super) fn of(jacobian: &DMatrix<f64>) -> Self {
        let n = jacobian.ncols();
        let rows = independent_rows(jacobian);
        let kept = jacobian.select_rows(rows.iter());
        let r = rows.len();
        if r == 0 {
            let (across, triangle) = (DMatrix::zeros(n, 0), DMatrix::zeros(0, 0));
            return Self { rows, across, along: DMatrix::identity(n, n), triangle };
        }
        // The factor Q of [Φᵀ, 1] has all n columns.
        let mut wide = DMatrix::zeros(n, r + n);
        wide.columns_mut(0, r).copy_from(&kept.transpose());
        wide.columns_mut(r, n).fill_with_identity();
        let q = wide.qr().q();
        let across = q.columns(0, r).into_owned();
        let along = q.columns(r, n - r).into_owned();
        let triangle = &kept * &across;
        Self { rows, across, along, triangle }
    }

    /// The least increment that changes the constraints by `−residual`.
    pub(super) fn closing(&self, residual: &[f64]) -> Option<DVector<f64>> {
        if self.rows.is_empty() {
            return Some(DVector::zeros(self.along.nrows()));
        }
        let right = DVector::from_iterator(self.rows.len(), self.rows.iter().map(|&row| -residual[row]));
        Some(&self.across * self.triangle.clone().lu().solve(&right)?)
    }

    /// Multipliers, of `m` rows, that balance the forces `r` across the constraints; those of rows that others imply are zero.
    pub(super) fn multipliers(&self, forces: &DVector<f64>, m: usize) -> Option<DVector<f64>> {
        if self.rows.is_empty() {
            return Some(DVector::zeros(m));
        }
        let right = -self.across.tr_mul(forces);
        let own = self.triangle.transpose().lu().solve(&right)?;
        let mut all = DVector::zeros(m);
        self.rows.iter().zip(own.iter()).for_each(|(&row, mu)| all[row] = *mu);
        Some(all)
    }
}

/// Rows that earlier ones do not imply, by orthogonalisation.
fn independent_rows(jacobian: &DMatrix<f64>) -> Vec<usize> {
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut kept = Vec::new();
    for (number, row) in jacobian.row_iter().enumerate() {
        let mut rest = row.transpose();
        let length = rest.norm();
        for _ in 0..2 {
            basis.iter().for_each(|b| {
                let share = b.dot(&rest);
                rest.axpy(-share, b, 1.0);
            });
        }
        let left = rest.norm();
        if left > DEPENDENT * length {
            basis.push(rest / left);
            kept.push(number);
        }
    }
    kept
}
