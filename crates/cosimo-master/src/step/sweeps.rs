//! The iterative schemes: sweeps until the subsystems agree.
//!
//! A contact is activated by the gap it would close without contact impulses, as in the condensed scheme. That gap is
//! known once the sweeps agree without them: a step is iterated **free** first and, if a contact needs it, once more
//! with the **contact** impulses of the candidates found.

use cosimo_nonsmooth::ImpactResolution;

use crate::StepError;
use crate::contacts::names::ContactNames;
use crate::contacts::rows::ContactStep;
use crate::linearisation::LinearisedModel;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::loads::pass::LoadPass;
use crate::rows::StepRows;
use crate::schemes::agreement::{diverged, not_agreed, settle};
use crate::schemes::bushings::{begin_bushings, reevaluate_bushings};
use crate::schemes::cluster_stage::{ClusterStage, Iterate};
use crate::schemes::iteration::Iteration;
use crate::schemes::local_matrix::JointEquations;
use crate::schemes::local_problem::Surroundings;
use crate::schemes::notes::{note_last_changes, note_mismatches};
use crate::schemes::response::{Asked, count_evaluated, evaluate, take_answers};
use crate::schemes::stage::Stage;
use crate::simulation::StepContext;
use crate::statistics::interfaces::InterfaceStatistics;
use crate::time::part::StepPart;

/// Iterates to the tolerance; the scheme counts the sweeps.
pub(super) fn solve_iteratively(
    sim: &mut StepContext,
    scheme: &mut Iteration,
    part: StepPart,
    resolution: ImpactResolution,
) -> Result<(), StepError> {
    sim.rows.clear_impact_unknowns();
    sim.subsystems.clear_moments();
    sim.contacts.remember();
    let model = sim.linearisation.of(&sim.topology);
    scheme.sweep.refresh(JointEquations { model, condensation: &sim.condensation });
    scheme.base.fill(0.0);
    begin_bushings(&sim.topology, &mut sim.linearisation, &sim.rows);
    iterate(sim, scheme, false, part)?;
    scheme.base.copy_from_slice(&sim.rows.unknowns);
    if sim.topology.contacts.is_empty() {
        return Ok(());
    }
    sim.rows.take_contact_ends(&sim.topology);
    let model = sim.linearisation.of(&sim.topology);
    let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
    let step = ContactStep { model, rows: &sim.rows, names, part };
    scheme.choose_candidates(&mut sim.contacts.state, step, &mut sim.condensation, resolution);
    sim.contacts.remember();
    scheme.see_rates_before(model, &mut sim.condensation, &mut sim.rows);
    if !scheme.matters.contains(&true) {
        let rates = [&sim.rows.start_rates[..], &sim.rows.end_rates];
        sim.contacts.problems.skip(rates, &mut sim.contacts.state.memory);
        scheme.contact.end(part.size, scheme.base.iter().map(|_| 0.0));
        return Ok(());
    }
    let has_impacts = scheme.rigid.contains(&true);
    if has_impacts {
        let joints = JointEquations { model, condensation: &sim.condensation };
        scheme.sweep.pass_impacts(joints, &scheme.rigid);
    }
    iterate(sim, scheme, true, part)?;
    if has_impacts {
        scheme.note_impact_unknowns(&sim.topology, &mut sim.rows);
    }
    let parts = scheme.sweep.local.iter().filter(|local| !local.contacts.is_empty());
    let parts = parts.map(|l| (l.contacts.as_slice(), l.rows.as_slice(), l.problem.solution()));
    sim.contacts.problems.collect(parts);
    Ok(())
}

/// One stage: sweeps until they agree.
fn iterate(
    sim: &mut StepContext,
    scheme: &mut Iteration,
    with_contacts: bool,
    part: StepPart,
) -> Result<(), StepError> {
    let joints =
        JointEquations { model: sim.linearisation.of(&sim.topology), condensation: &sim.condensation };
    scheme.guess(joints, &mut sim.rows, &sim.joints.end, with_contacts, part.size);
    if with_contacts {
        scheme.keep_free_clusters();
    }
    sim.counters.interfaces.begin_solve();
    let (tolerance, unknowns) = (sim.topology.config.tolerance, scheme.base.len());
    let (mut untrue, mut before, mut count) = (None, CouplingResidual::default(), 0);
    while count < sim.topology.config.max_iterations {
        (count, scheme.sweeps) = (count + 1, scheme.sweeps + 1);
        let swept = sweep_once(sim, scheme, with_contacts, part);
        let model = sim.linearisation.of(&sim.topology);
        let Iteration { sweep, free, contact, .. } = &mut *scheme;
        let stage = if with_contacts { contact } else { free };
        let joints = JointEquations { model, condensation: &sim.condensation };
        let found = swept.map_err(|error| diverged(joints, sweep, stage, part).unwrap_or(error))?;
        sim.rows.unknowns.copy_from_slice(&scheme.answer[..unknowns]);
        let (topology, condensation) = (&sim.topology, &sim.condensation);
        let of_bushings = reevaluate_bushings(topology, &mut sim.linearisation, condensation, &sim.rows);
        let found = found.and(of_bushings);
        scheme.take_idle_part(&sim.topology, &mut sim.condensation);
        let Iteration { sweep, free, contact, iterate, answer, base, .. } = &mut *scheme;
        let stage = if with_contacts { contact } else { free };
        if with_contacts {
            stage.note_contacts(sweep.impulses());
        }
        if stage.take(iterate, answer, base) {
            break;
        }
        let (coupling_residual, row) = found.relative();
        let is_floor = count > 2 && found.is_floor(before);
        before = found;
        untrue = (coupling_residual > tolerance && !is_floor).then_some((row, coupling_residual));
        let (interfaces, slots) = (&mut sim.counters.interfaces, &sim.subsystems.slots);
        if !sim.linearisation.is_affine {
            note_mismatches(interfaces, &sim.topology, slots, count, found);
        }
        let model = sim.linearisation.of(&sim.topology);
        let found = Iterate { x: iterate, answer };
        if untrue.is_none() && settle(model, &sim.rows, stage, sweep, found) {
            stage.clusters.iter_mut().for_each(ClusterStage::accept);
            note_last_changes(interfaces, &sim.topology, count, &stage.clusters);
            sim.counters.note_contraction(count, stage.contraction());
            take_solution(stage, &mut sim.rows, &answer[..unknowns], base, part.size);
            return Ok(());
        }
        advance(model, stage, iterate, interfaces, count);
    }
    let stage = if with_contacts { &scheme.contact } else { &scheme.free };
    sim.counters.note_contraction(count, stage.contraction());
    let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
    Err(not_agreed(names, stage, untrue, count, part))
}

