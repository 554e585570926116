//! Products of the matrices of a system with several vectors at once.

use cosimo_dynamics::{MatrixSink, Structure};
use nalgebra::DMatrix;

/// Adds `values`, `rows × …` by columns, times the rows of `x` from `from` on to the rows of `out` from `to` on.
fn add_block(
    values: &[f64],
    rows: usize,
    (x, from): (&DMatrix<f64>, usize),
    (out, to): (&mut DMatrix<f64>, usize),
) {
    let (size, height) = (x.nrows(), out.nrows());
    let columns = values.len() / rows.max(1);
    let ends = out.as_mut_slice().chunks_exact_mut(height.max(1));
    for (x, out) in x.as_slice().chunks_exact(size.max(1)).zip(ends) {
        let (x, out) = (&x[from..from + columns], &mut out[to..to + rows]);
        for (column, factor) in values.chunks_exact(rows.max(1)).zip(x) {
            out.iter_mut().zip(column).for_each(|(out, value)| *out += value * factor);
        }
    }
}

fn velocity(structure: &Structure, block: usize) -> (usize, usize) {
    let block = &structure.coordinates().blocks()[block];
    (block.velocity, block.kind.velocities())
}

/// Adds `M δa + C δv + K δq`, `n × r`.
pub(super) struct Balance<'a> {
    pub(super) structure: &'a Structure,
    pub(super) acceleration: &'a DMatrix<f64>,
    pub(super) velocity: &'a DMatrix<f64>,
    pub(super) position: &'a DMatrix<f64>,
    pub(super) out: &'a mut DMatrix<f64>,
}

impl MatrixSink for Balance<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        let (first, size) = velocity(self.structure, block);
        add_block(values, size, (self.acceleration, first), (self.out, first));
    }

    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        let ((to, size), (from, _)) = (velocity(self.structure, row), velocity(self.structure, column));
        add_block(values, size, (self.velocity, from), (self.out, to));
    }

    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        let ((to, size), (from, _)) = (velocity(self.structure, row), velocity(self.structure, column));
        add_block(values, size, (self.position, from), (self.out, to));
    }

    fn jacobian(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Adds `Φᵀ δμ`, `n × r`.
pub(super) struct Reactions<'a> {
    pub(super) structure: &'a Structure,
    pub(super) multipliers: &'a DMatrix<f64>,
    pub(super) out: &'a mut DMatrix<f64>,
}

impl MatrixSink for Reactions<'_> {
    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let (to, _) = velocity(self.structure, block);
        let (size, height) = (self.multipliers.nrows(), self.out.nrows());
        let ends = self.out.as_mut_slice().chunks_exact_mut(height.max(1));
        for (mu, out) in self.multipliers.as_slice().chunks_exact(size.max(1)).zip(ends) {
            let mu = &mu[rows.first..rows.first + rows.rows];
            for (column, out) in values.chunks_exact(rows.rows.max(1)).zip(&mut out[to..]) {
                *out += column.iter().zip(mu).map(|(value, mu)| value * mu).sum::<f64>();
            }
        }
    }

    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Adds `Φ x`, and `(∂φ̇/∂q) y` where the gradient is given, `m × r`.
pub(super) struct Rows<'a> {
    pub(super) structure: &'a Structure,
    pub(super) of_jacobian: &'a DMatrix<f64>,
    pub(super) of_gradient: &'a DMatrix<f64>,
    pub(super) out: &'a mut DMatrix<f64>,
}

impl MatrixSink for Rows<'_> {
    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let (from, _) = velocity(self.structure, block);
        add_block(values, rows.rows, (self.of_jacobian, from), (self.out, rows.first));
    }

    fn rate_gradient(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let (from, _) = velocity(self.structure, block);
        add_block(values, rows.rows, (self.of_gradient, from), (self.out, rows.first));
    }
}
