//! The Delassus operator `W`: what contact impulses do to contact velocities.

use nalgebra::{DMatrix, SMatrix, SVector};

use super::block_matrix::BlockMatrix;
use super::scaled::ScaledSystem;
use super::scaled_matrix::ScaledMatrix;
use crate::friction::by_contact::of_contact;

/// Symmetric positive semidefinite operator on `contacts() · D` numbers, contact by contact.
///
/// Solvers that go from contact to contact keep a **trail**: numbers that belong to the impulses at hand, from which
/// one row of `W r` is had cheaply. Matrices need none; the matrix-free form keeps the velocities of the bodies.
pub trait Delassus<const D: usize>: Sync {
    /// Number of contacts.
    fn contacts(&self) -> usize;

    /// The block `W_ii` of a contact with itself (1/kg).
    fn block(&self, contact: usize) -> SMatrix<f64, D, D>;

    /// Length of the trail.
    fn trail(&self) -> usize {
        0
    }

    /// Writes the trail of the impulses `r` (N s), `D` numbers per contact.
    fn start(&self, _r: &[f64], _trail: &mut [f64]) {}

    /// `(W r)_i` (m/s).
    fn row(&self, contact: usize, r: &[f64], trail: &[f64]) -> SVector<f64, D>;

    /// `u_i = (W r)_i + q_i` (m/s) in twice the working precision, of an operator whose entries are at hand; by default `None`.
    fn precise_velocity(&self, _contact: usize, _r: &[f64], _q: &SVector<f64, D>) -> Option<SVector<f64, D>> {
        None
    }

    /// Brings the trail up to date after the impulse of a contact has changed by `change`.
    fn follow(&self, _contact: usize, _change: &SVector<f64, D>, _trail: &mut [f64]) {}

    /// The block `W_ij` (1/kg): what impulses of contact `other` do to the velocity of `contact`. By default found from
    /// unit impulses, which takes as long as three products.
    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        let (mut unit, mut trail) = (vec![0.0; self.contacts() * D], vec![0.0; self.trail()]);
        let mut block = SMatrix::<f64, D, D>::zeros();
        for k in 0..D {
            unit[other * D + k] = 1.0;
            self.start(&unit, &mut trail);
            block.set_column(k, &self.row(contact, &unit, &trail));
            unit[other * D + k] = 0.0;
        }
        block
    }

    /// `W` by its blocks. By default found from what unit impulses do, which takes the square of the number of contacts.
    fn to_blocks(&self) -> BlockMatrix<D> {
        let n = self.contacts() * D;
        let (mut unit, mut trail) = (vec![0.0; n], vec![0.0; self.trail()]);
        let mut matrix = DMatrix::zeros(n, n);
        for k in 0..n {
            unit[k] = 1.0;
            self.start(&unit, &mut trail);
            for i in 0..self.contacts() {
                matrix.fixed_view_mut::<D, 1>(i * D, k).copy_from(&self.row(i, &unit, &trail));
            }
            unit[k] = 0.0;
        }
        BlockMatrix::from_checked(&matrix)
    }

    /// A direct solver of `(L W R + B) x = b`; by default of the blocks of `W`.
    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        Box::new(ScaledMatrix::new(self.to_blocks()))
    }

    /// Adds to `found` the contacts whose blocks with this one may be other than zero; by default all. Any of them may be
    /// given several times, and the contact itself.
    fn neighbours(&self, _contact: usize, found: &mut Vec<usize>) {
        found.extend(0..self.contacts());
    }

    /// The largest `Σⱼ |Wᵢⱼ| |rⱼ|` of all rows (m/s), what the velocities are sums of, which says what rounding makes of them. The
    /// trail is storage and is not kept. By default of the blocks of the contacts with themselves only.
    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let terms = |i: usize| self.block(i).abs() * of_contact::<D>(r, i).abs();
        (0..self.contacts()).map(|i| terms(i).max()).fold(0.0, f64::max)
    }

    /// Mean of the diagonal (1/kg), or 1 where that is zero.
    fn mean_diagonal(&self) -> f64 {
        let n = (self.contacts() * D).max(1) as f64;
        let mean = (0..self.contacts()).map(|i| self.block(i).trace() / n).sum::<f64>();
        if mean > 0.0 { mean } else { 1.0 }
    }
}
