//! What a pass does with the loads: prediction, loads applied, answer.

use std::ops::Range;

use cosimo_subsystem::{LoadWeights, MacroStep, SubsystemError};

use super::evaluated::{evaluate_loads, is_evaluated};
use super::exchange::{LoadExchange, LoadedBody, SourceTangents};
use crate::StepError;
use crate::execution::subsystems::Subsystems;
use crate::schemes::mismatch::Mismatch;
use crate::simulation::Simulation;
use crate::step::part::StepPart;
use crate::storage::Storage;
use crate::storage::linearisation::AffineModel;
use crate::storage::rows::StepRows;
use crate::topology::Topology;

/// Begins the step in the load sources and finds the loads at its start, and a prediction of those at its end. The loads at
/// the start go to the bodies when these begin the step.
pub(crate) fn begin_loads(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    if sim.topology.load_sources.is_empty() {
        return Ok(());
    }
    predict(sim, part).map_err(|source| StepError::Subsystem { time: part.time, source })
}

fn predict(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), SubsystemError> {
    let Storage { loads: exchange, rows, .. } = &mut *sim.storage;
    let (topology, history) = (sim.topology, &sim.state.loads);
    LoadExchange::begin(topology, sim.subsystems, MacroStep { time: part.time, size: part.size })?;
    exchange.read_start(topology, (rows, sim.subsystems), part.size);
    history.extrapolate(part.size, &mut exchange.end);
    // Sources whose tangents enter are asked at the predicted motion; all of them, where the loads are not known.
    let is_asked = |source: usize| !history.is_known || history.enters(source);
    exchange.ask(topology, sim.subsystems, history, (is_asked, true))?;
    if history.is_known {
        exchange.start.copy_from_slice(&history.present);
    }
    rows.expected.loads.iter_mut().for_each(|loads| loads.fill(0.0));
    for joint in &topology.load_joints {
        for (row, coordinate) in joint.rows().zip(joint.coordinates()) {
            rows.start_loads[row] += exchange.start[coordinate];
            rows.expected.loads[0][row] += exchange.start[coordinate];
            rows.expected.loads[1][row] += exchange.end[coordinate];
        }
    }
    Ok(())
}

/// Puts the predicted loads into the affine models of the bodies, which have just begun a step of this size (s).
pub(crate) fn enter_loads(sim: &mut Simulation<'_>, size: f64) -> Result<(), SubsystemError> {
    if sim.topology.load_sources.is_empty() {
        return Ok(());
    }
    for index in 0..sim.storage.loads.bodies.len() {
        take_tangents(sim, index);
        let Storage { loads, rows, linearisation, .. } = &mut *sim.storage;
        let body = &mut loads.bodies[index];
        let model = &linearisation.models[body.subsystem];
        set_impulses(body, (&loads.start, &loads.end), model.weights);
        let is_under_loads = sim.subsystems.slots[body.subsystem].is_under_loads;
        if is_evaluated(body, model) {
            body.change.fill(0.0);
            if is_under_loads {
                body.evaluated_at.fill(0.0);
            } else {
                evaluate_loads((sim.topology, sim.subsystems), model, body, rows)?;
            }
            continue;
        }
        if is_under_loads {
            take_back_loads(body, model, rows);
        }
        body.expansion.copy_from_slice(&rows.start_velocities[model.rows.clone()]);
        correct_prediction(body, model, rows, size);
        for (k, change) in body.change.iter_mut().enumerate() {
            let moved = |l: usize| rows.free_velocities[model.rows.start + l] - body.expansion[l];
            *change = body.impulses[k] + model.of_velocities(k, moved);
        }
        move_free_rows(model, body, rows, Base::Free);
    }
    Ok(())
}

/// Sets the free rows of a body that has begun under its loads to those without.
fn take_back_loads(body: &mut LoadedBody, model: &AffineModel, rows: &mut StepRows) {
    body.change.iter_mut().zip(&body.impulses).for_each(|(change, load)| *change = -load);
    move_free_rows(model, body, rows, Base::Free);
}

