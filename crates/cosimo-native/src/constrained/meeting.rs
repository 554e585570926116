//! Contacts between bodies that nothing else joins: which meet, and how their rows answer.
//!
//! A load on a contact moves its own bodies alone, so that the inverse mass
//!
//! ```text
//!   Wᵢⱼ = Σ_b Zᵢᵇ Dᵇⱼ        D = J⁻¹ Zᵀ,  over the bodies b that both contacts touch
//! ```
//!
//! has entries between contacts of one body only, and contacts that share none may share a column of `D`. Such columns are few: no
//! more than the contacts of two bodies have rows.

use std::ops::Range;

use cosimo_dynamics::State;
use cosimo_subsystem::{BadBlocks, RowMatrix, SparseRows};
use nalgebra::DMatrix;

use super::rows::{ConstrainedRows, Touching};

/// ConstrainedRows of a contact, and coordinates of a body.
const ROWS: usize = 3;
const COORDINATES: usize = 6;

/// The contacts that are told the response of.
#[derive(Debug)]
pub(super) struct Meeting {
    contacts: Vec<ActiveContact>,
    /// Places of the contacts of each body, ascending.
    of_body: Vec<Vec<usize>>,
    /// Number of columns.
    columns: usize,
}

/// A contact that is told the response of.
#[derive(Debug)]
struct ActiveContact {
    contact: usize,
    touching: Touching,
    /// First of its columns.
    column: usize,
    /// Places of the contacts that it meets, ascending, itself among them, and where the entries of each begin in a row of this contact:
    /// that of its gap, and the first of its slips.
    meets: Vec<(usize, [usize; 2])>,
}

impl ActiveContact {
    /// Its rows, the gap first.
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.touching.gap).chain(self.touching.slips.clone())
    }

    /// Columns of its rows.
    fn columns(&self) -> Range<usize> {
        self.column..self.column + 1 + self.touching.slips.len()
    }

    /// Where its entries with another contact stand in each of its rows; none where they do not meet.
    fn entries(&self, other: usize) -> Option<[usize; 2]> {
        let place = self.meets.binary_search_by_key(&other, |(place, _)| *place).ok()?;
        Some(self.meets[place].1)
    }
}

impl Meeting {
    /// The contacts among these that some row is needed of; `bodies` of six coordinates each. None where some are no contacts of such
    /// bodies.
    pub(super) fn of(rows: &impl ConstrainedRows, bodies: usize, needed: &[bool]) -> Option<Self> {
        let mut new = Self { contacts: Vec::new(), of_body: vec![Vec::new(); bodies], columns: 0 };
        let count = rows.contacts().len() - rows.slips().len();
        for contact in 0..count {
            let touching = rows.touching(contact)?;
            if std::iter::once(touching.gap).chain(touching.slips.clone()).any(|row| needed[row]) {
                new.push(contact, touching)?;
            }
        }
        new.find_columns();
        new.find_meetings();
        Some(new)
    }

    fn push(&mut self, contact: usize, touching: Touching) -> Option<()> {
        for body in touching.bodies.iter().flatten() {
            self.of_body.get_mut(*body)?.push(self.contacts.len());
        }
        self.contacts.push(ActiveContact { contact, touching, column: 0, meets: Vec::new() });
        Some(())
    }

    /// Gives every contact the first columns that none takes which it meets.
    fn find_columns(&mut self) {
        let mut taken = Vec::new();
        for place in 0..self.contacts.len() {
            taken.clear();
            let bodies = self.contacts[place].touching.bodies;
            let met = bodies.iter().flatten().flat_map(|body| &self.of_body[*body]);
            taken.extend(met.filter(|other| **other < place).map(|other| self.contacts[*other].column));
            taken.sort_unstable();
            taken.dedup();
            let free = (0..).find(|k| taken.get(*k) != Some(&(k * ROWS))).unwrap_or(0);
            self.contacts[place].column = free * ROWS;
            self.columns = self.columns.max((free + 1) * ROWS);
        }
    }

