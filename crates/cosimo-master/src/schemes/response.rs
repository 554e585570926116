//! What the subsystems answer to the loads of a step: their affine models, and the true answers of those that are not
//! affine.

use std::ops::Range;

use cosimo_subsystem::{Call, StepResponse, SubsystemError};

use crate::execution::calls::SubsystemCalls;
use crate::execution::cost::Account;
use crate::execution::slot::{CallSlot, Phase, RowDifference};
use crate::execution::subsystems::Subsystems;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::loads::exchange::LoadExchange;
use crate::motion::Motion;
use crate::rows::{StepRows, copy_rows};
use crate::topology::Topology;

/// Rounding of a port's position, which several sums and products make, relative to the largest current position (–).
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What subsystems that are not affine are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Their end rows, and an inverse mass that comes with them.
    Rows,
    /// The same, but an inverse mass that is known is kept where it belongs to the same step size.
    RowsKeepingInverseMass,
    /// Their end rows alone.
    RowsAlone,
    /// The inverse mass at the loads of which they have given the end rows, unless it came with them.
    InverseMass,
}

impl Asked {
    /// Takes what is wanted of an answer besides the rows; says whether the inverse mass has changed.
    fn take(self, model: &mut AffineModel, response: &StepResponse) -> bool {
        match self {
            Self::Rows | Self::InverseMass => model.take(response),
            Self::RowsKeepingInverseMass => model.keep_or_take(response),
            Self::RowsAlone => false,
        }
    }

    /// Whether what is asked for has come with the rows.
    fn has_come(self, slot: &CallSlot) -> bool {
        self == Self::InverseMass && slot.has_changed
    }

    /// The call at these loads.
    fn call(self, loads: &[f64]) -> Call<'_> {
        match self {
            Self::InverseMass => Call::Evaluate(loads),
            _ => Call::EvaluateRows(loads),
        }
    }
}

/// The largest change (m/s) that the present loads make to rows of subsystems that are not affine, by their affine models.
pub(crate) fn change_by_loads(models: &[AffineModel], rows: &StepRows) -> f64 {
    let own = models.iter().filter(|model| !model.is_affine).flat_map(|model| model.rows.clone());
    own.map(|g| (rows.end_velocities[g] - rows.free_velocities[g]).abs()).fold(0.0, f64::max)
}

/// How many of these subsystems have been evaluated for their rows.
pub(crate) fn count_evaluated(models: &[AffineModel], slots: &[CallSlot]) -> usize {
    let is_evaluated = |(model, slot): &(&AffineModel, &CallSlot)| !model.is_affine && !slot.stands;
    models.iter().zip(slots).filter(is_evaluated).count()
}

/// Evaluates those of the subsystems `group` that are not affine at the present loads, side by side: their true answer replaces the end rows
/// of the affine model. Those that stand as they were evaluated with the loads of their load ports are left out.
///
/// # Errors
/// A subsystem fails.
pub(crate) fn evaluate(
    topology: &Topology,
    subsystems: &mut Subsystems,
    models: &mut [AffineModel],
    exchange: &LoadExchange,
    rows: &mut StepRows,
    group: Range<usize>,
    asked: Asked,
) -> Result<(), SubsystemError> {
    let (models, layouts) = (&mut models[group.clone()], &topology.subsystems[group.clone()]);
    let Subsystems { all, slots, executor, costs, run_ahead, .. } = subsystems;
    let (all, slots) = (&mut all[group.clone()], &mut slots[group.clone()]);
    if *run_ahead {
        let before = costs.enter(Account::MESSAGES);
        for (((model, layout), subsystem), slot) in models.iter().zip(layouts).zip(&mut *all).zip(&*slots) {
            if !model.is_affine && !slot.stands && !asked.has_come(slot) {
                subsystem.prefetch(asked.call(exchange.loads_on(layout, &rows.loads)));
            }
        }
        costs.enter(before);
    }
    let ends =
        models.first().map_or(0, |first| first.rows.start)..models.last().map_or(0, |last| last.rows.end);
    let loads = &rows.loads;
    let calls = SubsystemCalls {
        subsystems: all,
        layouts,
        models,
        slots,
        first_row: ends.start,
        first: group.start,
        rows: (&mut rows.end_positions[ends.clone()], &mut rows.end_velocities[ends]),
    };
    let has_failed = executor.call(calls, Phase::Evaluate, costs, |call, meter| {
        if asked.has_come(call.slot) {
            return Ok(());
        }
        (call.slot.difference, call.slot.has_changed) = (RowDifference::default(), false);
        call.slot.differences.fill(0.0);
        if call.model.is_affine || call.slot.stands {
            return Ok(());
        }
        let loads = exchange.loads_on(call.layout, loads);
        meter.asks();
        let response = match asked {
            Asked::InverseMass => call.subsystem.evaluate(loads)?,
            _ => call.subsystem.evaluate_rows(loads)?,
        };
        meter.answers();
        call.slot.touches.clone_from(&response.touches);
        let rows = Motion { positions: call.positions, velocities: call.velocities };
        call.slot.difference = difference(call.model, response, rows, &mut call.slot.differences);
        let answer = Motion { positions: &response.positions, velocities: &response.velocities };
        let is_finite = copy_rows(answer, call.positions, call.velocities);
        call.slot.has_changed = asked.take(call.model, response);
        if call.slot.has_changed {
            call.check_inverse_mass()?;
        }
        if is_finite { Ok(()) } else { Err(call.rows_not_finite()) }
    });
    subsystems.finish_calls(group, has_failed).map_or(Ok(()), Err)
}

/// Moves the affine models of these subsystems to the answers just given, and returns how far they were from them.
pub(crate) fn take_answers(
    topology: &Topology,
    models: &[AffineModel],
    slots: &[CallSlot],
    rows: &mut StepRows,
    group: Range<usize>,
) -> CouplingResidual {
    let mut coupling_residual = CouplingResidual::default();
    let layouts = &topology.subsystems[group.clone()];
    for ((model, layout), slot) in models[group.clone()].iter().zip(layouts).zip(&slots[group]) {
        if !model.is_affine {
            coupling_residual.note(slot.difference.size, model.rows.start + slot.difference.row);
            coupling_residual.rounding =
                coupling_residual.rounding.max(rounding(model, layout.contacts.clone(), rows));
            move_affine_model(model, rows);
        }
        coupling_residual.speed = coupling_residual.speed.max(speed(model, rows));
    }
    coupling_residual
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
