//! What joints and load joints do to contacts.

use nalgebra::DMatrix;

use super::{ContactMatrices, SelectedRows};
use crate::InterfaceLaw;
use crate::condensation::equations::Equations;
use crate::condensation::interface_matrix::InterfaceMatrix;
use crate::topology::contact::{Attachment, ContactRow};
use crate::topology::joint::Side;

impl ContactMatrices {
    /// Loads for a unit impulse at a contact anywhere: `x = A⁻¹ E`.
    pub(super) fn free_loads(
        &mut self,
        equations: Equations<'_>,
        matrix: &mut InterfaceMatrix,
        c: usize,
        contact: &ContactRow,
    ) {
        let Equations { model, cluster, .. } = equations;
        let first = cluster.unknowns.start;
        let column = &mut self.column;
        column.fill(0.0);
        // E: the answer to a load of +1 on the contact's row; `add_rows_of_load` gives sign · answer.
        equations.add_rows_of_load(contact.subsystem, contact.row, 1.0, |row, value| {
            column[row - first] += value;
        });
        matrix.solve(column);
        self.unknowns.column_mut(c).copy_from_slice(&self.column);
        add_loads_of(equations, &self.column, &mut self.loads, c);
        self.loads[(model.topology.subsystems[contact.subsystem].cluster_row + contact.row, c)] += 1.0;
    }

    /// Loads for a unit impulse at a contact that acts at a joined port, without cancellation.
    pub(super) fn attached_loads(
        &mut self,
        equations: Equations<'_>,
        matrix: &mut InterfaceMatrix,
        c: usize,
        attachment: &Attachment,
    ) {
        let Equations { model, cluster, rows } = equations;
        let (topology, direction) = (model.topology, &attachment.direction);
        let (j, side) = (attachment.port.joint, attachment.port.side);
        let joint = &topology.joints[j];
        let (own, other) = (&joint.sides[side], &joint.sides[1 - side]);
        let shift = own.sign / rows[j].share[side];
        let at = joint.first - cluster.unknowns.start;
        let column = &mut self.column;
        column.fill(0.0);
        for (l, weight) in direction.iter().enumerate() {
            let load = -other.sign * rows[j].share[1 - side] * shift * weight;
            equations.add_rows_of_load(other.subsystem, other.row + l, load, |row, value| {
                column[row - cluster.unknowns.start] += value;
            });
            for k in 0..joint.size {
                column[at + k] -= rows[j].relaxation[(k, l)] * shift * weight;
            }
        }
        matrix.solve(column);
        self.unknowns.column_mut(c).copy_from_slice(&self.column);
        add_loads_of(equations, &self.column, &mut self.loads, c);
        // On the other side the whole unknown acts, z and the part split off.
        for (l, weight) in direction.iter().enumerate() {
            let load = -other.sign * rows[j].share[1 - side] * shift * weight;
            self.loads[(topology.cluster_row(other) + l, c)] += load;
            self.unknowns[(at + l, c)] += shift * weight;
        }
    }

    /// What the damping feeds back, `w₂ = J_c⁻¹ C_t w`: loads on the joints, and its answer at the contacts.
    pub(super) fn feed_back(
        &mut self,
        equations: Equations<'_>,
        matrix: &mut InterfaceMatrix,
        (c, contacts): (usize, SelectedRows<'_>),
    ) {
        let Equations { model, cluster, rows } = equations;
        let topology = model.topology;
        self.add_dashpot_loads(equations, c);
        self.answer_to_feedback(equations, c);
        for &j in &cluster.joints {
            let joint = &topology.joints[j];
            for k in 0..joint.size {
                let answer = |l: usize| -> f64 {
                    let side = |own: &Side| {
                        let chi = model.models[own.subsystem].weights.position;
                        own.sign * rows[j].answer(chi, k, l) * self.answers[topology.cluster_row(own) + l]
                    };
                    joint.sides.iter().map(side).sum()
                };
                let sum: f64 = (0..joint.size).map(answer).sum();
                self.column[joint.first + k - cluster.unknowns.start] = sum;
            }
        }
        matrix.solve(&mut self.column);
        add_loads_of(equations, &self.column, &mut self.feedback, c);
        self.answer_to_feedback(equations, c);
        for (d, contact) in contacts.iter().enumerate() {
            self.damped[(d, c)] =
                self.answers[topology.subsystems[contact.subsystem].cluster_row + contact.row];
        }
    }

    /// Dashpots of compliant joints answer to the rates that impulse `c` causes, with the sign of `C_t w`.
    fn add_dashpot_loads(&mut self, Equations { model, cluster, .. }: Equations<'_>, c: usize) {
        let topology = model.topology;
        for &j in &cluster.joints {
            let joint = &topology.joints[j];
            let InterfaceLaw::Compliant { damping, .. } = &joint.law else { continue };
            for k in 0..joint.size {
                let rate = |l: usize| -> f64 {
                    let side = |own: &Side| {
                        let loads = self.loads.column(c);
                        let loads = &loads.as_slice()[topology.subsystems[own.subsystem].cluster_rows()];
                        own.sign * model.models[own.subsystem].answer_to(own.row + l, loads)
                    };
                    joint.sides.iter().map(side).sum()
                };
                let force: f64 = (0..joint.size).map(|l| damping[(k, l)] * rate(l)).sum();
                for own in &joint.sides {
                    self.feedback[(topology.cluster_row(own) + k, c)] += own.sign * force;
                }
            }
        }
    }

    /// Velocity answer of all rows to the damping of the subsystems and the feedback loads of contact `c`.
    fn answer_to_feedback(&mut self, Equations { model, cluster, .. }: Equations<'_>, c: usize) {
        let (loads, feedback) = (self.loads.column(c), self.feedback.column(c));
        for &i in &cluster.members {
            let (layout, model) = (&model.topology.subsystems[i], &model.models[i]);
            let own = layout.cluster_rows();
            let (loads, feedback) = (&loads.as_slice()[own.clone()], &feedback.as_slice()[own]);
            for row in 0..layout.rows.len() {
                let mut sum = model.answer_to(row, feedback);
                if !model.damped.is_empty() {
                    sum += model.damped.row_product(row, loads);
                }
                self.answers[layout.cluster_row + row] = sum;
            }
        }
    }
}

/// Adds the loads of the unknowns `x` on the rows of the cluster to column `c`.
fn add_loads_of(
    Equations { model, cluster, rows }: Equations<'_>,
    x: &[f64],
    loads: &mut DMatrix<f64>,
    c: usize,
) {
    let topology = model.topology;
    for &j in &cluster.joints {
        let joint = &topology.joints[j];
        for (own, share) in joint.sides.iter().zip(rows[j].share) {
            let row = topology.cluster_row(own);
            for k in 0..joint.size {
                loads[(row + k, c)] -= own.sign * share * x[joint.first + k - cluster.unknowns.start];
            }
        }
    }
}