    fn find_meetings(&mut self) {
        for place in 0..self.contacts.len() {
            let bodies = self.contacts[place].touching.bodies;
            let mut met: Vec<usize> =
                bodies.iter().flatten().flat_map(|body| self.of_body[*body].iter().copied()).collect();
            met.push(place);
            met.sort_unstable();
            met.dedup();
            let mut slip = met.len();
            let with_entries = |(gap, other): (usize, usize)| {
                let entries = [gap, slip];
                slip += self.contacts[other].touching.slips.len();
                (other, entries)
            };
            self.contacts[place].meets = met.into_iter().enumerate().map(with_entries).collect();
        }
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Zeros in the places of the inverse mass of so many rows.
    pub(super) fn pattern(&self, rows: usize) -> Result<SparseRows, BadBlocks> {
        let mut columns = vec![Vec::new(); rows];
        for own in &self.contacts {
            let met = || own.meets.iter().map(|(place, _)| &self.contacts[*place].touching);
            let gaps = met().map(|other| other.gap);
            let of_contact: Vec<usize> = gaps.chain(met().flat_map(|other| other.slips.clone())).collect();
            own.rows().for_each(|row| columns[row].clone_from(&of_contact));
        }
        SparseRows::with_pattern(rows, |row| &columns[row])
    }

    /// Writes `Zᵀ` with the directions at the positions `q`.
    pub(super) fn unit_forces(&self, rows: &impl ConstrainedRows, q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for own in &self.contacts {
            let columns = own.columns();
            rows.directions_of(own.contact, q, columns.len(), &mut |body, block| {
                for (k, column) in columns.clone().enumerate() {
                    for j in 0..COORDINATES {
                        out[(body * COORDINATES + j, column)] = block[j * columns.len() + k];
                    }
                }
            });
        }
    }

    /// Writes `factor · (Z_q D_q + Z_v D_v)` into a matrix of this [`pattern`](Self::pattern), with the changes `D` of positions and velocities by columns, and the derivatives `Z` of the
    /// velocities of the rows at the state `(q, v)`.
    pub(super) fn write(
        &self,
        rows: &impl ConstrainedRows,
        state: State<'_>,
        (changes, factor): ([Option<&DMatrix<f64>>; 2], f64),
        out: &mut RowMatrix,
    ) {
        let RowMatrix::Sparse(out) = out else { return };
        for own in &self.contacts {
            own.rows().for_each(|row| out.row_mut(row).fill(0.0));
            if changes.iter().all(Option::is_none) {
                continue;
            }
            let count = own.columns().len();
            rows.rate_gradients_of(own.contact, state, count, &mut |body, gradients| {
                for &other in &self.of_body[body] {
                    let Some(entries) = own.entries(other) else { continue };
                    let block = self.block(body, (other, count), (changes, gradients));
                    let of_other = self.contacts[other].columns().len();
                    for (k, row) in own.rows().enumerate() {
                        let row = out.row_mut(row);
                        row[entries[0]] += factor * block[k];
                        (1..of_other).for_each(|l| row[entries[1] + l - 1] += factor * block[l * ROWS + k]);
                    }
                }
            });
        }
    }

    /// What the rows of a contact, so many, see of the columns of another at one body, by columns of [`ROWS`].
    fn block(
        &self,
        body: usize,
        (other, count): (usize, usize),
        (changes, gradients): ([Option<&DMatrix<f64>>; 2], [&[f64]; 2]),
    ) -> [f64; ROWS * ROWS] {
        let mut block = [0.0; ROWS * ROWS];
        for (changes, gradient) in changes.iter().zip(gradients).filter_map(|(d, z)| Some((d.as_ref()?, z))) {
            for (column, out) in self.contacts[other].columns().zip(block.chunks_exact_mut(ROWS)) {
                let first = column * changes.nrows() + body * COORDINATES;
                let change = &changes.as_slice()[first..first + COORDINATES];
                for (change, z) in change.iter().zip(gradient.chunks_exact(count)) {
                    out.iter_mut().zip(z).for_each(|(out, z)| *out += z * change);
                }
            }
        }
        block
    }

    /// `out ← D x`, of impulses `x` by row.
    pub(super) fn combine(&self, columns: &DMatrix<f64>, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for own in &self.contacts {
            for (row, column) in own.rows().zip(own.columns()).filter(|(row, _)| x[*row] != 0.0) {
                for body in own.touching.bodies.iter().flatten() {
                    let range = body * COORDINATES..(body + 1) * COORDINATES;
                    let motion = columns.column(column);
                    let motion = &motion.as_slice()[range.clone()];
                    out[range].iter_mut().zip(motion).for_each(|(out, d)| *out += x[row] * d);
                }
            }
        }
    }
}
