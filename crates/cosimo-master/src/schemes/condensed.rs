//! The condensed scheme: interface unknowns and contact impulses from one problem.

use cosimo_nonsmooth::ImpactResolution;

use super::fallback::Fallback;
use super::mismatch::Mismatch;
use super::notes::{note_agreement, note_mismatches};
use super::response::{change_by_loads, end_rows_with_loads, reevaluate, renew_inverse_masses, set_end_rows};
use crate::StepError;
use crate::contacts::problems::Pass;
use crate::contacts::solve::{solve_contacts, take_in_penetrated};
use crate::contacts::unsolved::Unsettled;
use crate::laws::newton::{begin_bushings, reevaluate_bushings};
use crate::loads::pass::{answer_loads, apply_loads};
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::step::begin::refresh;
use crate::step::not_solved::row_not_converged;
use crate::step::part::StepPart;
use crate::storage::rows::StepRows;

/// Contraction of the mismatch, at first against the change that the loads make, above which inverse masses are renewed.
const SLOW: f64 = 0.03;

/// Mismatch, relative to the speeds of the rows, below which ends tell which further contacts penetrate.
const NEAR: f64 = 1e-3;

/// Solves for the unknowns and contact impulses together, and returns the iterations; Newton's iteration where a subsystem is not affine,
/// modified as long as it contracts well: with the inverse masses that the step began with.
pub(crate) fn solve_condensed(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    sim.storage.unsettled = None;
    if sim.storage.linearisation.is_affine {
        solve_interface(sim);
        solve_contacts(sim, part, resolution, Pass::First)?;
        sim.state.counters.interfaces.count_solve();
        return Ok(1);
    }
    let resolution =
        if resolution == ImpactResolution::SubStep { ImpactResolution::Plain } else { resolution };
    sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    sim.state.counters.interfaces.begin_solve();
    begin_bushings(sim);
    let (mut mismatch, mut row) = (f64::INFINITY, 0);
    let (mut renews, mut before) = (!sim.state.tangent.keeps(), Mismatch::default());
    let mut last = f64::INFINITY;
    let mut fallback = Fallback::new(sim.storage.accepted_residual, sim.topology.config.max_iterations);
    for iteration in 1..=sim.topology.config.max_iterations {
        sim.state.contact_memory.copy_from_slice(&sim.storage.remembered);
        solve_interface(sim);
        let pass = if iteration == 1 { Pass::First } else { Pass::Later };
        solve_contacts(sim, part, resolution, pass)?;
        end_rows_with_loads(sim);
        if iteration == 1 {
            last = change_by_loads(sim);
        }
        let all = 0..sim.topology.subsystems.len();
        apply_loads(sim, &all);
        let answered = reevaluate(sim, renews)?;
        if answered.difference > SLOW * last && answered.relative().0 > sim.topology.config.tolerance {
            renew_inverse_masses(sim)?;
        }
        last = answered.difference;
        let found = answered.and(reevaluate_bushings(sim));
        let found = found.and(answer_loads(sim, all, true)?);
        (mismatch, row) = found.relative();
        // A frozen tangent that one correction does not suffice with is renewed.
        renews = true;
        note_mismatches(sim, iteration, found);
        let agrees = mismatch <= sim.topology.config.tolerance || (iteration > 2 && found.is_floor(before));
        let is_last = !agrees && fallback.takes(iteration, mismatch);
        let is_near = agrees || is_last || mismatch <= NEAR;
        if !(is_near && take_in_penetrated(sim, part, resolution)) && (agrees || is_last) {
            let left = Unsettled { iterations: iteration, worst: row, residual: mismatch };
            sim.storage.unsettled = is_last.then_some(left);
            note_agreement(sim, iteration, found);
            return Ok(iteration);
        }
        before = found;
        refresh(sim, part.mode)?;
    }
    sim.state.contact_memory.copy_from_slice(&sim.storage.remembered);
    let iterations = sim.topology.config.max_iterations;
    Err(row_not_converged(sim, part.size, Unsettled { iterations, worst: row, residual: mismatch }))
}

/// Unknowns of the joints without contact impulses, their loads, and the contact rows' answer.
pub(crate) fn solve_interface(sim: &mut Simulation<'_>) {
    let model = sim.storage.linearisation.of(sim.topology);
    let rows = &mut sim.storage.rows;
    rows.loads.fill(0.0);
    if !sim.topology.joints.is_empty() {
        let c = &mut sim.storage.condensation;
        rows.unknowns.fill(0.0);
        c.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
        model.models.iter().for_each(|own| set_end_rows(own, rows));
        let StepRows { end_positions, end_velocities, unknowns, relaxed_forces, .. } = rows;
        let end = Motion { positions: end_positions, velocities: end_velocities };
        c.residual(model, end, relaxed_forces, unknowns);
        c.solve(sim.topology, &mut rows.unknowns);
        rows.loads.fill(0.0);
        c.add_joint_loads(model, &rows.unknowns, &rows.start_forces, &mut rows.loads);
    }
    for (k, row) in sim.topology.contact_rows.iter().enumerate() {
        rows.end_rates[k] = rows.free_velocities[row.global_row];
        if let Some(contact) = row.gap_of {
            rows.end_gaps[contact] = rows.free_positions[row.global_row];
        }
        if !sim.topology.subsystems[row.subsystem].joints.is_empty() {
            let own = &model.models[row.subsystem];
            let change = own.answer(row.row, &rows.loads);
            rows.end_rates[k] += change;
            if let Some(contact) = row.gap_of {
                rows.end_gaps[contact] += own.weights.position * change;
            }
        }
    }
    rows.open_absent(sim.topology);
}
