//! Blocks, velocities and impulses of contacts, by their rows.

use nalgebra::{Matrix3, Vector3};

use crate::ContactLaws;
use crate::delassus_matrix::EffectiveMass;

/// Row of component `k` of a contact: its gap, then its slips; `None` for a tangent that it does not have.
pub(super) fn row(laws: &ContactLaws, contact: usize, k: usize) -> Option<usize> {
    if k == 0 { Some(contact) } else { laws.slips(contact).nth(k - 1) }
}

/// The block of two contacts; zero along tangents that a contact does not have.
pub(super) fn block(laws: &ContactLaws, (a, b): (usize, usize), matrix: &impl EffectiveMass) -> Matrix3<f64> {
    let rows = [0, 1, 2].map(|k| row(laws, a, k));
    let columns = [0, 1, 2].map(|k| row(laws, b, k));
    Matrix3::from_fn(|i, j| match (rows[i], columns[j]) {
        (Some(row), Some(column)) => matrix.entry(row, column),
        _ => 0.0,
    })
}

pub(super) fn velocity(laws: &ContactLaws, contact: usize, offset: &impl Fn(usize) -> f64) -> Vector3<f64> {
    Vector3::from_fn(|k, _| row(laws, contact, k).map_or(0.0, offset))
}

pub(super) fn write(laws: &ContactLaws, contact: usize, r: &Vector3<f64>, out: &mut [f64]) {
    for (k, x) in r.iter().enumerate() {
        if let Some(row) = row(laws, contact, k) {
            out[row] = *x;
        }
    }
}
