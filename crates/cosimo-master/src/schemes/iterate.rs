//! The iterative schemes: sweeps until the subsystems agree.
//!
//! A contact is activated by the gap it would close without contact impulses, as in the condensed scheme. That gap is
//! known once the sweeps agree without them: a step is iterated **free** first and, if a contact needs it, once more
//! with the **contact** impulses of the candidates found.

use cosimo_nonsmooth::ImpactResolution;

use super::cluster_stage::{ClusterStage, Iterate};
use super::corrections::Corrections;
use super::gauss_seidel::{guess_motions, pass_impacts, refresh_sweep, sweep_once};
use super::iteration::Iteration;
use super::mismatch::{Mismatch, OF_SOLVERS};
use super::notes::{note_last_changes, note_mismatches};
use super::stage::Stage;
use super::sweep::Sweep;
use crate::StepError;
use crate::contacts::rows::{contact_rows, expect_stiffness};
use crate::contacts::solve::clear_moments;
use crate::contacts::unsolved::Unsettled;
use crate::laws::newton::{begin_bushings, reevaluate_bushings};
use crate::simulation::Simulation;
use crate::step::begin::{begin, refresh};
use crate::step::not_solved::{not_converged, row_not_converged};
use crate::step::part::StepPart;
use crate::storage::Storage;
use crate::topology::joint::Side;

/// Velocity change, against the size of velocities and positions at a joint, below which there is only round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Iterates to the tolerance; returns the iterations.
pub(crate) fn solve_iteratively(
    sim: &mut Simulation<'_>,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<u32, StepError> {
    let Some(mut scheme) = sim.storage.iteration.take() else { return Ok(0) };
    clear_moments(sim);
    sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    scheme.sweeps = 0;
    let has_learnt = scheme.has_learnt();
    let mut result = iterate_stages(sim, &mut scheme, part, resolution);
    if has_learnt && result.as_ref().is_err_and(StepError::is_of_step_size) {
        // What was learnt in the steps before may mislead: once more without.
        forget(sim, &mut scheme);
        sim.subsystems.discard();
        result = begin(sim, part).and_then(|()| refresh(sim, part.mode));
        result = result.and_then(|()| iterate_stages(sim, &mut scheme, part, resolution));
    }
    match &result {
        Ok(()) => unload_idle_part(sim, &mut scheme.idle),
        // What follows, a step of half the size perhaps, begins from the last step that was taken.
        Err(_) => forget(sim, &mut scheme),
    }
    let sweeps = scheme.sweeps;
    sim.storage.iteration = Some(scheme);
    result.map(|()| sweeps)
}

/// Goes back to what was known at the last step that was taken, without what accelerators have learnt.
fn forget(sim: &mut Simulation<'_>, scheme: &mut Iteration) {
    sim.state.contact_memory.copy_from_slice(&sim.storage.remembered);
    scheme.free.reset();
    scheme.contact.reset();
}

/// Takes from the forces found what moves nothing in the whole model: sweeps would carry it to and fro without end. What is left
/// are the forces of the condensed scheme.
fn take_idle_part(sim: &mut Simulation<'_>, answer: &mut [f64], idle: &mut [f64]) {
    if !sim.storage.condensation.is_any_relaxed() {
        return;
    }
    idle.copy_from_slice(answer);
    sim.storage.condensation.take_idle_part(sim.topology, idle);
    answer.iter_mut().zip(idle).for_each(|(x, idle)| *x -= *idle);
}

/// Takes the same from the loads that the last sweep has left.
fn unload_idle_part(sim: &mut Simulation<'_>, [idle, no_forces]: &mut [Vec<f64>; 2]) {
    if !sim.storage.condensation.is_any_relaxed() {
        return;
    }
    idle.iter_mut().for_each(|idle| *idle = -*idle);
    sim.storage.condensation.add_joint_loads(
        sim.storage.linearisation.of(sim.topology),
        idle,
        no_forces,
        &mut sim.storage.rows.loads,
    );
}

