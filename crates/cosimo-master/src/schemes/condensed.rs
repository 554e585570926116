//! The condensed scheme: interface unknowns and contact impulses from one problem.

use cosimo_nonsmooth::ImpactResolution;

use super::response::{Mismatch, set_end_rows};
use crate::{Master, StepError, Tangent};

impl Master {
    /// Solves for the unknowns and contact impulses together; Newton's iteration where a subsystem is not affine.
    pub(crate) fn solve_condensed(
        &mut self,
        h: f64,
        resolution: ImpactResolution,
    ) -> Result<(u32, u32), StepError> {
        if self.all_affine {
            self.solve_interface();
            self.solve_contacts(h, resolution)?;
            self.counters.interfaces.count_solve();
            return Ok((1, 1));
        }
        let resolution =
            if resolution == ImpactResolution::SubStep { ImpactResolution::Plain } else { resolution };
        self.counters.remember(&self.memory);
        self.counters.interfaces.begin_solve();
        self.begin_bushings();
        let (mut mismatch, mut row) = (f64::INFINITY, 0);
        let (mut renews, mut before) = (self.config.tangent == Tangent::Exact, Mismatch::default());
        for iteration in 1..=self.config.max_iterations {
            self.memory.copy_from_slice(self.counters.remembered());
            self.solve_interface();
            self.solve_contacts(h, resolution)?;
            self.end_rows_with_loads();
            let found = self.reevaluate(renews)?.and(self.reevaluate_bushings());
            (mismatch, row) = found.relative();
            // A frozen tangent that one correction does not suffice with is renewed.
            renews = true;
            self.note_mismatches(iteration, found);
            if mismatch <= self.config.tolerance || (iteration > 2 && found.is_floor(before)) {
                self.note_agreement(iteration, found);
                return Ok((iteration, iteration));
            }
            before = found;
            self.refresh(h)?;
        }
        self.memory.copy_from_slice(self.counters.remembered());
        Err(self.row_not_converged(h, (self.config.max_iterations, row, mismatch)))
    }

    /// Unknowns of the joints without contact impulses, their loads, and the contact rows' answer.
    pub(crate) fn solve_interface(&mut self) {
        let rows = &mut self.rows;
        rows.loads.fill(0.0);
        if !self.layout.joints.is_empty() {
            let c = &mut self.condensation;
            rows.unknowns.fill(0.0);
            c.add_joint_loads(&self.layout, &rows.unknowns, &rows.start_forces, &mut rows.loads);
            self.layout.members.iter().for_each(|member| set_end_rows(member, rows));
            let end = (rows.end_positions.as_slice(), rows.end_velocities.as_slice());
            c.residual(&self.layout, end, &rows.start_positions, None, &mut rows.unknowns);
            c.solve(&self.layout, &mut rows.unknowns);
            rows.loads.fill(0.0);
            c.add_joint_loads(&self.layout, &rows.unknowns, &rows.start_forces, &mut rows.loads);
        }
        for (k, row) in self.layout.contact_rows.iter().enumerate() {
            let member = &self.layout.members[row.subsystem];
            rows.end_rates[k] = rows.free_velocities[row.global_row];
            if let Some(contact) = row.gap_of {
                rows.end_gaps[contact] = rows.free_positions[row.global_row];
            }
            if !member.joints.is_empty() {
                let change = member.answer(row.row, &rows.loads);
                rows.end_rates[k] += change;
                if let Some(contact) = row.gap_of {
                    rows.end_gaps[contact] += member.weights.position * change;
                }
            }
        }
    }
}
