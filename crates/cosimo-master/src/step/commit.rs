//! The end of a step: all subsystems take it, and its books are made.

use cosimo_subsystem::Call;

use super::communication_point::take_next_rows;
use super::moves::close_gaps;
use super::unsolved::note_unsolved;
use crate::StepError;
use crate::contacts::absent::forget_absent_contacts;
use crate::contacts::meeting::open_met_joints;
use crate::contacts::near::note_rate_changes;
use crate::energy::books::{book_contacts, book_interfaces, book_joint_forces, book_loads};
use crate::energy::limit::admit_energy;
use crate::execution::cost::Account;
use crate::execution::executor::SubsystemCalls;
use crate::execution::slot::Phase;
use crate::loads::pass::{hand_over_motions, sum_loads};
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::storage::rows::copy_rows;

/// Commits the step with the loads found, if their energy is admitted, and books its energies.
pub(crate) fn commit(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    sim.subsystems.costs.enter(Account::BOOKS);
    let has_moved = close_gaps(sim, h);
    admit_energy(sim, h)?;
    let time = sim.state.clock.now;
    sum_loads(sim);
    sum_momenta(sim);
    hand_over_motions(sim);
    if sim.subsystems.run_ahead {
        announce_commits(sim);
    }
    let (loads, momenta, exchange) = (&sim.storage.rows.loads, &sim.storage.rows.momenta, &sim.storage.loads);
    let calls = SubsystemCalls {
        subsystems: &mut sim.subsystems.all,
        layouts: &sim.topology.subsystems,
        models: &mut sim.storage.linearisation.models,
        slots: &mut sim.subsystems.slots,
        rows: (&mut sim.storage.rows.next_positions, &mut sim.storage.rows.next_velocities),
        first_row: 0,
        first: 0,
    };
    let has_failed =
        sim.subsystems.executor.call(calls, Phase::Commit, &mut sim.subsystems.costs, |call, meter| {
            call.slot.take_loads(exchange.loads_on(call.layout, loads), &momenta[call.layout.rows.clone()]);
            meter.asks();
            call.slot.ledger = call.subsystem.commit(&call.slot.loads)?;
            meter.answers();
            let rows = call.subsystem.rows();
            if !copy_rows(
                Motion { positions: &rows.positions, velocities: &rows.velocities },
                call.positions,
                call.velocities,
            ) {
                return Err(call.rows_not_finite());
            }
            if !rows.orientations.is_empty() {
                call.check_orientations()?;
            }
            call.check_ledger()
        });
    let all = 0..sim.subsystems.slots.len();
    if let Some(source) = sim.subsystems.finish_calls(all, has_failed) {
        return Err(StepError::NotCommitted { time, source });
    }
    for (i, slot) in sim.subsystems.slots.iter().enumerate() {
        sim.state.monitor.book_subsystem(i, &slot.ledger);
    }
    sim.state.has_instant_forces = false;
    let has_joints = !sim.topology.joints.is_empty();
    let has_loads = !sim.topology.load_joints.is_empty();
    if has_joints || has_loads {
        book_interfaces(sim, h);
    }
    if has_loads {
        book_loads(sim, h);
    }
    sim.state.clock.advance(h);
    take_next_rows(sim);
    note_rate_changes(sim);
    if has_joints {
        book_joint_forces(sim, h);
    }
    if sim.storage.contact_problems.solution().problems > 0 {
        book_contacts(sim, h);
        open_met_joints(sim, h);
    } else {
        sim.state.contact_forces.fill(0.0);
    }
    note_unsolved(sim, time, h);
    forget_absent_contacts(sim);
    if has_moved && !sim.storage.contact_problems.solution().has_moments {
        let model = sim.storage.linearisation.of(sim.topology);
        sim.state.monitor.follow_springs(model, &sim.storage.rows);
    }
    Ok(())
}

/// Sums the loads that are momenta: those of joints that pass impulses, and of contacts of the plain problem.
fn sum_momenta(sim: &mut Simulation<'_>) {
    let problems = &sim.storage.contact_problems;
    let of_contacts = problems.solution().problems > 0 && problems.problems.iter().any(|own| own.are_momenta);
    let (rows, problems) = (&mut sim.storage.rows, &sim.storage.contact_problems);
    // Those of the step before are none of this one.
    rows.momenta.fill(0.0);
    if !(sim.topology.passes_impulses || of_contacts) {
        return;
    }
    for coordinate in sim.storage.condensation.coordinates.iter().filter(|own| own.passes_impulses) {
        let x = rows.unknowns[coordinate.unknown()];
        rows.momenta[coordinate.row(0)] -= x;
        rows.momenta[coordinate.row(1)] += x;
    }
    for own in problems.problems.iter().filter(|own| of_contacts && own.are_momenta) {
        for row in sim.topology.clusters[own.cluster].contact_rows.clone() {
            rows.momenta[sim.topology.contact_rows[row].global_row] += problems.solution().sustained[row];
        }
    }
}

/// Announces to the subsystems what they will be committed with.
fn announce_commits(sim: &mut Simulation<'_>) {
    let before = sim.subsystems.costs.enter(Account::MESSAGES);
    for ((layout, subsystem), slot) in
        sim.topology.subsystems.iter().zip(&mut sim.subsystems.all).zip(&mut sim.subsystems.slots)
    {
        let momenta = &sim.storage.rows.momenta[layout.rows.clone()];
        slot.take_loads(sim.storage.loads.loads_on(layout, &sim.storage.rows.loads), momenta);
        subsystem.announce(Call::Commit(&slot.loads));
    }
    sim.subsystems.costs.enter(before);
}
