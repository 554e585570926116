//! Which blocks of coordinates and constraints meet.

use super::Coordinates;

/// Constraint rows that belong together, such as those of a joint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstraintBlock {
    /// Rows.
    pub rows: usize,
    /// First row among all.
    pub first: usize,
    /// Blocks of coordinates in it, ascending.
    pub touches: Vec<usize>,
}

/// Blocks of a system and their pattern.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structure {
    coordinates: Coordinates,
    constraints: Vec<ConstraintBlock>,
    couplings: Vec<(usize, usize)>,
    rows: usize,
}

impl Structure {
    /// A system in these coordinates without constraints.
    #[must_use]
    pub fn new(coordinates: Coordinates) -> Self {
        Self { coordinates, ..Self::default() }
    }

    /// Adds a constraint block of so many rows on these blocks of coordinates.
    #[must_use]
    pub fn with_constraint(mut self, rows: usize, mut touches: Vec<usize>) -> Self {
        touches.sort_unstable();
        touches.dedup();
        self.constraints.push(ConstraintBlock { rows, first: self.rows, touches });
        self.rows += rows;
        self
    }

    /// Tells that forces or masses couple one block of coordinates with the other.
    #[must_use]
    pub fn with_coupling(mut self, a: usize, b: usize) -> Self {
        self.couplings.push((a.min(b), a.max(b)));
        self
    }

    /// The coordinates.
    #[must_use]
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The constraint blocks in order.
    #[must_use]
    pub fn constraints(&self) -> &[ConstraintBlock] {
        &self.constraints
    }

    /// Pairs of different coordinate blocks that forces or masses couple.
    #[must_use]
    pub fn couplings(&self) -> &[(usize, usize)] {
        &self.couplings
    }

    /// Number `n` of velocities.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.coordinates.velocities()
    }

    /// Number `m` of constraint rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The constraint block of a row, and the number of the row in it.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<(usize, usize)> {
        let block = self.constraints.partition_point(|block| block.first <= row).checked_sub(1)?;
        let inside = row - self.constraints[block].first;
        (inside < self.constraints[block].rows).then_some((block, inside))
    }
}
