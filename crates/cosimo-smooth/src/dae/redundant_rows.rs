//! Constraint rows that others imply, or nearly so, by name.

use cosimo_dynamics::ConstrainedSystem;

use super::redundancy::hardly_independent;
use super::solver::DaeSolver;
use super::state::DaeState;

/// A constraint row that others imply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedundantRow {
    /// Name of its constraint.
    pub constraint: String,
    /// Number of the row in the constraint, from 0.
    pub row: usize,
}

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// The largest share of a [redundant row](Self::redundant_rows) that the others do not imply, zero where that is
    /// round-off: so much of joints, in radians or metres of a metre, may stay open.
    #[must_use]
    pub fn misfit(&self) -> f64 {
        self.kkt.misfit()
    }

    /// Rows that are kept although hardly any of them is outside the span of those before, with that share: they lock what
    /// would move if axes and points were given in more digits, or the position is near a singular one.
    #[must_use]
    pub fn nearly_redundant_rows(&self) -> Vec<(RedundantRow, f64)> {
        let DaeState { time, q, .. } = self.state();
        let near = hardly_independent(&self.system, *time, q, &self.kkt).into_iter();
        near.filter_map(|(row, share)| Some((self.redundant_row(row)?, share))).collect()
    }

    /// The rows that others imply and that are left out at present: as the system moves, rows are exchanged before those kept
    /// come to depend on each other.
    #[must_use]
    pub fn redundant_rows(&self) -> Vec<RedundantRow> {
        let rows = self.kkt.left_out().iter().enumerate().filter(|(_, out)| **out);
        rows.filter_map(|(row, _)| self.redundant_row(row)).collect()
    }

    /// Where the row of this number is.
    pub(super) fn redundant_row(&self, row: usize) -> Option<RedundantRow> {
        let (block, row) = self.system.structure().row(row)?;
        Some(RedundantRow { constraint: self.system.constraint_name(block), row })
    }
}
