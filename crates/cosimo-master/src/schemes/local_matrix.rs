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
use crate::condensation::Condensation;
use crate::linearisation::LinearisedModel;

/// Pivot, against its column, below which a subsystem is not able to find one of several forces by itself: sweeps in which the others
/// only follow would multiply its error by more than the inverse of that.
const UNABLE: f64 = 1e-3;
/// Own inverse mass, against that of the other side, of what cannot move.
const HELD: f64 = 1e-11;

/// The equations of the joints, as the subsystems of a sweep take them.
#[derive(Clone, Copy)]
pub(crate) struct JointEquations<'a> {
    pub(crate) model: LinearisedModel<'a>,
    pub(crate) condensation: &'a Condensation,
}

impl LocalProblem {
    /// Sets up and factorises the problem.
    pub(super) fn factorize(&mut self, joints: JointEquations<'_>) {
        let JointEquations { model: LinearisedModel { topology, models, .. }, .. } = joints;
        let (model, contacts) = (&models[self.subsystem], &topology.contact_rows);
        for (a, &c) in self.rows.iter().enumerate() {
            for (b, &d) in self.rows.iter().enumerate() {
                self.delassus[(a, b)] = model.inverse_mass[(contacts[c].row, contacts[d].row)];
            }
        }
        for (column, x) in self.found.iter().enumerate() {
            for (row, equation) in self.found.iter().enumerate() {
                let c = if self.passes_rigidly { 0.0 } else { joints.relaxation_between(equation, x) };
                self.matrix[(row, column)] = joints.inverse_mass_between(equation, x, x.side) + c;
            }
        }
        self.is_met = !self.found.is_empty() && !self.can_find(joints);
        if self.is_met {
            let both = self.met.matrix_mut();
            both.copy_from(&self.matrix);
            joints.add_inverse_mass_met(&self.found, both);
            self.met.factorize();
        }
        let matrix = if self.is_met { self.met.matrix_mut() } else { &self.matrix };
        self.inverse_masses.iter_mut().enumerate().for_each(|(n, own)| *own = matrix[(n, n)]);
    }

    /// Factorises the matrix of a subsystem; whether it can find its forces from the motions of the others.
    fn can_find(&mut self, joints: JointEquations<'_>) -> bool {
        let (matrix, found) = (&self.matrix, &self.found);
        let is_held = |(n, x): (usize, &FoundForce)| {
            matrix[(n, n)] <= HELD * joints.inverse_mass_between(x, x, 1 - x.side)
        };
        self.lu.factorize(matrix).is_ok()
            && (found.len() == 1 || self.lu.least_pivot(matrix) > UNABLE)
            && !found.iter().enumerate().any(is_held)
    }
}

impl JointEquations<'_> {
    /// Adds the inverse mass `D` of the sides that take the forces which a subsystem finds, as far as they lie in one subsystem each.
    fn add_inverse_mass_met(self, found: &[FoundForce], matrix: &mut DMatrix<f64>) {
        let topology = self.model.topology;
        let share = if topology.config.scheme == Scheme::Jacobi { 2.0 } else { 1.0 };
        let other = |force: &FoundForce| topology.joints[force.joint].sides[1 - force.side].subsystem;
        for (column, x) in found.iter().enumerate() {
            for (row, equation) in found.iter().enumerate().filter(|(_, own)| other(own) == other(x)) {
                matrix[(row, column)] += share * self.inverse_mass_between(equation, x, 1 - x.side);
            }
        }
    }

    /// Entry of a joint's relaxation between two of its coordinates.
    pub(super) fn relaxation_between(self, equation: &FoundForce, x: &FoundForce) -> f64 {
        let relaxation = &self.condensation.rows[x.joint].relaxation;
        if x.joint == equation.joint { relaxation[(equation.coordinate, x.coordinate)] } else { 0.0 }
    }

    /// How far the subsystem on this side of the joint of `x` gives way in the equation of another of its forces, per unit of `x`.
    fn inverse_mass_between(self, equation: &FoundForce, x: &FoundForce, side: usize) -> f64 {
        let LinearisedModel { topology, models, .. } = self.model;
        let joint = &topology.joints[x.joint];
        let equation_side = if side == x.side { equation.side } else { 1 - equation.side };
        let (row, load_row) = (&self.condensation.rows[equation.joint], joint.sides[side].row + x.coordinate);
        let own = &topology.joints[equation.joint].sides[equation_side];
        let model = &models[own.subsystem];
        let answer = |l: usize| {
            row.answer(model.weights.position, equation.coordinate, l)
                * model.inverse_mass[(own.row + l, load_row)]
        };
        let size = topology.joints[equation.joint].size;
        -self.load_of(x, side) * own.sign * (0..size).map(answer).sum::<f64>()
    }

    /// Load on the subsystem on this side of a joint for one unit of a force.
    pub(super) fn load_of(self, force: &FoundForce, side: usize) -> f64 {
        let sign = self.model.topology.joints[force.joint].sides[side].sign;
        -sign * self.condensation.rows[force.joint].share[side]
    }
}
