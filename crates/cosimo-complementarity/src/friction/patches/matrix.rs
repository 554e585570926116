//! The blocks of `W` among some contacts, in memory that is used again.

use nalgebra::{SMatrix, SVector};

use crate::friction::by_contact::of_contact;
use crate::friction::{BlockMatrix, Delassus, ScaledSystem};

/// Blocks by their columns, ascending, row by row; whatever their dimension.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks {
    starts: Vec<usize>,
    columns: Vec<usize>,
    /// By columns, one block after the other.
    entries: Vec<f64>,
    /// Place of the diagonal block of each row.
    diagonal: Vec<usize>,
}

impl Blocks {
    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
        self.entries.clear();
        self.diagonal.clear();
    }

    /// Appends a block to the row at hand.
    pub(super) fn push<const D: usize>(&mut self, column: usize, block: &SMatrix<f64, D, D>) {
        if column + 1 == self.starts.len() {
            self.diagonal.push(self.columns.len());
        }
        self.columns.push(column);
        self.entries.extend_from_slice(block.as_slice());
    }

    /// Ends the row at hand.
    pub(super) fn end_row(&mut self) {
        self.starts.push(self.columns.len());
    }
}

/// The matrix of these blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatchMatrix<'a, const D: usize>(pub(super) &'a Blocks);

impl<const D: usize> PatchMatrix<'_, D> {
    fn at(&self, place: usize) -> SMatrix<f64, D, D> {
        SMatrix::from_column_slice(&self.0.entries[place * D * D..(place + 1) * D * D])
    }

    fn of_row(&self, contact: usize) -> std::ops::Range<usize> {
        self.0.starts[contact]..self.0.starts[contact + 1]
    }
}

impl<const D: usize> Delassus<D> for PatchMatrix<'_, D> {
    fn contacts(&self) -> usize {
        self.0.diagonal.len()
    }

    fn block(&self, contact: usize) -> SMatrix<f64, D, D> {
        self.at(self.0.diagonal[contact])
    }

    #[inline]
    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> SVector<f64, D> {
        self.of_row(contact).fold(SVector::zeros(), |sum, place| {
            sum + self.at(place) * of_contact::<D>(r, self.0.columns[place])
        })
    }

    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let terms = |i: usize| {
            let of_row = self
                .of_row(i)
                .map(|place| self.at(place).abs() * of_contact::<D>(r, self.0.columns[place]).abs());
            of_row.sum::<SVector<f64, D>>().max()
        };
        (0..self.contacts()).map(terms).fold(0.0, f64::max)
    }

    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        let range = self.of_row(contact);
        let found = self.0.columns[range.clone()].binary_search(&other);
        found.map_or_else(|_| SMatrix::zeros(), |place| self.at(range.start + place))
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend_from_slice(&self.0.columns[self.of_row(contact)]);
    }

    fn to_blocks(&self) -> BlockMatrix<D> {
        let row = |contact| {
            self.of_row(contact).map(|place| (self.0.columns[place], self.at(place))).collect::<Vec<_>>()
        };
        BlockMatrix::from_rows((0..self.contacts()).map(row))
    }

    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        self.to_blocks().into_scaled()
    }
}
