//! The end of a step: all subsystems take it.

use cosimo_subsystem::{Call, MacroStep};

use super::account::account;
use super::begin::{Expectation, keeps_inverse_masses};
use super::moves::close_gaps;
use crate::StepError;
use crate::condensation::Condensation;
use crate::contacts::problems::ContactProblems;
use crate::energy::limit::guards_parts;
use crate::energy::monitor::JointWork;
use crate::execution::calls::SubsystemCalls;
use crate::execution::cost::Account;
use crate::execution::slot::Phase;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::end_rows::set_all_end_rows;
use crate::loads::exchange::LoadExchange;
use crate::motion::Motion;
use crate::rows::{StepRows, copy_rows};
use crate::simulation::StepContext;
use crate::topology::Topology;

/// Commits the step with the loads found, if their energy is admitted, and accounts for its energies.
pub(super) fn commit(sim: &mut StepContext, h: f64) -> Result<(), StepError> {
    sim.subsystems.costs.enter(Account::BOOKS);
    let (time, model) = (sim.clock.now, sim.linearisation.of(&sim.topology));
    let has_moved = sim.topology.closes_gaps
        && close_gaps(model, &mut sim.condensation, &mut sim.rows, &mut sim.subsystems, h);
    if sim.energy.is_limited && guards_parts(sim.topology.config.energy_action, &sim.coupling.modes) {
        if sim.linearisation.is_affine {
            set_all_end_rows(model.models, &mut sim.rows);
        }
        let takes_loads = sim.schemes.iteration.is_some();
        let condensation = &sim.condensation;
        let work = JointWork { model, condensation, rows: &sim.rows, h, takes_loads };
        if let Some(excess) = sim.energy.excess_of_part(work, sim.progress.macro_size) {
            sim.subsystems.discard();
            sim.contacts.state.memory.copy_from_slice(sim.energy.memory_before());
            return Err(sim.energy.guard.too_much(excess, &sim.topology, &sim.coupling.modes, (time, h)));
        }
    }
    let has_loads = !sim.topology.load_sources.is_empty();
    if has_loads {
        sim.loads.exchange.sum(model.models, &sim.rows);
        sim.loads.exchange.hand_over_motions(&sim.topology, &mut sim.subsystems.slots);
    }
    sum_momenta(&sim.topology, &sim.condensation, &sim.contacts.problems, &mut sim.rows);
    if sim.subsystems.run_ahead {
        let exchange = has_loads.then_some(&sim.loads.exchange);
        prefetch_commits(&sim.topology, &mut sim.subsystems, exchange, &sim.rows);
        let is_whole = h.to_bits() == sim.progress.macro_size.to_bits();
        if let Some(size) = sim.progress.next_size.filter(|_| is_whole) {
            let mut clock = sim.clock;
            clock.advance(h);
            let expects = Expectation {
                topology: &sim.topology,
                history: &sim.loads.history,
                is_instant: false,
                keeps_inverse_masses: keeps_inverse_masses(&sim.linearisation, &sim.schemes),
            };
            let step = MacroStep { time: clock.now, size };
            expects.prefetch_next(&mut sim.subsystems, &sim.rows, step);
        }
    }
    let exchange = has_loads.then_some(&sim.loads.exchange);
    let models = &mut sim.linearisation.models;
    let has_failed = commit_all(&sim.topology, &mut sim.subsystems, models, exchange, &mut sim.rows);
    let all = 0..sim.subsystems.slots.len();
    if let Some(source) = sim.subsystems.finish_calls(all, has_failed) {
        return Err(StepError::NotCommitted { time, source });
    }
    account(sim, h, has_moved);
    Ok(())
}

/// Commits the step in all subsystems; says whether any has failed.
fn commit_all(
    topology: &Topology,
    subsystems: &mut Subsystems,
    models: &mut [AffineModel],
    exchange: Option<&LoadExchange>,
    rows: &mut StepRows,
) -> bool {
    let StepRows { loads, momenta, next_positions, next_velocities, .. } = rows;
    let Subsystems { all, slots, executor, costs, .. } = subsystems;
    let calls = SubsystemCalls {
        subsystems: all,
        layouts: &topology.subsystems,
        models,
        slots,
        rows: (next_positions, next_velocities),
        first_row: 0,
        first: 0,
    };
    executor.call(calls, Phase::Commit, costs, |call, meter| {
        let own = call.layout.rows.clone();
        let loads = exchange.map_or(&loads[own.clone()], |exchange| exchange.loads_on(call.layout, loads));
        call.slot.take_loads(loads, &momenta[own]);
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
    })
}

/// Sums the loads that are momenta: those of joints that pass impulses, and of contacts of the plain problem.
fn sum_momenta(
    topology: &Topology,
    condensation: &Condensation,
    contacts: &ContactProblems,
    rows: &mut StepRows,
) {
    let solution = contacts.solution();
    let of_contacts = solution.problems > 0 && contacts.problems.iter().any(|own| own.are_momenta);
    // Those of the step before are none of this one.
    rows.momenta.fill(0.0);
    if !(topology.passes_impulses || of_contacts) {
        return;
    }
    for coordinate in condensation.coordinates.iter().filter(|own| own.passes_impulses) {
        let x = rows.unknowns[coordinate.unknown()];
        rows.momenta[coordinate.row(0)] -= x;
        rows.momenta[coordinate.row(1)] += x;
    }
    for own in contacts.problems.iter().filter(|own| of_contacts && own.are_momenta) {
        for row in topology.clusters[own.cluster].contact_rows.clone() {
            rows.momenta[topology.contact_rows[row].global_row] += solution.sustained[row];
        }
    }
}

/// Announces to the subsystems what they will be committed with.
fn prefetch_commits(
    topology: &Topology,
    subsystems: &mut Subsystems,
    exchange: Option<&LoadExchange>,
    rows: &StepRows,
) {
    let Subsystems { all, slots, costs, .. } = subsystems;
    let before = costs.enter(Account::MESSAGES);
    for ((layout, subsystem), slot) in topology.subsystems.iter().zip(all).zip(slots) {
        let own = layout.rows.clone();
        let loads =
            exchange.map_or(&rows.loads[own.clone()], |exchange| exchange.loads_on(layout, &rows.loads));
        slot.take_loads(loads, &rows.momenta[own]);
        subsystem.prefetch(Call::Commit(&slot.loads));
    }
    costs.enter(before);
}
