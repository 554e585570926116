//! Round-off of the constraints, where they are met as well as numbers allow.

use cosimo_dynamics::{ConstrainedSystem, CoordinateBlock, MatrixSink, Structure};

/// Round-off of a row over the sum of the magnitudes of its terms: a few operations.
const ROUND_OFF: f64 = 10.0 * f64::EPSILON;

/// Writes what the constraints of positions, length `m`, may be off by at this time (s) and position, because numbers are
/// rounded: the unit of round-off times `Σ |∂φ/∂x| |x|`, in the units of each row. Places are as large as the largest, because
/// loops carry the round-off of one joint to the others; turns and directions are of size one.
pub(super) fn constraint_round_off(system: &dyn ConstrainedSystem, t: f64, q: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let structure = system.structure();
    let blocks = structure.coordinates().blocks().iter();
    let places = blocks.flat_map(|block| &q[block.position..][..places(block.kind)]);
    let size = places.fold(0.0, |m: f64, x| m.max(x.abs()));
    system.jacobian(t, q, &mut Terms { structure, size, sums: out });
    out.iter_mut().for_each(|sum| *sum *= ROUND_OFF);
}

/// Numbers of a block that are places.
fn places(kind: CoordinateBlock) -> usize {
    if kind == CoordinateBlock::Rigid { 3 } else { kind.positions() }
}

/// Adds up the magnitudes of the terms of every row.
struct Terms<'a> {
    structure: &'a Structure,
    /// The largest place.
    size: f64,
    sums: &'a mut [f64],
}

impl MatrixSink for Terms<'_> {
    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let rows = &self.structure.constraints()[constraint];
        let places = places(self.structure.coordinates().blocks()[block].kind);
        for (column, entries) in values.chunks_exact(rows.rows.max(1)).enumerate() {
            let size = if column < places { self.size } else { 1.0 };
            let sums = &mut self.sums[rows.first..];
            sums.iter_mut().zip(entries).for_each(|(sum, x)| *sum += (x * size).abs());
        }
    }

    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn damping(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}
