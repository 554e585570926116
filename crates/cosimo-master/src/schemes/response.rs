//! What the subsystems answer to the loads of a step: their affine models, and the true answers of those that are not
//! affine.

use std::ops::Range;

use cosimo_subsystem::{Call, RowMatrix, StepResponse};

use super::mismatch::Mismatch;
use crate::StepError;
use crate::execution::cost::Account;
use crate::execution::executor::SubsystemCalls;
use crate::execution::slot::{CallSlot, Phase, RowDifference};
use crate::loads::evaluated::mark_standing;
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::step::begin::note_changed_inverse_masses;
use crate::storage::linearisation::AffineModel;
use crate::storage::rows::{StepRows, copy_rows};

/// Rounding of a port's position, which several sums and products make, relative to the largest current position (–).
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What subsystems that are not affine are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Their end rows; an inverse mass is taken that comes with them.
    Rows,
    /// The inverse mass at the loads of which they have given the end rows, unless it came with them.
    InverseMass,
}

/// End rows of the affine model with the present loads.
pub(crate) fn end_rows_with_loads(sim: &mut Simulation<'_>) {
    for model in &sim.storage.linearisation.models {
        set_end_rows(model, &mut sim.storage.rows);
    }
}

/// Evaluates the subsystems that are not affine at the present loads; their true answer replaces the affine
/// model, and their inverse mass is taken over if `renews`, or if it belongs to another step size. Those that stand as they were
/// evaluated with the loads of their load ports are left out.
pub(crate) fn reevaluate(sim: &mut Simulation<'_>, renews: bool) -> Result<Mismatch, StepError> {
    let all = 0..sim.topology.subsystems.len();
    mark_standing(sim);
    evaluate(sim, all.clone(), Asked::Rows, |model, response| {
        if renews { model.take(response) } else { model.keep_or_take(response) }
    })?;
    sim.subsystems.slots.iter_mut().for_each(|slot| slot.stands = false);
    note_changed_inverse_masses(sim);
    Ok(take_answers(sim, all))
}

/// Takes the inverse masses at the loads of the last [`reevaluate`] that did not come with the rows.
pub(crate) fn renew_inverse_masses(sim: &mut Simulation<'_>) -> Result<(), StepError> {
    let all = 0..sim.topology.subsystems.len();
    evaluate(sim, all.clone(), Asked::InverseMass, AffineModel::take)?;
    note_changed_inverse_masses(sim);
    take_answers(sim, all);
    Ok(())
}

/// The largest change (m/s) that the present loads make to rows of subsystems that are not affine, by their affine models.
pub(crate) fn change_by_loads(sim: &Simulation<'_>) -> f64 {
    let (models, rows) = (&sim.storage.linearisation.models, &sim.storage.rows);
    let own = models.iter().filter(|model| !model.is_affine).flat_map(|model| model.rows.clone());
    own.map(|g| (rows.end_velocities[g] - rows.free_velocities[g]).abs()).fold(0.0, f64::max)
}

/// Evaluates those of the subsystems `group` that are not affine at the present loads, side by side. Their affine
/// model moves to the true answer and keeps its inverse mass.
pub(crate) fn reevaluate_group(sim: &mut Simulation<'_>, group: Range<usize>) -> Result<Mismatch, StepError> {
    evaluate(sim, group.clone(), Asked::Rows, |_, _| false)?;
    Ok(take_answers(sim, group))
}

