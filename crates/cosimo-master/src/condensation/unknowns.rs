//! The unknowns of the joints without contact impulses.

use super::Condensation;
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
        rows.open_absent(topology);
    }
}
