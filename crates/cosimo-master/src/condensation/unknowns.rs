//! The unknowns of the joints without contact impulses, and the forces that unknowns stand for.

use super::Condensation;
use crate::laws::forces::JointForces;
use crate::linearisation::LinearisedModel;
use crate::linearisation::end_rows::set_all_end_rows;
use crate::motion::Motion;
use crate::rows::StepRows;

impl Condensation {
    /// Unknowns of the joints without contact impulses, their loads, and the contact rows' answer.
    pub(crate) fn solve_without_contacts(&mut self, model: LinearisedModel<'_>, rows: &mut StepRows) {
        let topology = model.topology;
        rows.loads.fill(0.0);
        if !topology.joints.is_empty() {
            rows.unknowns.fill(0.0);
            self.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
            set_all_end_rows(model.models, rows);
            let StepRows { end_positions, end_velocities, unknowns, relaxed_forces, .. } = rows;
            let end = Motion { positions: end_positions, velocities: end_velocities };
            self.residual(model, end, relaxed_forces, unknowns);
            self.solve(topology, &mut rows.unknowns);
            rows.loads.fill(0.0);
            self.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
        }
        find_contact_ends(model, rows);
        rows.open_absent(topology);
    }

    /// Forces at the end of the step of size `h` (s) just taken of the joints that are not compliant, and the impulses of the forces of all.
    pub(crate) fn take_forces(&self, joints: &mut JointForces, rows: &StepRows, h: f64) {
        for coordinate in &self.coordinates {
            let (unknown, weights) = (coordinate.unknown(), &self.law(coordinate).weights);
            let (x, start) = (rows.unknowns[unknown], rows.start_forces[unknown]);
            let impulse = weights.impulse(0, x, start);
            joints.impulses[unknown] += h * weights.mean_force(0, impulse, start);
            if coordinate.passes_impulses {
                let mean = (x - rows.impact_unknowns[unknown]) / weights.load_weight;
                joints.end[unknown] = mean;
                joints.relaxed[unknown] = mean;
            }
        }
    }
}

/// Gaps and rates of the contacts at the end, with the loads of the joints alone.
#[inline]
fn find_contact_ends(model: LinearisedModel<'_>, rows: &mut StepRows) {
    let topology = model.topology;
    for (k, row) in topology.contact_rows.iter().enumerate() {
        rows.end_rates[k] = rows.free_velocities[row.global_row];
        if let Some(contact) = row.gap_of {
            rows.end_gaps[contact] = rows.free_positions[row.global_row];
        }
        if !topology.subsystems[row.subsystem].joints.is_empty() {
            let own = &model.models[row.subsystem];
            let change = own.answer(row.row, &rows.loads);
            rows.end_rates[k] += change;
            if let Some(contact) = row.gap_of {
                rows.end_gaps[contact] += own.weights.position * change;
            }
        }
    }
}