/// Replaces the end rows of those subsystems in `group` that are not affine by their true answer. `take` takes what
/// else is wanted of it, and says whether the inverse mass has changed.
fn evaluate(
    sim: &mut Simulation<'_>,
    group: Range<usize>,
    asked: Asked,
    take: impl Fn(&mut AffineModel, &StepResponse) -> bool + Sync,
) -> Result<(), StepError> {
    let (time, rows) = (sim.state.clock.now, &mut sim.storage.rows);
    let models = &mut sim.storage.linearisation.models[group.clone()];
    let subsystems = &mut sim.subsystems.all[group.clone()];
    let layouts = &sim.topology.subsystems[group.clone()];
    let slots = &mut sim.subsystems.slots[group.clone()];
    let before = sim.subsystems.costs.enter(Account::MESSAGES);
    let has_come = |has_changed: bool| asked == Asked::InverseMass && has_changed;
    for (((model, layout), subsystem), slot) in models.iter().zip(layouts).zip(&mut *subsystems).zip(&*slots)
    {
        if !model.is_affine && !slot.stands && !has_come(slot.has_changed) {
            let loads = sim.storage.loads.loads_on(layout, &rows.loads);
            subsystem.announce(match asked {
                Asked::Rows => Call::EvaluateRows(loads),
                Asked::InverseMass => Call::Evaluate(loads),
            });
        }
    }
    sim.subsystems.costs.enter(before);
    let ends =
        models.first().map_or(0, |first| first.rows.start)..models.last().map_or(0, |last| last.rows.end);
    let (loads, exchange) = (&rows.loads, &sim.storage.loads);
    let calls = SubsystemCalls {
        subsystems,
        layouts: &sim.topology.subsystems[group.clone()],
        models,
        slots,
        first_row: ends.start,
        first: group.start,
        rows: (&mut rows.end_positions[ends.clone()], &mut rows.end_velocities[ends]),
    };
    let has_failed =
        sim.subsystems.executor.call(calls, Phase::Evaluate, &mut sim.subsystems.costs, |call, meter| {
            if has_come(call.slot.has_changed) {
                return Ok(());
            }
            (call.slot.difference, call.slot.has_changed) = (RowDifference::default(), false);
            call.slot.differences.fill(0.0);
            if !call.model.is_affine && !call.slot.stands {
                let loads = exchange.loads_on(call.layout, loads);
                meter.asks();
                let response = match asked {
                    Asked::Rows => call.subsystem.evaluate_rows(loads)?,
                    Asked::InverseMass => call.subsystem.evaluate(loads)?,
                };
                meter.answers();
                call.slot.touches.clone_from(&response.touches);
                let rows = Motion { positions: call.positions, velocities: call.velocities };
                call.slot.difference = difference(call.model, response, rows, &mut call.slot.differences);
                let is_finite = copy_rows(
                    Motion { positions: &response.positions, velocities: &response.velocities },
                    call.positions,
                    call.velocities,
                );
                call.slot.has_changed = take(call.model, response);
                if call.slot.has_changed {
                    call.check_inverse_mass()?;
                }
                if !is_finite {
                    return Err(call.rows_not_finite());
                }
            }
            Ok(())
        });
    if asked == Asked::Rows {
        let models = sim.storage.linearisation.models[group.clone()].iter();
        let is_evaluated = |(model, slot): &(&AffineModel, &CallSlot)| !model.is_affine && !slot.stands;
        let evaluated = models.zip(&sim.subsystems.slots[group.clone()]).filter(is_evaluated).count();
        sim.state.tangent.count_evaluations(evaluated);
    }
    let failed = |source| StepError::Subsystem { time, source };
    let failure = sim.subsystems.finish_calls(group, has_failed);
    failure.map_or(Ok(()), |source| Err(failed(source)))
}

/// Moves the affine models of these subsystems to the answers just given, and returns how far they were from them.
fn take_answers(sim: &mut Simulation<'_>, group: Range<usize>) -> Mismatch {
    let mut mismatch = Mismatch::default();
    let models = sim.storage.linearisation.models[group.clone()].iter();
    let layouts = &sim.topology.subsystems[group.clone()];
    for ((model, layout), slot) in models.zip(layouts).zip(&sim.subsystems.slots[group]) {
        if !model.is_affine {
            mismatch.note(slot.difference.size, model.rows.start + slot.difference.row);
            let rounding = rounding(model, layout.contacts.clone(), &sim.storage.rows);
            mismatch.rounding = mismatch.rounding.max(rounding);
            move_affine_model(model, &mut sim.storage.rows);
        }
        mismatch.speed = mismatch.speed.max(speed(model, &sim.storage.rows));
    }
    mismatch
}

/// Rows up to which an inverse mass is taken row by row; a hub with very many is taken column by column, as it is stored.
const FEW: usize = 8;

