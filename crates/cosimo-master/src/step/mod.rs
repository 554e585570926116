//! One macro step, from above to below.
//!
//! ```text
//!   macro_step      opens the account, takes the step, closes the account
//!     step_or_halve    in halves where it fails, as often as allowed
//!       try_step         begin      the subsystems report their free response and inverse mass
//!                        update     the interface matrix is assembled and factorised        A x = r + E P
//!                        solve      unknowns and contact impulses, by the scheme chosen
//!       commit_trial       split      at impacts, where a model is not affine
//!                        commit     the subsystems take the loads found
//!                        account    the energies are booked, the next rows are read
//! ```
//!
//! | where | what |
//! |---|---|
//! | `begin` | free responses |
//! | `solve` | a part of a step, solved and not yet taken |
//! | `condensed`, `sweeps` | the condensed scheme, and the iterative ones |
//! | `hits` | which contacts are hit in a part of a step, and when |
//! | `split` | steps of models that are not affine, split at impacts |
//! | `commit`, `account` | all subsystems take the step, and its account is made |
//! | `ahead` | the next step begins behind the commit of this one |
//! | `moves`, `open_gaps` | moves of the ends that close the gaps of joints; gaps that stay open |
//! | `stops` | impacts at which a step has stopped, for somebody else to say when they are passed |
//! | `instant_forces` | forces that balance the motion at an instant |
//! | `unsolved`, `warnings` | what is left, and what may go wrong |

mod account;
mod ahead;
mod begin;
mod commit;
mod condensed;
pub(crate) mod hits;
pub(crate) mod instant_forces;
mod moves;
mod open_gaps;
pub(crate) mod solve;
pub(crate) mod split;
pub(crate) mod stops;
mod sweeps;
mod unsolved;
mod warnings;

use cosimo_nonsmooth::ImpactResolution;
use cosimo_subsystem::{MacroStep, Subsystem};

use crate::contacts::names::ContactNames;
use crate::contacts::unsolved::RESIDUAL_BOUND;
use crate::energy::Energy;
use crate::energy::advice::Advice;
use crate::energy::created::{exchanged, warn_of_swinging};
use crate::execution::spans;
use crate::linearisation::LinearisedModel;
use crate::setup::verify::{difference_captured, verify_couplings, warn_of_captured};
use crate::simulation::StepContext;
use crate::statistics::summary::StepSummary;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::{Scheme, StepError};
use commit::commit;
use instant_forces::find_initial_forces;
use open_gaps::watch_gaps;
use solve::solve_part;
use split::take_parts;
use unsolved::may_be_taken;
use warnings::{warn_of_passed_contacts, warn_of_plain_impacts};

/// How often a step is halved at most about an event inside a subsystem: enough for a millionth.
const EVENT_HALVINGS: u32 = 20;
/// How often a step is halved at most that does not solve contacts and bodies together.
const CONTACT_HALVINGS: u32 = 6;

/// Takes a macro step of size `h` (s).
pub(crate) fn macro_step(sim: &mut StepContext, h: f64) -> Result<StepSummary, StepError> {
    let _span = spans::step(sim.counters.steps, sim.clock.now, h);
    open_step(sim, h)?;
    let before = sim.clock;
    let summary = step_or_halve(sim, h, 0)?;
    if sim.progress.has_stopped {
        let reached = sim.clock.now - before.now;
        close_step(sim, summary, before.now, reached)?;
        return Ok(summary);
    }
    if summary.parts > 1 {
        // Parts of a step leave no round-off in the grid of communication points.
        sim.clock = before;
        sim.clock.advance(h);
    }
    close_step(sim, summary, before.now, h)?;
    sim.progress.whole_step = (summary.parts == 1).then_some(h);
    Ok(summary)
}

