//! The Delassus operator of the contacts that act together, in storage that is used again.

use cosimo_complementarity::friction::{BlockMatrix, Delassus};
use nalgebra::{Matrix3, Vector3};

/// A matrix by its blocks that are not zero and those of the diagonal, row by row: contacts of different bodies do not meet.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactBlocks {
    blocks: Vec<Matrix3<f64>>,
    /// Where the blocks of each row begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Columns of the blocks, ascending.
    columns: Vec<usize>,
    /// Place of the diagonal block of each row.
    diagonal: Vec<usize>,
}

impl ContactBlocks {
    /// Forgets all rows.
    pub(crate) fn begin(&mut self) {
        self.blocks.clear();
        self.columns.clear();
        self.diagonal.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Adds a row of blocks by their columns, ascending, the diagonal among them.
    pub(crate) fn push_row(&mut self, blocks: impl Iterator<Item = (usize, Matrix3<f64>)>) {
        let row = self.diagonal.len();
        for (column, block) in blocks {
            if column == row {
                self.diagonal.push(self.blocks.len());
            } else if block.iter().all(|entry| *entry == 0.0) {
                continue;
            }
            self.columns.push(column);
            self.blocks.push(block);
        }
        self.starts.push(self.columns.len());
    }

    /// Adds a number for each contact to its diagonal.
    pub(crate) fn add_to_diagonal(&mut self, weights: &[f64]) {
        for (place, weight) in self.diagonal.iter().zip(weights) {
            let own = &mut self.blocks[*place];
            (0..3).for_each(|k| own[(k, k)] += weight);
        }
    }

    /// The columns of the blocks in a row.
    fn columns_of(&self, contact: usize) -> &[usize] {
        &self.columns[self.starts[contact]..self.starts[contact + 1]]
    }

    /// These blocks with their columns.
    fn of_row(&self, contact: usize) -> impl Iterator<Item = (usize, &Matrix3<f64>)> {
        let blocks = &self.blocks[self.starts[contact]..self.starts[contact + 1]];
        self.columns_of(contact).iter().copied().zip(blocks)
    }

    /// These blocks with the impulses of their contacts.
    fn terms<'a>(
        &'a self,
        contact: usize,
        r: &'a [f64],
    ) -> impl Iterator<Item = (&'a Matrix3<f64>, Vector3<f64>)> {
        self.of_row(contact)
            .map(|(column, block)| (block, Vector3::from_column_slice(&r[3 * column..3 * column + 3])))
    }
}

impl Delassus<3> for ContactBlocks {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn block(&self, contact: usize) -> Matrix3<f64> {
        self.blocks[self.diagonal[contact]]
    }

    fn between(&self, contact: usize, other: usize) -> Matrix3<f64> {
        let place = self.columns_of(contact).binary_search(&other);
        place.map_or_else(|_| Matrix3::zeros(), |place| self.blocks[self.starts[contact] + place])
    }

    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> Vector3<f64> {
        self.terms(contact, r).map(|(block, x)| block * x).sum()
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend_from_slice(self.columns_of(contact));
    }

    fn to_blocks(&self) -> BlockMatrix<3> {
        let of_row = |row: usize| self.of_row(row).map(|(column, block)| (column, *block)).collect();
        BlockMatrix::from_rows((0..self.contacts()).map(of_row))
    }

    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let of_row = |contact: usize| {
            self.terms(contact, r).map(|(block, x)| block.abs() * x.abs()).sum::<Vector3<f64>>().max()
        };
        (0..self.contacts()).map(of_row).fold(0.0, f64::max)
    }
}

/// Where contacts stand in a set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// By contact; no place of one outside of the set.
    of: Vec<Option<usize>>,
    found: Vec<usize>,
}

impl Places {
    /// Takes the set, of so many contacts.
    pub(crate) fn take(&mut self, set: &[usize], contacts: usize) {
        self.of.clear();
        self.of.resize(contacts, None);
        set.iter().enumerate().for_each(|(place, contact)| self.of[*contact] = Some(place));
    }

    /// The places of those contacts of the set whose gaps are among these rows, ascending.
    pub(crate) fn places(&mut self, rows: &[usize]) -> &[usize] {
        self.found.clear();
        self.found.extend(rows.iter().filter_map(|row| self.of.get(*row).copied().flatten()));
        self.found.sort_unstable();
        &self.found
    }
}