fn iterate_stages(
    sim: &mut Simulation<'_>,
    scheme: &mut Iteration,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<(), StepError> {
    refresh_sweep(sim, &mut scheme.sweep);
    scheme.base.fill(0.0);
    begin_bushings(sim);
    iterate(sim, scheme, false, part)?;
    scheme.base.copy_from_slice(&sim.storage.rows.unknowns);
    if sim.topology.contacts.is_empty() {
        return Ok(());
    }
    if choose_candidates(sim, scheme, part, resolution) {
        let has_impacts = scheme.rigid.contains(&true);
        if has_impacts {
            pass_impacts(sim, &mut scheme.sweep, &scheme.rigid);
        }
        iterate(sim, scheme, true, part)?;
        if has_impacts {
            note_impact_unknowns(sim, scheme);
        }
        let parts = scheme.sweep.local.iter().filter(|local| !local.contacts.is_empty());
        sim.storage
            .contact_problems
            .collect(parts.map(|l| (l.contacts.as_slice(), l.rows.as_slice(), l.problem.solution())));
    } else {
        sim.storage.contact_problems.skip(
            [&sim.storage.rows.start_rates, &sim.storage.rows.end_rates],
            &mut sim.state.contact_memory,
        );
        scheme.contact.end(part.size, scheme.base.iter().map(|_| 0.0));
    }
    Ok(())
}

/// Notes what impacts have passed through joints that give way to loads.
fn note_impact_unknowns(sim: &mut Simulation<'_>, scheme: &Iteration) {
    let rows = &mut sim.storage.rows;
    for (cluster, _) in sim.topology.clusters.iter().zip(&scheme.rigid).filter(|(_, is_rigid)| **is_rigid) {
        for k in cluster.unknowns.clone() {
            rows.impact_unknowns[k] = rows.unknowns[k] - scheme.base[k];
        }
    }
    sim.storage.has_impact_unknowns = true;
}

/// Decides which contacts may carry impulses in this step; whether the contacts matter at all.
fn choose_candidates(
    sim: &mut Simulation<'_>,
    scheme: &mut Iteration,
    part: StepPart,
    resolution: ImpactResolution,
) -> bool {
    for (k, row) in sim.topology.contact_rows.iter().enumerate() {
        if let Some(contact) = row.gap_of {
            sim.storage.rows.end_gaps[contact] = sim.storage.rows.end_positions[row.global_row];
        }
        sim.storage.rows.end_rates[k] = sim.storage.rows.end_velocities[row.global_row];
    }
    sim.storage.rows.open_absent(sim.topology);
    for (number, cluster) in sim.topology.clusters.iter().enumerate() {
        let model = sim.storage.linearisation.of(sim.topology);
        let rows = contact_rows(model, cluster, &sim.storage.rows, &sim.storage.condensation, (number, part));
        let memory = &sim.state.contact_memory[cluster.contacts.clone()];
        let candidates = resolution.candidates(&rows, memory);
        for (c, candidate) in scheme.candidates[cluster.contacts.clone()].iter_mut().enumerate() {
            *candidate = candidates.has(c);
        }
        scheme.matters[number] = resolution.is_needed(&rows, memory);
        scheme.rigid[number] = scheme.matters[number] && rows.impacts.is_some() && rows.is_any_hit(memory);
        // Stiffness follows from matrices that sweeps need for nothing else.
        let passes = |j: &usize| sim.topology.joints[*j].law.passes_impulses();
        if scheme.matters[number] && !cluster.contacts.is_empty() && !cluster.joints.iter().any(passes) {
            let is_affine = sim.storage.linearisation.affine_clusters[number];
            sim.storage.condensation.refresh_contacts(model, number, is_affine);
            let memory = &mut sim.state.contact_memory[cluster.contacts.clone()];
            expect_stiffness(memory, sim.storage.condensation.contacts(number));
        }
    }
    sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    see_rates_before(sim, scheme);
    scheme.matters.contains(&true)
}

/// The rates at the start as the contacts see them: where impacts pass Tikhonov joints, with those rigid.
fn see_rates_before(sim: &mut Simulation<'_>, scheme: &mut Iteration) {
    let Storage { rows, condensation, linearisation, .. } = &mut *sim.storage;
    rows.rates_before.copy_from_slice(&rows.start_rates);
    for (number, cluster) in sim.topology.clusters.iter().enumerate().filter(|(n, _)| scheme.rigid[*n]) {
        let (model, own) = (linearisation.of(sim.topology), cluster.contact_rows.clone());
        condensation.refresh_contacts(model, number, linearisation.affine_clusters[number]);
        scheme.locked.see_start(model, (condensation, number), rows, &rows.start_rates[own.clone()]);
        rows.rates_before[own].copy_from_slice(&scheme.locked.rates[0]);
    }
}

/// One stage: sweeps until they agree.
fn iterate(
    sim: &mut Simulation<'_>,
    scheme: &mut Iteration,
    with_contacts: bool,
    part: StepPart,
) -> Result<(), StepError> {
    guess(sim, scheme, with_contacts, part);
    if with_contacts {
        scheme.keep_free_clusters();
    }
    sim.state.counters.interfaces.begin_solve();
    let Iteration {
        sweep, sweeps, free, contact, candidates, iterate, answer, base, idle: [idle, _], ..
    } = scheme;
    let stage = if with_contacts { contact } else { free };
    let (unknowns, candidates) = (base.len(), with_contacts.then_some(candidates.as_slice()));
    let (mut untrue, mut before) = (None, Mismatch::default());
    let mut count = 0;
    while count < sim.topology.config.max_iterations {
        (count, *sweeps) = (count + 1, *sweeps + 1);
        let swept = sweep_once(sim, sweep, (iterate, base), answer, candidates, part);
        let found = swept.map_err(|error| diverged(sim, (sweep, stage), part).unwrap_or(error))?;
        sim.storage.rows.unknowns.copy_from_slice(&answer[..unknowns]);
        let found = found.and(reevaluate_bushings(sim));
        take_idle_part(sim, &mut answer[..unknowns], idle);
        let (mismatch, row) = found.relative();
        if with_contacts {
            let parts = sweep.local.iter().flat_map(|local| {
                local.contacts.iter().copied().zip(local.problem.solution().sustained.iter().copied())
            });
            stage.note_contacts(parts);
        }
        if stage.take(iterate, answer, base) {
            break;
        }
        let is_floor = count > 2 && found.is_floor(before);
        before = found;
        untrue = (mismatch > sim.topology.config.tolerance && !is_floor).then_some((row, mismatch));
        note_mismatches(sim, count, found);
        if settle(sim, stage, sweep, Iterate { x: iterate, answer }, untrue.is_none()) {
            stage.clusters.iter_mut().for_each(ClusterStage::accept);
            note_last_changes(sim, count, &stage.clusters);
            note_contraction(sim, count, stage);
            sim.storage.rows.unknowns.copy_from_slice(&answer[..unknowns]);
            stage.end(part.size, sim.storage.rows.unknowns.iter().zip(base.iter()).map(|(x, base)| x - base));
            return Ok(());
        }
        for cluster in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
            cluster.advance(iterate, sim.storage.linearisation.affine_clusters[cluster.cluster]);
            if !(cluster.corrections.residual <= sim.topology.config.tolerance) {
                sim.state.counters.interfaces.note_unsettled(cluster.cluster, count);
            }
        }
    }
    note_contraction(sim, count, stage);
    let worst = stage.worst().map(|cluster| &cluster.corrections);
    let agrees = worst.is_none_or(|corrections| corrections.residual <= sim.topology.config.tolerance);
    Err(match (untrue.filter(|_| agrees), worst) {
        (None, Some(corrections)) => give_up(sim, corrections, part),
        (found, _) => {
            let (row, mismatch) = found.unwrap_or_default();
            let unsettled = Unsettled { iterations: count, worst: row, residual: mismatch };
            row_not_converged(sim, part.size, unsettled)
        }
    })
}