/// Opens the account of a macro step, which will have this size (s) or be smaller.
pub(crate) fn open_step(sim: &mut StepContext, h: f64) -> Result<(), StepError> {
    let (time, topology) = (sim.clock.now, &sim.topology);
    let failed = |source| StepError::Subsystem { time, source };
    sim.subsystems.costs.begin_step();
    sim.subsystems.check_panicked(topology).map_err(failed)?;
    if topology.has_signals {
        if sim.signals.are_old(time, h) {
            sim.signals.read(topology, &mut sim.subsystems, sim.contacts.has_jumped(), time)?;
        }
        sim.signals.set(topology, &mut sim.subsystems, time, h)?;
    }
    sim.counters.begin_step();
    sim.progress.begin_step(h);
    sim.contacts.begin_step();
    sim.joints.impulses.fill(0.0);
    sim.energy.monitor.begin_step();
    if sim.energy.is_limited {
        sim.energy.take_up(&sim.subsystems.all);
    }
    if sim.counters.steps == 0 {
        warn_of_plain_impacts(topology, &mut sim.warnings, time);
        sim.contacts.choose_verified(topology, &mut sim.subsystems, &mut sim.condensation, &mut sim.rows);
        verify_couplings(sim, h)?;
        let (topology, step) = (&sim.topology, MacroStep { time, size: h });
        let (subsystems, linearisation) = (&mut sim.subsystems, &mut sim.linearisation);
        let chosen = sim.loads.choose_tangents(topology, subsystems, linearisation, &sim.rows, step);
        chosen.map_err(failed)?;
        find_initial_forces(sim, h)?;
    }
    Ok(())
}

/// Closes the account of a macro step, from `start` (s) and of this size (s).
pub(crate) fn close_step(
    sim: &mut StepContext,
    summary: StepSummary,
    start: f64,
    size: f64,
) -> Result<(), StepError> {
    let taken = TakenStep { start, size, end: sim.clock.now };
    sim.energy.monitor.end_step();
    sim.progress.begins_anew = false;
    sim.counters.end_step(summary, sim.contacts.residual);
    if !sim.linearisation.is_affine {
        sim.schemes.tangent.end_step();
    }
    let (topology, contacts) = (&sim.topology, &sim.contacts.state);
    if topology.has_signals {
        sim.signals.read(topology, &mut sim.subsystems, sim.contacts.has_jumped(), taken.end)?;
    }
    let model = sim.linearisation.of(topology);
    if topology.passes_impulses {
        watch_gaps(model, &sim.rows, &mut sim.warnings, taken);
    }
    if sim.energy.is_limited {
        sim.energy.watch_interfaces(topology, &sim.coupling.modes, &mut sim.warnings, taken)?;
    }
    let Energy { monitor, guard, .. } = &mut sim.energy;
    let most = guard.watch.book(monitor, topology, contacts, &sim.counters.impact_gains);
    let allowed = guard.watch.take_up_energies(monitor, &topology.config, &sim.subsystems.slots);
    let is_admitted = most <= allowed;
    if !is_admitted || contacts.has_impulses {
        let exchanged = if is_admitted { 0.0 } else { exchanged(model, &sim.rows, &sim.subsystems.slots) };
        let mut advice = Advice {
            topology,
            subsystems: &mut sim.subsystems.all,
            modes: &sim.coupling.modes,
            models: &mut sim.linearisation.models,
        };
        if contacts.has_impulses {
            let loaded = guard.watch.loaded;
            warn_of_swinging(loaded, &contacts.memory, &mut advice, &mut sim.warnings, taken);
        }
        if !is_admitted {
            let found = (allowed, exchanged);
            guard.watch.tell_of_created(&mut advice, &mut sim.warnings, found, taken)?;
        }
    }
    sim.subsystems.costs.end_step();
    Ok(())
}

/// Takes the step, which is itself so often halved; if that fails, what remains of it in two halves.
#[inline]
fn step_or_halve(sim: &mut StepContext, h: f64, halved: u32) -> Result<StepSummary, StepError> {
    let start = sim.clock.now;
    let resolution = resolution_of_trial(sim.linearisation.of(&sim.topology));
    match solve_part(sim, h, resolution).and_then(|trial| commit_trial(sim, h, trial)) {
        Ok(summary) => Ok(summary),
        Err(error) => halve(sim, start, h, halved, error),
    }
}