/// The loads of the present pass on the bodies `group`, whose end rows stand by their affine models: `X_L = X̄ + B (ż₁ − v̄)`.
pub(crate) fn apply_loads(sim: &mut Simulation<'_>, group: &Range<usize>) {
    let Storage { loads: LoadExchange { bodies, applied, total, .. }, rows, linearisation, .. } =
        &mut *sim.storage;
    for body in bodies.iter().filter(|body| group.contains(&body.subsystem)) {
        let model = &linearisation.models[body.subsystem];
        for (k, g) in model.rows.clone().enumerate() {
            let moved = |l: usize| rows.end_velocities[model.rows.start + l] - body.expansion[l];
            applied[g] = body.impulses[k] + model.of_velocities(k, moved);
            total[g] = rows.loads[g] + applied[g];
        }
    }
}

/// Adds the loads of the last pass to those of joints and contacts as they stand now; on bodies that were evaluated, the loads of
/// the last evaluation.
pub(crate) fn sum_loads(sim: &mut Simulation<'_>) {
    let Storage { loads: LoadExchange { bodies, applied, total, .. }, rows, linearisation, .. } =
        &mut *sim.storage;
    for body in bodies {
        let model = &linearisation.models[body.subsystem];
        if is_evaluated(body, model) {
            applied[model.rows.clone()].copy_from_slice(&body.impulses);
        }
        for g in model.rows.clone() {
            total[g] = rows.loads[g] + applied[g];
        }
    }
}

/// Asks for the loads at the end rows just found on the bodies `group`, moves the affine models of these bodies there, and
/// says how far the loads used were from them, as velocities. `renews` takes new tangents.
pub(crate) fn answer_loads(
    sim: &mut Simulation<'_>,
    group: Range<usize>,
    renews: bool,
) -> Result<Mismatch, StepError> {
    let mut mismatch = Mismatch::default();
    if sim.topology.load_sources.is_empty() {
        return Ok(mismatch);
    }
    let topology = sim.topology;
    let acts = |source: usize| {
        let mut joints = topology.load_sources[source].joints.iter();
        joints.any(|&joint| group.contains(&topology.load_joints[joint].body))
    };
    let exchange = &mut sim.storage.loads;
    (0..topology.load_sources.len())
        .filter(|s| acts(*s))
        .for_each(|source| exchange.read_end(topology, &sim.storage.rows, source));
    let asked = exchange.ask(topology, sim.subsystems, &sim.state.loads, (acts, renews));
    let time = sim.state.clock.now;
    asked.map_err(|source| StepError::Subsystem { time, source })?;
    for index in 0..sim.storage.loads.bodies.len() {
        if group.contains(&sim.storage.loads.bodies[index].subsystem) {
            if renews {
                take_tangents(sim, index);
            }
            let moved = move_to_answer((topology, sim.subsystems), sim.storage, index);
            mismatch = mismatch.and(moved.map_err(|source| StepError::Subsystem { time, source })?);
        }
    }
    Ok(mismatch)
}

/// Moves the affine model of a body to its end rows and to the loads there.
fn move_to_answer(
    (topology, subsystems): (&Topology, &mut Subsystems),
    storage: &mut Storage,
    index: usize,
) -> Result<Mismatch, SubsystemError> {
    let Storage { loads: LoadExchange { bodies, start, end, applied, .. }, rows, linearisation, .. } =
        storage;
    let body = &mut bodies[index];
    let model = &linearisation.models[body.subsystem];
    set_impulses(body, (start, end), model.weights);
    if is_evaluated(body, model) {
        body.change.copy_from_slice(&rows.loads[model.rows.clone()]);
        return evaluate_loads((topology, subsystems), model, body, rows);
    }
    body.expansion.copy_from_slice(&rows.end_velocities[model.rows.clone()]);
    let mut mismatch = Mismatch::default();
    for (k, g) in model.rows.clone().enumerate() {
        body.change[k] = body.impulses[k] - applied[g];
    }
    model.answer_all(&body.change, &mut body.answer);
    for (k, g) in model.rows.clone().enumerate() {
        mismatch.note(body.answer[k].abs(), g);
        body.change[k] -= rows.loads[g];
    }
    move_free_rows(model, body, rows, Base::End);
    Ok(mismatch)
}

