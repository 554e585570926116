//! The rows whose response is active, and where the columns of the answers stand.

use cosimo_dynamics::{ConstrainedSystem, CoordinateBlock, Structure};
use cosimo_subsystem::{RowBlocks, RowMatrix};
use nalgebra::DMatrix;

use super::columns::{columns_of, combine};
use super::held::HeldRows;
use super::loaded::LoadedSystem;
use super::meeting::Meeting;
use super::rows::{ConstrainedRows, Directions};

/// ConstrainedRows from which on it pays to let contacts of different bodies share columns.
const MANY: usize = 64;

/// The rows whose response is active, ascending.
#[derive(Debug)]
pub(super) struct ActiveRows {
    /// Which of all rows they are.
    needed: Vec<bool>,
    rows: Vec<usize>,
    /// Of contacts of free bodies, where there are many: who meets whom.
    meeting: Option<Box<Meeting>>,
}

impl ActiveRows {
    /// Those that are needed.
    pub(super) fn new(system: &LoadedSystem<impl ConstrainedRows>, needed: Vec<bool>) -> Self {
        let rows: Vec<usize> = (0..needed.len()).filter(|row| needed[*row]).collect();
        let is_sparse = rows.len() >= MANY && system.rows().contacts().start == 0;
        let bodies = if is_sparse { free_bodies(system.structure()) } else { None };
        let meeting = bodies.and_then(|bodies| Meeting::of(system.rows(), bodies, &needed));
        Self { needed, rows, meeting: meeting.map(Box::new) }
    }

    /// The rows; each has a column of its own, unless there is a [`meeting`](Self::meeting).
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// How many columns the answers have.
    pub(super) fn columns(&self) -> usize {
        self.meeting.as_ref().map_or(self.rows.len(), |meeting| meeting.columns())
    }

    /// Contacts that share columns.
    pub(super) fn meeting(&self) -> Option<&Meeting> {
        self.meeting.as_deref()
    }

    /// Zeros in the places of an inverse mass.
    pub(super) fn matrix(&self) -> RowMatrix {
        let pattern = self.meeting().and_then(|meeting| meeting.pattern(self.needed.len()).ok());
        match pattern {
            Some(sparse) => RowMatrix::Sparse(sparse),
            None if self.rows.len() == self.needed.len() => RowMatrix::zeros(self.rows.len()),
            None => RowMatrix::Blocks(RowBlocks::over(&self.needed)),
        }
    }

    /// Writes `Zᵀ` by columns, and what is needed to know which rows are held.
    pub(super) fn unit_forces(
        &self,
        rows: &impl ConstrainedRows,
        along: Directions<'_>,
        held: &mut HeldRows,
        out: &mut DMatrix<f64>,
    ) {
        match self.meeting() {
            Some(meeting) => meeting.unit_forces(rows, along.contacts, out),
            None => {
                rows.unit_forces(along, &self.rows, out);
                held.take(columns_of(out));
            }
        }
    }

    /// `out ← D x` of columns `D` and weights `x` of all rows.
    pub(super) fn combine(&self, columns: &DMatrix<f64>, x: &[f64], out: &mut [f64]) {
        match self.meeting() {
            Some(meeting) => meeting.combine(columns, x, out),
            None => combine(columns, self.rows.iter().map(|row| x[*row]), out),
        }
    }
}

/// Number of bodies of a system of bodies alone that nothing joins.
fn free_bodies(structure: &Structure) -> Option<usize> {
    let blocks = structure.coordinates().blocks();
    let are_free = structure.rows() == 0
        && structure.couplings().is_empty()
        && blocks.iter().all(|block| block.kind == CoordinateBlock::Rigid);
    are_free.then_some(blocks.len())
}
