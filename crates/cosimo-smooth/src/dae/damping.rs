//! What the damping does after an impulse.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion, Structure};
use nalgebra::DMatrix;

use super::kkt::Kkt;

/// Adds `C δv` of changes `δv` of the velocity, `n × r`.
struct DampingProduct<'a> {
    structure: &'a Structure,
    change: &'a DMatrix<f64>,
    out: &'a mut DMatrix<f64>,
}

impl MatrixSink for DampingProduct<'_> {
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        let blocks = self.structure.coordinates().blocks();
        let (to, from, size) =
            (blocks[row].velocity, blocks[column].velocity, blocks[row].kind.velocities().max(1));
        for (change, mut out) in self.change.column_iter().zip(self.out.column_iter_mut()) {
            for (c, entries) in values.chunks_exact(size).enumerate() {
                let factor = change[from + c];
                entries.iter().enumerate().for_each(|(i, x)| out[to + i] += x * factor);
            }
        }
    }

    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn stiffness(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn jacobian(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Overwrites `out` by `J⁻¹ C δv` of the changes `δv`, `n × r`: the damping at this motion, answered with the factors at
/// hand. `visit` is given the multipliers that hold the constraints, column by column.
pub(super) fn damped_answer(
    (system, kkt): (&dyn ConstrainedSystem, &mut Kkt),
    (motion, a, mu): (Motion<'_>, &[f64], &[f64]),
    change: &DMatrix<f64>,
    (room, out): (&mut Vec<f64>, &mut DMatrix<f64>),
    visit: impl FnMut(usize, &[f64]),
) {
    out.fill(0.0);
    system.tangents(motion, a, mu, &mut DampingProduct { structure: system.structure(), change, out });
    if out.iter().any(|x| *x != 0.0) {
        kkt.solve_forces(out, room, visit);
    }
}
