//! A matrix of blocks as a Delassus operator.

use nalgebra::{SMatrix, SVector};

use super::block_matrix::BlockMatrix;
use super::operator::Delassus;
use super::scaled::ScaledSystem;
use super::scaled_groups::ScaledGroups;
use super::scaled_matrix::ScaledMatrix;
use crate::friction::by_contact::of_contact;
use crate::friction::precise_product::add_product;
use crate::lcp::arithmetic::CompensatedSum;

impl<const D: usize> BlockMatrix<D> {
    /// Row, column and size of the largest difference between an entry and its mirror image, where it is above this share of
    /// the mean diagonal. The operator of a mechanism is symmetric but for loads that follow the motion.
    #[must_use]
    pub fn asymmetry(&self, share: f64) -> Option<(usize, usize, f64)> {
        let (mut least, mut found) = (share * self.mean_diagonal(), None);
        for (i, j, block) in self.blocks() {
            let difference = block - self.between(j, i).transpose();
            for (row, column) in (0..D).flat_map(|row| (0..D).map(move |column| (row, column))) {
                let size = difference[(row, column)].abs();
                if size > least {
                    (least, found) = (size, Some((i * D + row, j * D + column, size)));
                }
            }
        }
        found
    }

    /// A direct solver of `(L W R + B) x = b` that has the matrix.
    pub(crate) fn into_scaled(self) -> Box<dyn ScaledSystem<D>> {
        match ScaledGroups::find(&self) {
            Some(groups) => Box::new(groups),
            None => Box::new(ScaledMatrix::new(self)),
        }
    }
}

impl<const D: usize> Delassus<D> for BlockMatrix<D> {
    fn contacts(&self) -> usize {
        self.rows()
    }

    fn block(&self, contact: usize) -> SMatrix<f64, D, D> {
        *self.diagonal_block(contact)
    }

    #[inline]
    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> SVector<f64, D> {
        self.of_row(contact).fold(SVector::zeros(), |sum, (j, block)| sum + block * of_contact::<D>(r, j))
    }

    fn precise_velocity(&self, contact: usize, r: &[f64], q: &SVector<f64, D>) -> Option<SVector<f64, D>> {
        let mut sums = q.map(CompensatedSum::new);
        self.of_row(contact).for_each(|(j, block)| add_product(block, &of_contact::<D>(r, j), &mut sums));
        Some(sums.map(CompensatedSum::value))
    }

    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let terms = |i: usize| {
            let of_row = self.of_row(i).map(|(j, block)| block.abs() * of_contact::<D>(r, j).abs());
            of_row.sum::<SVector<f64, D>>().max()
        };
        (0..self.contacts()).map(terms).fold(0.0, f64::max)
    }

    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        self.block_at(contact, other).copied().unwrap_or_else(SMatrix::zeros)
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend(self.of_row(contact).map(|(column, _)| column));
    }

    fn to_blocks(&self) -> BlockMatrix<D> {
        self.clone()
    }

    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        self.clone().into_scaled()
    }
}
