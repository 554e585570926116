//! One of the three saddle points of a step.

use cosimo_linear::DenseLu;
use cosimo_smooth::dae::SaddlePoint;
use nalgebra::DMatrix;

use crate::matrices::{ContactJacobian, Response};

/// What is added to the diagonal of a singular operator, as a share of its largest entry, and how often the rest is solved again.
const SOFTNESS: f64 = 1e-7;
const REFINEMENTS: usize = 3;

/// Solves `[A Φᵀ; Φ 0] (x, y) = (r + Gᵀ n, s)` with `G x = c` on the active rows for `x, y` and the multipliers `n`.
#[derive(Debug, Default)]
pub(crate) struct Part {
    response: Response,
    delassus: DMatrix<f64>,
    lu: DenseLu,
    soft: DMatrix<f64>,
    rest: Vec<f64>,
    wanted: Vec<f64>,
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
        self.solve();
        self.response.add(1.0, &self.multipliers, unknowns);
    }

    /// Overwrites the multipliers, velocities at first, by those that make them. Contacts that others imply share: a singular operator is
    /// softened, and what that leaves is solved for again.
    fn solve(&mut self) {
        if self.lu.factorize(&self.delassus).is_ok() {
            return self.lu.solve(&mut self.multipliers);
        }
        let softness = SOFTNESS * self.delassus.amax();
        self.soft.clone_from(&self.delassus);
        for k in 0..self.rows.len() {
            self.soft[(k, k)] += softness;
        }
        if self.lu.factorize(&self.soft).is_err() {
            return self.multipliers.fill(0.0);
        }
        self.rest.clone_from(&self.multipliers);
        self.wanted.clone_from(&self.multipliers);
        self.multipliers.fill(0.0);
        for _ in 0..=REFINEMENTS {
            self.lu.solve(&mut self.rest);
            self.multipliers.iter_mut().zip(&self.rest).for_each(|(own, change)| *own += change);
            for (i, rest) in self.rest.iter_mut().enumerate() {
                let made: f64 =
                    self.multipliers.iter().enumerate().map(|(k, x)| self.delassus[(i, k)] * x).sum();
                *rest = self.wanted[i] - made;
            }
        }
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
