//! Tangents of a system, block by block.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink};
use cosimo_smooth::dae::TangentPoint;

/// What a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TangentKind {
    Mass,
    Damping,
    Stiffness,
    Constraint,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    kind: TangentKind,
    row: usize,
    column: usize,
    start: usize,
}

/// `M`, `C`, `K` and `Φ` as a system gives them. Storage is kept from one taking to the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TangentBlocks {
    entries: Vec<Entry>,
    values: Vec<f64>,
}

impl TangentBlocks {
    pub(crate) fn take(&mut self, system: &dyn ConstrainedSystem, at: TangentPoint<'_>) {
        self.entries.clear();
        self.values.clear();
        system.tangents(at.motion, at.a, at.mu, self);
        system.jacobian(at.motion.t, at.motion.q, self);
    }

    /// Writes `(damping C + stiffness K) x`, with the first velocity and size of every block of coordinates.
    pub(crate) fn product(
        &self,
        (damping, stiffness): (f64, f64),
        blocks: &[(usize, usize)],
        x: &[f64],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        for entry in &self.entries {
            let weight = match entry.kind {
                TangentKind::Damping => damping,
                TangentKind::Stiffness => stiffness,
                TangentKind::Mass | TangentKind::Constraint => continue,
            };
            let ((first, rows), (from, columns)) = (blocks[entry.row], blocks[entry.column]);
            let own = self.values[entry.start..].chunks_exact(rows.max(1));
            for (column, x) in own.zip(&x[from..from + columns]) {
                out[first..first + rows].iter_mut().zip(column).for_each(|(out, k)| *out += weight * k * x);
            }
        }
    }

    /// Writes the diagonal of `M`.
    pub(crate) fn mass_diagonal(&self, blocks: &[(usize, usize)], out: &mut [f64]) {
        out.fill(0.0);
        let on_diagonal = |entry: &&Entry| entry.kind == TangentKind::Mass && entry.row == entry.column;
        for entry in self.entries.iter().filter(on_diagonal) {
            let (first, size) = blocks[entry.row];
            (0..size).for_each(|k| out[first + k] += self.values[entry.start + k * (size + 1)]);
        }
    }

    /// Gives every block: what it belongs to, its row and column of blocks, and its numbers. Rows of `Φ` count blocks of constraints.
    pub(crate) fn for_each(&self, mut give: impl FnMut(TangentKind, usize, usize, &[f64])) {
        let ends = self.entries.iter().skip(1).map(|entry| entry.start).chain([self.values.len()]);
        for (entry, end) in self.entries.iter().zip(ends) {
            give(entry.kind, entry.row, entry.column, &self.values[entry.start..end]);
        }
    }

    fn note(&mut self, kind: TangentKind, row: usize, column: usize, values: &[f64]) {
        self.entries.push(Entry { kind, row, column, start: self.values.len() });
        self.values.extend_from_slice(values);
    }
}

impl MatrixSink for TangentBlocks {
    fn mass(&mut self, block: usize, values: &[f64]) {
        self.note(TangentKind::Mass, block, block, values);
    }

    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        self.note(TangentKind::Mass, row, column, values);
    }

    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        self.note(TangentKind::Damping, row, column, values);
    }

    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        self.note(TangentKind::Stiffness, row, column, values);
    }

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        self.note(TangentKind::Constraint, constraint, block, values);
    }

    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}
