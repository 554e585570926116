//! The Delassus operator of the contacts that act together, in storage that is used again.

use cosimo_complementarity::friction::{BlockMatrix, Delassus};
use nalgebra::{Matrix3, Vector3};

/// A matrix with all its blocks, row by row. Contacts of different bodies do not meet: of most rows few blocks are not zero, and only
/// these enter products.
#[derive(Debug, Clone, Default)]
pub(crate) struct FullBlocks {
    contacts: usize,
    blocks: Vec<Matrix3<f64>>,
    /// Where the columns of each row begin.
    starts: Vec<usize>,
    /// Columns of the blocks that are not zero, ascending, and of the diagonal.
    columns: Vec<usize>,
}

impl FullBlocks {
    /// Forgets all rows; so many follow.
    pub(crate) fn begin(&mut self, contacts: usize) {
        self.contacts = contacts;
        self.blocks.clear();
        self.columns.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Adds a row of blocks.
    pub(crate) fn push_row(&mut self, blocks: impl Iterator<Item = Matrix3<f64>>) {
        let row = self.starts.len() - 1;
        for (column, block) in blocks.enumerate() {
            if column == row || block.iter().any(|entry| *entry != 0.0) {
                self.columns.push(column);
            }
            self.blocks.push(block);
        }
        self.starts.push(self.columns.len());
    }

    /// Adds a number for each contact to its diagonal.
    pub(crate) fn add_to_diagonal(&mut self, weights: &[f64]) {
        for (contact, weight) in weights.iter().enumerate() {
            let own = &mut self.blocks[contact * self.contacts + contact];
            (0..3).for_each(|k| own[(k, k)] += weight);
        }
    }

    /// The columns of the blocks in a row that are not zero.
    fn columns_of(&self, contact: usize) -> &[usize] {
        &self.columns[self.starts[contact]..self.starts[contact + 1]]
    }

    /// These blocks with the impulses of their contacts.
    fn terms<'a>(
        &'a self,
        contact: usize,
        r: &'a [f64],
    ) -> impl Iterator<Item = (&'a Matrix3<f64>, Vector3<f64>)> {
        let row = &self.blocks[contact * self.contacts..(contact + 1) * self.contacts];
        let of = |column: &usize| (&row[*column], Vector3::from_column_slice(&r[3 * column..3 * column + 3]));
        self.columns_of(contact).iter().map(of)
    }
}

impl Delassus<3> for FullBlocks {
    fn contacts(&self) -> usize {
        self.contacts
    }

    fn block(&self, contact: usize) -> Matrix3<f64> {
        self.blocks[contact * self.contacts + contact]
    }

    fn between(&self, contact: usize, other: usize) -> Matrix3<f64> {
        self.blocks[contact * self.contacts + other]
    }

    fn row(&self, contact: usize, r: &[f64], _trail: &[f64]) -> Vector3<f64> {
        self.terms(contact, r).map(|(block, x)| block * x).sum()
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend_from_slice(self.columns_of(contact));
    }

    fn to_blocks(&self) -> BlockMatrix<3> {
        let of_row = |row: usize| {
            self.columns_of(row).iter().map(|column| (*column, self.between(row, *column))).collect()
        };
        BlockMatrix::from_rows((0..self.contacts).map(of_row))
    }

    fn largest_terms(&self, r: &[f64], _trail: &mut [f64]) -> f64 {
        let of_row = |contact: usize| {
            self.terms(contact, r).map(|(block, x)| block.abs() * x.abs()).sum::<Vector3<f64>>().max()
        };
        (0..self.contacts).map(of_row).fold(0.0, f64::max)
    }
}