/// Takes the answer that a stage has settled at; what it adds to the base acts over a time (s).
#[inline]
fn take_solution(stage: &mut Stage, rows: &mut StepRows, answer: &[f64], base: &[f64], h: f64) {
    rows.unknowns.copy_from_slice(answer);
    stage.end(h, rows.unknowns.iter().zip(base).map(|(x, base)| x - base));
}

/// Moves the iterate of the clusters that have not settled, and notes those whose residual is above the tolerance.
#[inline]
fn advance(
    model: LinearisedModel<'_>,
    stage: &mut Stage,
    iterate: &mut [f64],
    interfaces: &mut InterfaceStatistics,
    count: u32,
) {
    for cluster in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
        cluster.advance(iterate, model.affine_clusters[cluster.cluster]);
        if !(cluster.corrections.residual <= model.topology.config.tolerance) {
            interfaces.note_unsettled(cluster.cluster, count);
        }
    }
}

/// The subsystems' answer to an iterate. Loads and end rows are left in the master's rows.
fn sweep_once(
    sim: &mut StepContext,
    scheme: &mut Iteration,
    with_contacts: bool,
    part: StepPart,
) -> Result<CouplingResidual, StepError> {
    let Iteration { sweep, iterate, base, answer, candidates, .. } = scheme;
    let failed = |source| StepError::Subsystem { time: sim.clock.now, source };
    let mut coupling_residual = CouplingResidual::default();
    sweep.read_motions(iterate);
    let mut begin = 0;
    while begin < sweep.order.len() {
        let end = (begin + sweep.group).min(sweep.order.len());
        let model = sim.linearisation.of(&sim.topology);
        let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
        for position in begin..end {
            let i = sweep.order[position];
            let candidates = with_contacts.then_some(candidates.as_slice());
            let given = Surroundings { forces: iterate, base, motions: &sweep.motions, candidates, part };
            let joints = JointEquations { model, condensation: &sim.condensation };
            sweep.local[i].solve(joints, &mut sim.rows, (&mut sim.contacts, names), &given, answer)?;
        }
        if !sim.linearisation.is_affine {
            let first = sweep.order[begin];
            let group = if sweep.iterates_motions() { 0..sweep.order.len() } else { first..first + 1 };
            let models = &mut sim.linearisation.models;
            sim.loads.exchange.apply(models, &sim.rows, &group);
            let (topology, rows, exchange) = (&sim.topology, &mut sim.rows, &sim.loads.exchange);
            let (subsystems, asked) = (&mut sim.subsystems, Asked::RowsAlone);
            let evaluated = evaluate(topology, subsystems, models, exchange, rows, group.clone(), asked);
            let slots = &sim.subsystems.slots;
            let count = || count_evaluated(&models[group.clone()], &slots[group.clone()]);
            sim.schemes.tangent.count_evaluations(count);
            evaluated.map_err(failed)?;
            let found = take_answers(topology, models, slots, rows, group.clone());
            coupling_residual = coupling_residual.and(found);
            let pass = LoadPass { group, renews: false };
            let (subsystems, condensation) = (&mut sim.subsystems, &mut sim.condensation);
            let linearisation = &mut sim.linearisation;
            let answered = sim.loads.answer(topology, subsystems, linearisation, condensation, rows, pass);
            coupling_residual = coupling_residual.and(answered.map_err(failed)?);
        }
        let model = sim.linearisation.of(&sim.topology);
        let joints = JointEquations { model, condensation: &sim.condensation };
        for position in begin..end {
            sweep.give_motions(joints, &sim.rows, sweep.order[position]);
        }
        begin = end;
    }
    sweep.write_motions(answer);
    Ok(coupling_residual)
}
