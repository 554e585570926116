//! The matrices of the problem that a subsystem solves by itself.
//!
//! A subsystem that is to find more forces than it has ways to move has a singular `A⁽ⁱ⁾`. It is then given the motions **and the
//! forces** `x̂` of the iterate, and uses the inverse mass `D` that the other sides have,
//!
//! ```text
//!   x = x̂ + (A⁽ⁱ⁾ + D)⁺ (r − A⁽ⁱ⁾ x̂)
//! ```
//!
//! which has the same fixed point (Jacobi, where the motions are those of the sweep before, takes `2D`: the error of a force that only
//! the others follow would go round with modulus 1, as `λ² = λ − 1`, and so falls by `√½`). What it cannot do the others do, as far as
//! they can; with one layer of bodies round it `A⁽ⁱ⁾ + D` is the matrix of the condensed scheme. A force that moves neither side is
//! redundant and stays what it was here; what moves nothing in the whole model is taken from the forces after every sweep.

use nalgebra::DMatrix;

use super::local_problem::{FoundForce, LocalProblem};
use crate::Scheme;
use crate::simulation::Simulation;

/// Pivot, against its column, below which a subsystem is not able to find one of several forces by itself: sweeps in which the others
/// only follow would multiply its error by more than the inverse of that.
const UNABLE: f64 = 1e-3;
/// Own inverse mass, against that of the other side, of what cannot move.
const HELD: f64 = 1e-11;

/// Sets up and factorises a local problem.
pub(crate) fn factorize_local(sim: &Simulation<'_>, local: &mut LocalProblem) {
    let (model, contacts) = (&sim.storage.linearisation.models[local.subsystem], &sim.topology.contact_rows);
    for (a, &c) in local.rows.iter().enumerate() {
        for (b, &d) in local.rows.iter().enumerate() {
            local.delassus[(a, b)] = model.inverse_mass[(contacts[c].row, contacts[d].row)];
        }
    }
    for (column, x) in local.found.iter().enumerate() {
        for (row, equation) in local.found.iter().enumerate() {
            let c = if local.passes_rigidly { 0.0 } else { relaxation_between(sim, equation, x) };
            local.matrix[(row, column)] = inverse_mass_between(sim, equation, x, x.side) + c;
        }
    }
    local.is_met = !local.found.is_empty() && !can_find(sim, local);
    if local.is_met {
        let both = local.met.matrix_mut();
        both.copy_from(&local.matrix);
        add_inverse_mass_met(sim, &local.found, both);
        local.met.factorize();
    }
    let matrix = if local.is_met { local.met.matrix_mut() } else { &local.matrix };
    local.inverse_masses.iter_mut().enumerate().for_each(|(n, own)| *own = matrix[(n, n)]);
}

/// Factorises the matrix of a subsystem; whether it can find its forces from the motions of the others.
fn can_find(sim: &Simulation<'_>, local: &mut LocalProblem) -> bool {
    let (matrix, found) = (&local.matrix, &local.found);
    let is_held =
        |(n, x): (usize, &FoundForce)| matrix[(n, n)] <= HELD * inverse_mass_between(sim, x, x, 1 - x.side);
    local.lu.factorize(matrix).is_ok()
        && (found.len() == 1 || local.lu.least_pivot(matrix) > UNABLE)
        && !found.iter().enumerate().any(is_held)
}

/// Adds the inverse mass `D` of the sides that take the forces which a subsystem finds, as far as they lie in one subsystem each.
fn add_inverse_mass_met(sim: &Simulation<'_>, found: &[FoundForce], matrix: &mut DMatrix<f64>) {
    let share = if sim.topology.config.scheme == Scheme::Jacobi { 2.0 } else { 1.0 };
    let other = |force: &FoundForce| sim.topology.joints[force.joint].sides[1 - force.side].subsystem;
    for (column, x) in found.iter().enumerate() {
        for (row, equation) in found.iter().enumerate().filter(|(_, equation)| other(equation) == other(x)) {
            matrix[(row, column)] += share * inverse_mass_between(sim, equation, x, 1 - x.side);
        }
    }
}

/// Entry of a joint's relaxation between two of its coordinates.
pub(super) fn relaxation_between(sim: &Simulation<'_>, equation: &FoundForce, x: &FoundForce) -> f64 {
    let relaxation = &sim.storage.condensation.rows[x.joint].relaxation;
    if x.joint == equation.joint { relaxation[(equation.coordinate, x.coordinate)] } else { 0.0 }
}

/// How far the subsystem on this side of the joint of `x` gives way in the equation of another of its forces, per unit of `x`.
fn inverse_mass_between(sim: &Simulation<'_>, equation: &FoundForce, x: &FoundForce, side: usize) -> f64 {
    let joint = &sim.topology.joints[x.joint];
    let equation_side = if side == x.side { equation.side } else { 1 - equation.side };
    let (row, load_row) =
        (&sim.storage.condensation.rows[equation.joint], joint.sides[side].row + x.coordinate);
    let own = &sim.topology.joints[equation.joint].sides[equation_side];
    let model = &sim.storage.linearisation.models[own.subsystem];
    let answer = |l: usize| {
        row.answer(model.weights.position, equation.coordinate, l)
            * model.inverse_mass[(own.row + l, load_row)]
    };
    let size = sim.topology.joints[equation.joint].size;
    -load_of(sim, x, side) * own.sign * (0..size).map(answer).sum::<f64>()
}

/// Load on the subsystem on this side of a joint for one unit of a force.
pub(super) fn load_of(sim: &Simulation<'_>, force: &FoundForce, side: usize) -> f64 {
    -sim.topology.joints[force.joint].sides[side].sign
        * sim.storage.condensation.rows[force.joint].share[side]
}