/// Decides which clusters agree, if the report of their subsystems is `true`; says whether all do. Their iterates stay, and
/// with them their answers, as long as subsystems are affine: those of others go on moving.
fn settle(
    sim: &Simulation<'_>,
    stage: &mut Stage,
    sweep: &Sweep,
    iterate: Iterate<'_>,
    is_true: bool,
) -> bool {
    if !is_true {
        return false;
    }
    for own in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
        let is_converged = own.corrections.residual <= sim.topology.config.tolerance;
        let joints = &sim.topology.clusters[own.cluster].joints;
        if is_converged || is_round_off(sim, joints, sweep, iterate) {
            own.settle(is_converged);
        }
    }
    let all = stage.clusters.iter().all(|cluster| cluster.is_settled);
    let goes_on =
        |cluster: &&mut ClusterStage| !all && !sim.storage.linearisation.is_affine && cluster.is_settled;
    stage.clusters.iter_mut().filter(goes_on).for_each(|cluster| cluster.is_settled = false);
    all
}

/// Notes how the cluster that agreed last, or is farthest from it, came there.
fn note_contraction(sim: &mut Simulation<'_>, count: u32, stage: &Stage) {
    if let Some(own) = stage.worst() {
        sim.state.counters.note_contraction(count, own.corrections.contraction());
    }
}

/// First guess of a stage: what contact impulses added in the last steps, on top of the free stage; or the solutions
/// of the last steps; or, in the first step, the forces at its start.
fn guess(sim: &mut Simulation<'_>, scheme: &mut Iteration, with_contacts: bool, part: StepPart) {
    let Iteration { sweep, free, contact, iterate, base, .. } = scheme;
    let unknowns = base.len();
    let stage = if with_contacts { contact } else { free };
    iterate[..unknowns].copy_from_slice(base);
    if stage.history.known == 0 && base.iter().all(|x| *x == 0.0) {
        for (joint, row) in sim.topology.joints.iter().zip(&sim.storage.condensation.rows) {
            for unknown in joint.unknowns() {
                iterate[unknown] = row.load_weight * sim.state.end_forces[unknown];
            }
        }
    }
    stage.begin(part.size, &mut iterate[..unknowns]);
    guess_motions(sim, sweep, iterate);
}

