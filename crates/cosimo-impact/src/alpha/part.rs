//! One of the three saddle points of a step.

use cosimo_linear::DenseLu;
use cosimo_smooth::dae::SaddlePoint;
use nalgebra::{DMatrix, DVector};

use crate::matrices::{ContactJacobian, Response};

/// Singular values below this share of the largest count as zero: contacts that others imply.
const RANK: f64 = 1e-10;

/// Solves `[A Φᵀ; Φ 0] (x, y) = (r + Gᵀ n, s)` with `G x = c` on the active rows for `x, y` and the multipliers `n`.
#[derive(Debug, Default)]
pub(crate) struct Part {
    response: Response,
    delassus: DMatrix<f64>,
    lu: DenseLu,
    rows: Vec<usize>,
    /// `n` of the active rows.
    pub(crate) multipliers: Vec<f64>,
}

impl Part {
    /// Answers of the matrix to unit loads on these rows.
    pub(crate) fn prepare(
        &mut self,
        matrix: &mut SaddlePoint,
        jacobian: &ContactJacobian,
        rows: impl Iterator<Item = usize>,
        sizes: (usize, usize),
    ) {
        self.rows.clear();
        self.rows.extend(rows);
        self.response.solve(matrix, jacobian, &self.rows, sizes);
        self.response.delassus(jacobian, &self.rows, &mut self.delassus);
    }

    /// Completes `unknowns`, the solution without contacts, by multipliers for which the rows take these values.
    pub(crate) fn impose(
        &mut self,
        jacobian: &ContactJacobian,
        values: impl Iterator<Item = f64>,
        unknowns: &mut [f64],
    ) {
        self.multipliers.clear();
        let free = self.rows.iter().map(|row| jacobian.product(*row, unknowns));
        self.multipliers.extend(free.zip(values).map(|(free, value)| value - free));
        if self.rows.is_empty() {
            return;
        }
        if self.lu.factorize(&self.delassus).is_ok() {
            self.lu.solve(&mut self.multipliers);
        } else {
            let right = DVector::from_column_slice(&self.multipliers);
            let svd = self.delassus.clone().svd(true, true);
            let smallest = RANK * svd.singular_values.amax();
            if let Ok(solution) = svd.solve(&right, smallest) {
                self.multipliers.copy_from_slice(solution.as_slice());
            }
        }
        self.response.add(1.0, &self.multipliers, unknowns);
    }

    /// Completes `unknowns` by these multipliers.
    pub(crate) fn add(&self, multipliers: &[f64], unknowns: &mut [f64]) {
        self.response.add(1.0, multipliers, unknowns);
    }

    /// The answer of the active rows to unit multipliers.
    pub(crate) fn delassus(&self) -> &DMatrix<f64> {
        &self.delassus
    }
}
