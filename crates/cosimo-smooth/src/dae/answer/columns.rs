//! Vectors of several directions at once.

use std::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

use nalgebra::DMatrix;

/// Vectors of several directions, in groups of `L`: the numbers of a group that belong to the same row stand next to each
/// other, so that products and solutions read the matrix once for all of them. The last group is filled with zeros.
#[derive(Debug, Clone)]
pub(super) struct Columns<const L: usize> {
    rows: usize,
    groups: usize,
    values: Vec<[f64; L]>,
}

impl<const L: usize> Columns<L> {
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        let groups = columns.div_ceil(L);
        Self { rows, groups, values: vec![[0.0; L]; rows * groups] }
    }

    /// Number of groups.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// A group, row by row.
    pub(super) fn group(&self, group: usize) -> &[[f64; L]] {
        &self.values[group * self.rows..(group + 1) * self.rows]
    }

    pub(super) fn group_mut(&mut self, group: usize) -> &mut [[f64; L]] {
        &mut self.values[group * self.rows..(group + 1) * self.rows]
    }

    /// Writes one direction.
    pub(super) fn read(&self, column: usize, out: &mut [f64]) {
        let (group, lane) = (self.group(column / L), column % L);
        out.iter_mut().zip(group).for_each(|(out, row)| *out = row[lane]);
    }

    /// Sets one direction.
    pub(super) fn write(&mut self, column: usize, x: &[f64]) {
        let (group, lane) = (self.group_mut(column / L), column % L);
        group.iter_mut().zip(x).for_each(|(row, x)| row[lane] = *x);
    }

    /// Adds `factor` times a vector to one direction.
    pub(super) fn add(&mut self, column: usize, factor: f64, x: &[f64]) {
        let (group, lane) = (self.group_mut(column / L), column % L);
        group.iter_mut().zip(x).for_each(|(row, x)| row[lane] += factor * x);
    }

    /// Takes the columns of a matrix.
    pub(super) fn take(&mut self, matrix: &DMatrix<f64>) {
        for (k, column) in matrix.as_slice().chunks_exact(self.rows.max(1)).enumerate() {
            self.write(k, column);
        }
    }

    /// Writes the columns of a matrix.
    pub(super) fn give(&self, matrix: &mut DMatrix<f64>) {
        for (k, column) in matrix.as_mut_slice().chunks_exact_mut(self.rows.max(1)).enumerate() {
            self.read(k, column);
        }
    }

    pub(super) fn clear(&mut self) {
        self.values.fill([0.0; L]);
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }

    pub(super) fn is_zero(&self) -> bool {
        self.values.as_flattened().iter().all(|x| *x == 0.0)
    }

    /// Largest absolute value.
    pub(super) fn largest(&self) -> f64 {
        largest(&self.values)
    }
}

/// Largest absolute value of some rows.
pub(super) fn largest<const L: usize>(rows: &[[f64; L]]) -> f64 {
    let mut most = [0.0_f64; L];
    for row in rows {
        for (most, x) in most.iter_mut().zip(row) {
            *most = if x.abs() <= *most { *most } else { x.abs() };
        }
    }
    crate::dae::norm::largest(&most)
}

/// `x ← x + factor · y`.
pub(super) fn add_scaled<const L: usize>(x: &mut [[f64; L]], factor: f64, y: &[[f64; L]]) {
    let x = x.as_flattened_mut().iter_mut();
    x.zip(y.as_flattened()).for_each(|(x, y)| *x += factor * y);
}

impl<const L: usize> AddAssign<&Self> for Columns<L> {
    fn add_assign(&mut self, other: &Self) {
        let own = self.values.as_flattened_mut().iter_mut();
        own.zip(other.values.as_flattened()).for_each(|(x, y)| *x += y);
    }
}

impl<const L: usize> SubAssign<&Self> for Columns<L> {
    fn sub_assign(&mut self, other: &Self) {
        let own = self.values.as_flattened_mut().iter_mut();
        own.zip(other.values.as_flattened()).for_each(|(x, y)| *x -= y);
    }
}

impl<const L: usize> MulAssign<f64> for Columns<L> {
    fn mul_assign(&mut self, factor: f64) {
        self.values.as_flattened_mut().iter_mut().for_each(|x| *x *= factor);
    }
}

impl<const L: usize> DivAssign<f64> for Columns<L> {
    fn div_assign(&mut self, divisor: f64) {
        self.values.as_flattened_mut().iter_mut().for_each(|x| *x /= divisor);
    }
}
