//! One of the three saddle points of a step.

use cosimo_linear::{DenseLu, set_square_zeros};
use cosimo_smooth::dae::SaddlePoint;
use nalgebra::DMatrix;

use crate::error::ImpactError;
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
    /// Factorisations of the matrix and takings of the Jacobian that the answers were made of.
    origin: Option<(usize, usize)>,
    /// Whether the operator is regular; its factors are then kept.
    is_regular: bool,
    /// `n` of the active rows.
    pub(crate) multipliers: Vec<f64>,
}

impl Part {
    /// Answers of the matrix, of that number of factorisations, to unit loads on these rows. Those of the last rows, matrix and
    /// Jacobian are kept.
    pub(crate) fn prepare(
        &mut self,
        (matrix, factorizations): (&mut SaddlePoint, usize),
        jacobian: &ContactJacobian,
        rows: impl Iterator<Item = usize> + Clone,
        sizes: (usize, usize),
    ) {
        let origin = Some((factorizations, jacobian.takings));
        if origin == self.origin && rows.clone().eq(self.rows.iter().copied()) {
            return;
        }
        self.origin = origin;
        self.rows.clear();
        self.rows.extend(rows);
        self.response.solve(matrix, jacobian, &self.rows, sizes);
        self.response.delassus(jacobian, &self.rows, &mut self.delassus);
        self.is_regular = self.lu.factorize(&self.delassus).is_ok();
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

    /// Completes `unknowns`, the solution without contacts, by multipliers that obey a law between totals and rows: `n + shift` and
    /// `G x − c`, with `project_positions` what is known of the totals and `c` these values. The law is given the operator, the rows without
    /// totals, and the first guess of the totals.
    pub(crate) fn obey(
        &mut self,
        jacobian: &ContactJacobian,
        (values, shifts): (impl Iterator<Item = f64>, &[f64]),
        law: impl FnOnce(&DMatrix<f64>, &[f64], &mut [f64]) -> Result<(), ImpactError>,
        unknowns: &mut [f64],
    ) -> Result<(), ImpactError> {
        self.multipliers.clear();
        self.multipliers.extend_from_slice(shifts);
        if self.rows.is_empty() {
            return Ok(());
        }
        self.wanted.clear();
        for ((i, row), value) in self.rows.iter().enumerate().zip(values) {
            let shifted: f64 =
                shifts.iter().enumerate().map(|(k, shift)| self.delassus[(i, k)] * shift).sum();
            self.wanted.push(jacobian.product(*row, unknowns) - value - shifted);
        }
        law(&self.delassus, &self.wanted, &mut self.multipliers)?;
        self.multipliers.iter_mut().zip(shifts).for_each(|(total, shift)| *total -= shift);
        self.response.add(1.0, &self.multipliers, unknowns);
        Ok(())
    }

    /// Overwrites the multipliers, velocities at first, by those that make them. Contacts that others imply share: a singular operator is
    /// softened, and what that leaves is solved for again.
    fn solve(&mut self) {
        if self.is_regular {
            return self.lu.solve(&mut self.multipliers);
        }
        let softness = SOFTNESS * self.delassus.amax();
        set_square_zeros(&mut self.soft, self.rows.len());
        self.soft.copy_from(&self.delassus);
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
            self.refine();
        }
    }

    /// Corrects the multipliers by what is left of the wanted right-hand side.
    fn refine(&mut self) {
        self.lu.solve(&mut self.rest);
        self.multipliers.iter_mut().zip(&self.rest).for_each(|(own, change)| *own += change);
        for (i, rest) in self.rest.iter_mut().enumerate() {
            let made: f64 = self.multipliers.iter().enumerate().map(|(k, x)| self.delassus[(i, k)] * x).sum();
            *rest = self.wanted[i] - made;
        }
    }

    /// Answer of the row in this place to its own unit multiplier.
    pub(crate) fn mobility(&self, place: usize) -> f64 {
        self.delassus[(place, place)]
    }

    /// Completes `unknowns` by these multipliers.
    pub(crate) fn add(&self, multipliers: &[f64], unknowns: &mut [f64]) {
        self.response.add(1.0, multipliers, unknowns);
    }
}
