//! What the damping does after an impulse, and the stiffness of a move.

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion, Structure};
use nalgebra::DMatrix;

use super::kkt::Kkt;

/// A tangent of the balance of forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tangent {
    /// `C`, of velocities.
    Damping,
    /// `K`, of positions.
    Stiffness,
}

/// Adds a tangent times changes of velocities or positions, `n × r`.
struct TangentProduct<'a> {
    tangent: Tangent,
    structure: &'a Structure,
    change: &'a DMatrix<f64>,
    out: &'a mut DMatrix<f64>,
}

impl TangentProduct<'_> {
    fn add(&mut self, tangent: Tangent, (row, column): (usize, usize), values: &[f64]) {
        if tangent != self.tangent {
            return;
        }
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
}

impl MatrixSink for TangentProduct<'_> {
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add(Tangent::Damping, (row, column), values);
    }

    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add(Tangent::Stiffness, (row, column), values);
    }

    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn jacobian(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Overwrites `out` by a tangent at this motion times the changes, `n × r`.
pub(super) fn tangent_product(
    tangent: Tangent,
    system: &dyn ConstrainedSystem,
    (motion, a, mu): (Motion<'_>, &[f64], &[f64]),
    change: &DMatrix<f64>,
    out: &mut DMatrix<f64>,
) {
    out.fill(0.0);
    let structure = system.structure();
    system.tangents(motion, a, mu, &mut TangentProduct { tangent, structure, change, out });
}

/// Overwrites `out` by `J⁻¹ C δv` of the changes `δv`, `n × r`: the damping at this motion, answered with the factors at
/// hand. `visit` is given the multipliers that hold the constraints, column by column.
pub(super) fn damped_answer(
    (system, kkt): (&dyn ConstrainedSystem, &mut Kkt),
    at: (Motion<'_>, &[f64], &[f64]),
    change: &DMatrix<f64>,
    (room, out): (&mut Vec<f64>, &mut DMatrix<f64>),
    visit: impl FnMut(usize, &[f64]),
) {
    tangent_product(Tangent::Damping, system, at, change, out);
    if out.iter().any(|x| *x != 0.0) {
        kkt.solve_forces(out, room, visit);
    }
}