fn give_up(sim: &Simulation<'_>, corrections: &Corrections, part: StepPart) -> StepError {
    not_converged(sim, part.size, unsettled(corrections), corrections.contraction())
}

fn unsettled(corrections: &Corrections) -> Unsettled {
    let Corrections { count, worst, residual, .. } = *corrections;
    Unsettled { iterations: count, worst, residual }
}

/// What is wrong where a subsystem cannot follow the forces of a sweep because sweeps drive them apart.
fn diverged(sim: &Simulation<'_>, (sweep, stage): (&Sweep, &Stage), part: StepPart) -> Option<StepError> {
    let own = stage.worst().map(|own| &own.corrections);
    // Accelerated sweeps that diverge do not grow with every one of them.
    let grows =
        |own: &&Corrections| [own.contraction(), own.growth()].into_iter().find(|factor| *factor > 1.0);
    if let Some((corrections, factor)) = own.and_then(|own| Some((own, grows(&own)?))) {
        return Some(not_converged(sim, part.size, unsettled(corrections), factor));
    }
    // Nothing has agreed yet.
    let (factor, worst) = slowest(sim, sweep);
    let iterations = 1 + stage.worst().map_or(0, |own| own.corrections.count);
    let found = Unsettled { iterations, worst, residual: 1.0 };
    (factor > 1.0).then(|| not_converged(sim, part.size, found, factor))
}

/// The largest factor by which a sweep multiplies the error of a force, from the inverse masses of both sides, and the unknown.
fn slowest(sim: &Simulation<'_>, sweep: &Sweep) -> (f64, usize) {
    let models = &sim.storage.linearisation.models;
    let mut worst = (0.0_f64, 0);
    for force in sweep.local.iter().flat_map(|local| &local.found) {
        let (joint, k) = (&sim.topology.joints[force.joint], force.coordinate);
        let row = &sim.storage.condensation.rows[force.joint];
        let answer = |side: usize| {
            let (own, model) = (&joint.sides[side], &models[joint.sides[side].subsystem]);
            let inverse_mass = &model.inverse_mass;
            let known = inverse_mass.has_row(own.row + k);
            let w = if known { inverse_mass.entry(own.row + k, own.row + k) } else { 0.0 };
            row.answer(model.weights.position, k, k) * w * row.share[side]
        };
        let factor = answer(1 - force.side) / (answer(force.side) + row.relaxation[(k, k)]);
        if factor > worst.0 {
            worst = (factor, force.unknown);
        }
    }
    let of_sweep = if sweep.iterates_motions() { worst.0.sqrt() } else { worst.0 };
    (of_sweep, worst.1)
}

/// Whether the last correction moves no port by more than the round-off of its motion, and what the solvers of subsystems leave
/// in it. Where forces are zero no change is small against them.
fn is_round_off(sim: &Simulation<'_>, joints: &[usize], sweep: &Sweep, iterate: Iterate<'_>) -> bool {
    let (models, rows) = (&sim.storage.linearisation.models, &sim.storage.rows);
    joints.iter().map(|&j| &sim.topology.joints[j]).all(|joint| {
        (0..joint.size).all(|k| {
            let rounding = |own: &Side| {
                let (q, v) =
                    (rows.end_positions[own.global_row + k], rows.end_velocities[own.global_row + k]);
                let model = &models[own.subsystem];
                let of_solver = if model.is_affine { 0.0 } else { OF_SOLVERS * (1.0 + v.abs()) };
                ROUND_OFF * (v.abs() + q.abs() / model.weights.position) + of_solver
            };
            let floor: f64 = joint.sides.iter().map(rounding).sum();
            let change = |entry: usize| (iterate.answer[entry] - iterate.x[entry]).abs();
            let unknown = joint.first + k;
            let motion = rows.unknowns.len() + unknown;
            let is_at_rest = |inverse_mass: f64| change(motion) * inverse_mass <= floor;
            // A force is found from motions that are known to their rounding, by the inverse mass of the side that finds it.
            sweep.motion_inverse_mass(motion).filter(|_| motion < iterate.answer.len()).is_none_or(is_at_rest)
                && change(unknown) * sweep.found_by(unknown) <= floor
        })
    })
}