/// Rows that a change of impulses starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    Free,
    End,
}

/// Sets the free rows of a body to those of `base` with the answer to `body.change`: `ż_f' = ż + W' x`, `z_f' = z + χ W' x`.
fn move_free_rows(model: &AffineModel, body: &mut LoadedBody, rows: &mut StepRows, base: Base) {
    model.answer_all(&body.change, &mut body.answer);
    for (g, change) in model.rows.clone().zip(&body.answer) {
        let (z, rate) = match base {
            Base::Free => (rows.free_positions[g], rows.free_velocities[g]),
            Base::End => (rows.end_positions[g], rows.end_velocities[g]),
        };
        rows.free_positions[g] = z + model.weights.position * change;
        rows.free_velocities[g] = rate + change;
    }
}

/// `X̄ = end λ₁ + start λ₀` on the rows of a body.
fn set_impulses(body: &mut LoadedBody, (start, end): (&[f64], &[f64]), weights: LoadWeights) {
    body.impulses.fill(0.0);
    for row in &body.rows {
        body.impulses[row.row] += weights.end * end[row.coordinate] + weights.start * start[row.coordinate];
    }
}

/// Takes over the tangents of the loads on a body as they were last given; notes it where its answer changes.
fn take_tangents(sim: &mut Simulation<'_>, index: usize) {
    let Storage { loads, linearisation, condensation, .. } = &mut *sim.storage;
    let body = &loads.bodies[index];
    let model = &mut linearisation.models[body.subsystem];
    let Some(tangent) = &mut model.loads else { return };
    tangent.begin();
    for rows in body.rows_by_source.iter().filter(|rows| sim.state.loads.enters(rows[0].source)) {
        let source = rows[0].source;
        let first = sim.topology.load_sources[source].coordinates.start;
        for (row, column) in rows.iter().flat_map(|row| rows.iter().map(move |column| (row, column))) {
            let at = (row.coordinate - first, column.coordinate - first);
            tangent.add(row.row, column.row, entries(&loads.tangents[source], at));
        }
    }
    if tangent.finish() {
        model.condense_loads();
        condensation.note(sim.topology.subsystems[body.subsystem].cluster, true);
    }
}

fn entries(tangents: &SourceTangents, at: (usize, usize)) -> [f64; 2] {
    [&tangents.position, &tangents.velocity]
        .map(|matrix| if matrix.is_empty() { 0.0 } else { matrix.entry(at.0, at.1) })
}
/// The loads were asked for where constant velocities lead to. The body's rule leads elsewhere with the same end velocities:
/// `X̄ ← X̄ + end ∂λ₁/∂z₁ (z_f + χ (v̄ − ż_f) − z̄)`.
fn correct_prediction(body: &mut LoadedBody, model: &AffineModel, rows: &StepRows, size: f64) {
    let Some(tangent) = &model.loads else { return };
    let first = model.rows.start;
    let ahead = |l: usize| {
        let g = first + l;
        let rate = body.expansion[l];
        let led = rows.free_positions[g] + model.weights.position * (rate - rows.free_velocities[g]);
        led - (rows.start_positions[g] + size * rate)
    };
    for (k, impulse) in body.impulses.iter_mut().enumerate() {
        *impulse += model.weights.end * tangent.of_move(k, (0..model.rows.len()).map(ahead));
    }
}

/// Puts the motions of the load ports, as they were last answered, where the commit reads them.
pub(crate) fn hand_over_motions(sim: &mut Simulation<'_>) {
    for (source, motion) in sim.topology.load_sources.iter().zip(&sim.storage.loads.motions) {
        sim.subsystems.slots[source.subsystem].loads.motion.copy_from(motion);
    }
}