/// End rows of a subsystem's affine model: free response and the answer to the present loads.
#[inline(always)]
pub(crate) fn set_end_rows(model: &AffineModel, rows: &mut StepRows) {
    let RowMatrix::Dense(inverse_mass) = &model.inverse_mass else { return set_many_end_rows(model, rows) };
    match inverse_mass.as_slice() {
        [inverse_mass] => {
            let g = model.rows.start;
            let change = inverse_mass * rows.loads[g];
            rows.end_velocities[g] = rows.free_velocities[g] + change;
            rows.end_positions[g] = rows.free_positions[g] + model.weights.position * change;
        }
        entries if entries.len() <= FEW * FEW => set_few_end_rows(model, entries, rows),
        _ => set_many_end_rows(model, rows),
    }
}

fn set_few_end_rows(model: &AffineModel, entries: &[f64], rows: &mut StepRows) {
    let (own, n) = (model.rows.clone(), model.rows.len());
    let mut changes = [0.0; FEW];
    for (column, load) in entries.chunks_exact(n.max(1)).zip(&rows.loads[own.clone()]) {
        changes.iter_mut().zip(column).for_each(|(change, w)| *change += w * load);
    }
    let free = rows.free_positions[own.clone()].iter().zip(&rows.free_velocities[own.clone()]);
    let ends = rows.end_positions[own.clone()].iter_mut().zip(&mut rows.end_velocities[own]);
    for ((end, free), change) in ends.zip(free).zip(changes) {
        *end.0 = free.0 + model.weights.position * change;
        *end.1 = free.1 + change;
    }
}

fn set_many_end_rows(model: &AffineModel, rows: &mut StepRows) {
    let own = model.rows.clone();
    model.answer_all(&rows.loads[own.clone()], &mut rows.end_velocities[own.clone()]);
    for g in own {
        let change = rows.end_velocities[g];
        rows.end_velocities[g] = rows.free_velocities[g] + change;
        rows.end_positions[g] = rows.free_positions[g] + model.weights.position * change;
    }
}

/// Differences (m/s) of an answer from these rows of the affine model, as far as it reports a response of them; returns the largest,
/// and the row where it is.
fn difference(
    model: &AffineModel,
    response: &StepResponse,
    Motion { positions, velocities }: Motion<'_>,
    differences: &mut [f64],
) -> RowDifference {
    let mut largest = RowDifference::default();
    for k in 0..positions.len() {
        let (dq, dv) = (response.positions[k] - positions[k], response.velocities[k] - velocities[k]);
        let change = if model.inverse_mass.has_row(k) {
            dv.abs().max(dq.abs() / response.weights.position)
        } else {
            0.0
        };
        differences[k] = change;
        if change > largest.size {
            largest = RowDifference { size: change, row: k };
        }
    }
    largest
}

/// Moves the affine model so that it gives the end rows at the present loads.
fn move_affine_model(model: &AffineModel, rows: &mut StepRows) {
    for (k, g) in model.rows.clone().enumerate() {
        let change = model.answer(k, &rows.loads);
        rows.free_velocities[g] = rows.end_velocities[g] - change;
        rows.free_positions[g] = rows.end_positions[g] - model.weights.position * change;
    }
}

/// The rounding of the end positions of a subsystem as a change of velocities (m/s): of gaps, that of the lengths which they are
/// differences of.
fn rounding(model: &AffineModel, contacts: Range<usize>, rows: &StepRows) -> f64 {
    let numbers = rows.end_positions[model.rows.clone()].iter().chain(&rows.lengths[contacts]);
    ROUNDING * numbers.fold(0.0_f64, |most, q| most.max(q.abs())) / model.weights.position
}

/// Largest speed of a subsystem's rows (m/s). The free speed counts too: a model at rest is held there by loads that are
/// not small.
fn speed(model: &AffineModel, rows: &StepRows) -> f64 {
    let largest = |v: &[f64]| v[model.rows.clone()].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    largest(&rows.start_velocities).max(largest(&rows.end_velocities)).max(largest(&rows.free_velocities))
}