/// Takes what remains of a step that failed in two halves: as often as allowed, and about events until they are passed.
#[cold]
fn halve(
    sim: &mut StepContext,
    start: f64,
    h: f64,
    halved: u32,
    error: StepError,
) -> Result<StepSummary, StepError> {
    sim.counters.failed_steps += 1;
    let unasked = match () {
        () if !all_can_halve(&sim.subsystems.all) => 0,
        () if error.is_of_event() => EVENT_HALVINGS,
        () if is_of_contacts(&sim.topology, &error) => CONTACT_HALVINGS,
        () => 0,
    };
    let allowed = unasked.max(sim.topology.config.max_halvings);
    // A step split at impacts may have come a part of the way.
    let rest = h - (sim.clock.now - start);
    if halved >= allowed || !error.is_of_step_size() {
        let may_differ = is_of_contacts(&sim.topology, &error) && sim.topology.joins_captured_impacts();
        if !may_differ {
            return take_unsolved(sim, (h, rest), error);
        }
        let (topology, linearisation) = (&sim.topology, &mut sim.linearisation);
        let (coupling, history) = (&mut sim.coupling, &sim.loads.history);
        let found =
            difference_captured(topology, &mut sim.subsystems, linearisation, coupling, history, &error);
        if found.is_empty() {
            return take_unsolved(sim, (h, rest), error);
        }
        for i in found {
            warn_of_captured(&mut sim.warnings, sim.clock.now, &topology.subsystems[i].name);
        }
        sim.condensation.note_all();
        let mut summary = step_or_halve(sim, rest, halved)?;
        summary.parts += u32::from(rest < h);
        return Ok(summary);
    }
    let half = 0.5 * rest;
    let mut summary = step_or_halve(sim, half, halved + 1)?;
    if sim.progress.has_stopped {
        return Ok(summary);
    }
    summary.add(step_or_halve(sim, half, halved + 1)?);
    Ok(summary)
}

/// Takes what remains, `rest` of `h` (s), of a step that has failed for good: with what contacts and bodies are left with, where that is
/// allowed and little.
#[cold]
pub(crate) fn take_unsolved(
    sim: &mut StepContext,
    (h, rest): (f64, f64),
    error: StepError,
) -> Result<StepSummary, StepError> {
    if !(is_of_contacts(&sim.topology, &error) && may_be_taken(&sim.topology.config, &error)) {
        return Err(error);
    }
    sim.schemes.accepted_residual = RESIDUAL_BOUND;
    let resolution = resolution_of_trial(sim.linearisation.of(&sim.topology));
    let taken = solve_part(sim, rest, resolution).and_then(|trial| commit_trial(sim, rest, trial));
    sim.schemes.accepted_residual = 0.0;
    let mut summary = taken?;
    summary.parts += u32::from(rest < h);
    Ok(summary)
}

/// Whether contacts and bodies have not been solved together: in a smaller step bodies turn less under their contacts, and contacts inside a
/// subsystem close in other steps than those in which joints pull at them.
fn is_of_contacts(topology: &Topology, error: &StepError) -> bool {
    let captures = topology.joins_captured_impacts();
    let is_condensed = topology.config.scheme == Scheme::Condensed;
    match error {
        StepError::NotConverged { .. } => captures || (is_condensed && !topology.contacts.is_empty()),
        StepError::Subsystem { .. } => captures && error.is_of_step_size(),
        _ => false,
    }
}

/// Whether all subsystems can take a step back and then a smaller one.
fn all_can_halve(subsystems: &[Box<dyn Subsystem>]) -> bool {
    let mut all = subsystems.iter().map(|s| s.description().capabilities);
    all.all(|capabilities| capabilities.can_roll_back && capabilities.has_variable_step)
}

/// Whether steps are split at impacts: at those of clusters that are not affine.
pub(crate) fn splits_at_impacts(
    LinearisedModel { topology, affine_clusters, .. }: LinearisedModel<'_>,
) -> bool {
    let mut clusters = topology.clusters.iter().zip(affine_clusters);
    clusters.any(|(cluster, is_affine)| {
        !is_affine && !cluster.contacts.is_empty() && cluster.impacts == ImpactResolution::SubStep
    })
}

/// How impacts are resolved in a step that is tried: of one that is split at impacts, as if there were none.
pub(crate) fn resolution_of_trial(model: LinearisedModel<'_>) -> ImpactResolution {
    if splits_at_impacts(model) { ImpactResolution::ClosedOnly } else { ImpactResolution::Plain }
}

/// Takes a step of size `h` (s) that was tried just now; returns `trial` with what came on top.
#[inline]
pub(crate) fn commit_trial(
    sim: &mut StepContext,
    h: f64,
    trial: StepSummary,
) -> Result<StepSummary, StepError> {
    if splits_at_impacts(sim.linearisation.of(&sim.topology)) {
        let taken = take_parts(sim, h, trial);
        sim.contacts.forget_arrivals();
        return taken;
    }
    let slots = &sim.subsystems.slots;
    if !sim.topology.contacts.is_empty() && slots.iter().any(|slot| !slot.touches.is_empty()) {
        let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
        warn_of_passed_contacts(names, slots, &sim.rows, &mut sim.warnings, sim.clock.now);
    }
    commit(sim, h)?;
    Ok(trial)
}
