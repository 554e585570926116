//! Matrices of a constrained system, and finite differences of its balance.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion};
use nalgebra::{DMatrix, DVector};

const WIDTH: f64 = 2e-4;

/// Difference quotient of order 4: angles far from their plane turn fast.
pub(crate) fn slope(f: impl Fn(f64) -> DVector<f64>) -> DVector<f64> {
    ((f(WIDTH) - f(-WIDTH)) * 8.0 - (f(2.0 * WIDTH) - f(-2.0 * WIDTH))) / (12.0 * WIDTH)
}

/// Collects matrices densely: `M`, `∂r/∂v`, `∂r/∂q`, `Φ`, `∂φ̇/∂q`.
pub(crate) struct Dense<'a> {
    system: &'a dyn ConstrainedSystem,
    pub(crate) mass: DMatrix<f64>,
    pub(crate) damping: DMatrix<f64>,
    pub(crate) stiffness: DMatrix<f64>,
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) rate_gradient: DMatrix<f64>,
}

impl<'a> Dense<'a> {
    pub(crate) fn new(system: &'a dyn ConstrainedSystem) -> Self {
        let (n, m) = (system.structure().velocities(), system.structure().rows());
        let square = DMatrix::zeros(n, n);
        let rows = DMatrix::zeros(m, n);
        let (mass, damping, stiffness) = (square.clone(), square.clone(), square);
        Self { system, mass, damping, stiffness, jacobian: rows.clone(), rate_gradient: rows }
    }

    fn add_row(&self, target: &mut DMatrix<f64>, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.system.structure().constraints()[constraint];
        let (first, size) = self.place(block);
        let own = DMatrix::from_column_slice(rows.rows, size, values);
        let mut view = target.view_mut((rows.first, first), (rows.rows, size));
        view += own;
    }

    /// First velocity of a block, and how many there are.
    fn place(&self, block: usize) -> (usize, usize) {
        let block = self.system.structure().coordinates().blocks()[block];
        (block.velocity, block.kind.velocities())
    }

    fn add(&self, target: &mut DMatrix<f64>, row: usize, column: usize, values: &[f64]) {
        let ((row, rows), (column, columns)) = (self.place(row), self.place(column));
        let mut view = target.view_mut((row, column), (rows, columns));
        view += DMatrix::from_column_slice(rows, columns, values);
    }
}

impl MatrixSink for Dense<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.mass);
        self.add(&mut target, block, block, values);
        self.mass = target;
    }
    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.mass);
        self.add(&mut target, row, column, values);
        self.mass = target;
    }
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.damping);
        self.add(&mut target, row, column, values);
        self.damping = target;
    }
    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.stiffness);
        self.add(&mut target, row, column, values);
        self.stiffness = target;
    }
    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.jacobian);
        self.add_row(&mut target, constraint, block, values);
        self.jacobian = target;
    }
    fn rate_gradient(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let mut target = std::mem::take(&mut self.rate_gradient);
        self.add_row(&mut target, constraint, block, values);
        self.rate_gradient = target;
    }
}

/// Central differences of `f` by increments of the position.
pub(crate) fn by_position(
    system: &dyn ConstrainedSystem,
    q: &[f64],
    f: impl Fn(&[f64]) -> Vec<f64>,
) -> DMatrix<f64> {
    let coordinates = system.structure().coordinates();
    let at = |j: usize, width: f64| {
        let (mut x, mut moved) = (vec![0.0; coordinates.velocities()], q.to_vec());
        x[j] = width;
        coordinates.move_by(q, &x, &mut moved);
        DVector::from_vec(f(&moved))
    };
    let columns: Vec<_> = (0..coordinates.velocities()).map(|j| slope(|width| at(j, width))).collect();
    DMatrix::from_columns(&columns)
}

pub(crate) fn mismatch(stated: &DMatrix<f64>, found: &DMatrix<f64>) -> f64 {
    (stated - found).amax() / (1.0 + found.amax())
}

/// Central differences of `f` by its numbers.
pub(crate) fn by_numbers(x: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> DMatrix<f64> {
    let at = |j: usize, width: f64| {
        let mut moved = x.to_vec();
        moved[j] += width;
        DVector::from_vec(f(&moved))
    };
    let columns: Vec<_> = (0..x.len()).map(|j| slope(|width| at(j, width))).collect();
    DMatrix::from_columns(&columns)
}

/// Largest differences of the matrices of stiffness and damping from those of the balance.
pub(crate) fn tangent_mismatch(system: &dyn ConstrainedSystem, (t, q, v): (f64, &[f64], &[f64])) -> [f64; 2] {
    let rest = vec![0.0; v.len()];
    let mut dense = Dense::new(system);
    system.tangents(Motion { t, q, v }, &rest, &[], &mut dense);
    let stiffness = by_position(system, q, |q| balance(system, (t, q, v), &rest, &[]));
    let damping = by_numbers(v, |v| balance(system, (t, q, v), &rest, &[]));
    [mismatch(&dense.stiffness, &stiffness), mismatch(&dense.damping, &damping)]
}

pub(crate) fn balance(
    system: &dyn ConstrainedSystem,
    (t, q, v): (f64, &[f64], &[f64]),
    a: &[f64],
    mu: &[f64],
) -> Vec<f64> {
    let mut out = vec![f64::NAN; v.len()];
    system.balance(Motion { t, q, v }, a, mu, &mut out);
    out
}
