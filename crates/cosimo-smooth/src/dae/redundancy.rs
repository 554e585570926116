//! Constraint rows that others already imply.

use std::ops::Range;

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Structure};
use cosimo_linear::FactorizationError;
use nalgebra::DMatrix;

use super::kkt::{Kkt, Weights};

/// Share of a row, in the metric of the mass, that its part outside the span of the earlier rows must have.
const INDEPENDENT: f64 = 1e-9;

/// The same in that metric or by the geometry, in which lengths and angles count alike: five digits of what a file gives are
/// enough to distinguish a mechanism that moves from one that is locked. Small moments of inertia make rows nearly parallel in the
/// one, small lever arms in the other.
const APART: f64 = 1e-5;

/// Share, in both, below which a row that is kept is reported.
const HARDLY: f64 = 1e-3;

/// Share that is round-off.
const ROUND_OFF: f64 = 1e-12;

/// Work (products) above which the rows are not orthogonalised but eliminated in the sparse matrix.
const LARGEST_WORK: f64 = 2e8;

/// Leaves out of `kkt` the rows that depend on earlier ones at this position.
///
/// # Errors
/// The matrix is singular for another reason.
pub(super) fn leave_out_redundant(
    system: &dyn ConstrainedSystem,
    t: f64,
    q: &[f64],
    kkt: &mut Kkt,
) -> Result<(), FactorizationError> {
    let structure = system.structure();
    let n = structure.velocities();
    (0..structure.rows()).for_each(|row| kkt.leave_out(row, false));
    kkt.set_misfit(0.0);
    if kkt.is_dense() || is_small(structure) {
        let rows = [DenseRows::at(system, t, q, kkt.scales().0), geometric_rows(system, t, q)];
        let [by_mass, by_geometry] = rows.map(|mut rows| independent_shares(&mut rows, APART));
        let mut misfit = 0.0_f64;
        for (row, (mass, geometry)) in by_mass.into_iter().zip(by_geometry).enumerate() {
            let share = mass.max(geometry);
            if !(mass > INDEPENDENT && share > APART) {
                kkt.leave_out(row, true);
                misfit = misfit.max(if share > APART { 0.0 } else { share });
            }
        }
        kkt.set_misfit(if misfit > ROUND_OFF { misfit } else { 0.0 });
        return Ok(());
    }
    loop {
        kkt.begin(Weights::MASS, |_| None);
        system.masses(q, kkt);
        system.jacobian(t, q, kkt);
        match kkt.factorize() {
            Ok(()) => return Ok(()),
            Err(FactorizationError::Singular { column }) if column >= n && !kkt.left_out()[column - n] => {
                kkt.leave_out(column - n, true);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Numbers of rows that are kept although hardly any of them is outside the span of those before, with that share; none of
/// very many rows.
pub(super) fn hardly_independent(
    system: &dyn ConstrainedSystem,
    t: f64,
    q: &[f64],
    kkt: &Kkt,
) -> Vec<(usize, f64)> {
    if !is_small(system.structure()) {
        return Vec::new();
    }
    let rows = [DenseRows::at(system, t, q, kkt.scales().0), geometric_rows(system, t, q)];
    let [by_mass, by_geometry] = rows.map(|rows| shares_of_kept(rows, kkt, APART));
    let shares = by_mass.into_iter().zip(by_geometry).map(|(mass, geometry)| mass.max(geometry));
    shares.enumerate().filter(|(_, share)| *share < HARDLY).collect()
}

/// Whether the rows can be orthogonalised in no time.
fn is_small(structure: &Structure) -> bool {
    let (n, m) = (structure.velocities() as f64, structure.rows() as f64);
    n * m * m < LARGEST_WORK
}

/// The share of each row outside the span of those before it in the metric of the mass, 1 of rows left out; `None` of very many rows.
pub(super) fn kept_shares(system: &dyn ConstrainedSystem, t: f64, q: &[f64], kkt: &Kkt) -> Option<Vec<f64>> {
    if !is_small(system.structure()) {
        return None;
    }
    Some(shares_of_kept(DenseRows::at(system, t, q, kkt.scales().0), kkt, INDEPENDENT))
}

/// The same of transposed rows in any metric.
fn shares_of_kept(mut rows: DMatrix<f64>, kkt: &Kkt, independent: f64) -> Vec<f64> {
    let left_out = || kkt.left_out().iter().enumerate().filter(|(_, out)| **out);
    left_out().for_each(|(row, _)| rows.column_mut(row).fill(0.0));
    let mut shares = independent_shares(&mut rows, independent);
    left_out().for_each(|(row, _)| shares[row] = 1.0);
    shares
}

/// `Φᵀ` with every coordinate in the measure of its largest entry, whatever the masses.
fn geometric_rows(system: &dyn ConstrainedSystem, t: f64, q: &[f64]) -> DMatrix<f64> {
    let mut rows = DenseRows::at(system, t, q, &vec![1.0; system.structure().velocities()]);
    for mut coordinate in rows.row_iter_mut() {
        let largest = coordinate.amax();
        if largest > 0.0 {
            coordinate /= largest;
        }
    }
    rows
}

/// The share of each row (column of `transposed`) outside the span of those before it of which more than a share of
/// `independent` is outside, by Gram-Schmidt with a second pass. Rows of bodies far apart have nothing in common: columns are read where they are not zero.
fn independent_shares(transposed: &mut DMatrix<f64>, independent: f64) -> Vec<f64> {
    let mut shares = Vec::with_capacity(transposed.ncols());
    let mut spans: Vec<Range<usize>> = Vec::with_capacity(transposed.ncols());
    for row in 0..transposed.ncols() {
        let size = transposed.column(row).norm();
        let mut own_span = span(transposed.column(row).as_slice());
        for _ in 0..2 {
            for (before, span) in spans.iter().enumerate() {
                let (first, last) = (span.start.max(own_span.start), span.end.min(own_span.end));
                if first >= last {
                    continue;
                }
                let (done, mut own) = transposed.columns_range_pair_mut(before, row);
                let share = done.rows_range(first..last).dot(&own.rows_range(first..last));
                if share != 0.0 {
                    own.rows_range_mut(span.clone()).axpy(-share, &done.rows_range(span.clone()), 1.0);
                    own_span = own_span.start.min(span.start)..own_span.end.max(span.end);
                }
            }
        }
        let left = transposed.column(row).norm();
        shares.push(if size > 0.0 { left / size } else { 0.0 });
        if left > independent * size {
            transposed.column_mut(row).unscale_mut(left);
            spans.push(own_span);
        } else {
            transposed.column_mut(row).fill(0.0);
            spans.push(0..0);
        }
    }
    shares
}

/// From the first entry that is not zero to the last.
fn span(column: &[f64]) -> Range<usize> {
    let first = column.iter().position(|x| *x != 0.0).unwrap_or(0);
    first..column.iter().rposition(|x| *x != 0.0).map_or(first, |last| last + 1)
}

/// Takes up `S Φᵀ` as a dense matrix, with the scales `S` of the coordinates.
struct DenseRows<'a> {
    structure: &'a Structure,
    scales: &'a [f64],
    matrix: DMatrix<f64>,
}

impl<'a> DenseRows<'a> {
    /// `S Φᵀ` at this time (s) and position.
    fn at(system: &'a dyn ConstrainedSystem, t: f64, q: &[f64], scales: &'a [f64]) -> DMatrix<f64> {
        let structure = system.structure();
        let matrix = DMatrix::zeros(structure.velocities(), structure.rows());
        let mut rows = Self { matrix, scales, structure };
        system.jacobian(t, q, &mut rows);
        rows.matrix
    }
}

impl MatrixSink for DenseRows<'_> {
    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let first = self.structure.coordinates().blocks()[block].velocity;
        for (column, entries) in values.chunks_exact(rows.rows.max(1)).enumerate() {
            for (k, x) in entries.iter().enumerate() {
                self.matrix[(first + column, rows.first + k)] += self.scales[first + column] * x;
            }
        }
    }

    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_rows_are_the_dependent_ones() {
        let rows =
            nalgebra::dmatrix![1.0, 2.0, 0.0; 0.0, 1e-3, 1.0; 2.0, 4.001, 1.0; 0.0, 0.0, 0.0; 1.0, 0.0, 5.0];
        let shares = independent_shares(&mut rows.transpose(), INDEPENDENT);
        let dependent: Vec<usize> = (0..5).filter(|row| shares[*row] < 1e-15).collect();
        assert_eq!(dependent, [2, 3]);
        // The sine of the angle between two rows.
        let near = independent_shares(&mut nalgebra::dmatrix![1.0, 4.0; 0.0, 3e-3], INDEPENDENT);
        assert!((near[1] - 7.5e-4_f64.atan().sin()).abs() < 1e-12, "{near:?}");
    }
}
