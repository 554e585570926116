//! One macro step, from above to below.
//!
//! ```text
//!   take_step      opens the books, takes the step, closes the books
//!     step_or_halve    in halves where it fails, as often as allowed
//!       try_step         begin      the subsystems report their free response and inverse mass
//!                        refresh    the interface matrix is assembled and factorised        A x = r + E P
//!                        solve      unknowns and contact impulses, by the scheme chosen
//!       take_trial       split      at impacts, where a model is not affine
//!                        commit     the subsystems take the loads found, the energies are booked
//! ```
//!
//! | where | what |
//! |---|---|
//! | `begin` | free responses, and the interface matrix brought up to date |
//! | `solve` | a part of a step, solved and not yet taken |
//! | `hits` | which contacts are hit in a part of a step, and when |
//! | `split` | steps of models that are not affine, split at impacts |
//! | `commit` | all subsystems take the step |
//! | `moves`, `open_gaps` | moves of the ends that close the gaps of joints; gaps that stay open |
//! | `communication_point` | what is read between steps |
//! | `stops` | steps that stop at impacts, for somebody else to say when they are passed |
//! | `part`, `summary` | a part of a step; what a step did |
//! | `instant` | inverse masses of a velocity jump |
//! | `instant_forces` | forces that balance the motion at an instant |
//! | `not_solved`, `unsolved`, `warnings` | what went wrong, what is left, and what may go wrong |

pub(crate) mod begin;
pub(crate) mod commit;
pub(crate) mod communication_point;
pub(crate) mod hits;
pub(crate) mod instant;
pub(crate) mod instant_forces;
pub(crate) mod moves;
pub(crate) mod not_solved;
mod open_gaps;
pub(crate) mod part;
pub(crate) mod solve;
pub(crate) mod split;
pub(crate) mod stops;
pub(crate) mod summary;
pub(crate) mod unsolved;
pub(crate) mod warnings;

use cosimo_nonsmooth::ImpactResolution;

use crate::contacts::near::choose_verified_contacts;
use crate::contacts::unsolved::RESIDUAL_BOUND;
use crate::energy::created::watch_run;
use crate::energy::limit::{take_up_energy, watch_energy};
use crate::execution::spans;
use crate::loads::contraction::choose_load_tangents;
use crate::setup::verify::{difference_captured, verify_couplings};
use crate::signals::exchange::{read_signals, set_signals};
use crate::simulation::Simulation;
use crate::{Scheme, StepError};
use commit::commit;
use instant_forces::find_initial_forces;
use open_gaps::watch_gaps;
use solve::try_part;
use split::take_split_at_impacts;
use summary::StepSummary;
use unsolved::may_be_taken;
use warnings::{warn_of_passed_contacts, warn_of_plain_impacts};

/// How often a step is halved at most about an event inside a subsystem: enough for a millionth.
const EVENT_HALVINGS: u32 = 20;
/// How often a step is halved at most that does not solve contacts and bodies together.
const CONTACT_HALVINGS: u32 = 6;

/// Takes a macro step of size `h` (s).
pub(crate) fn take_step(sim: &mut Simulation<'_>, h: f64) -> Result<StepSummary, StepError> {
    let _span = spans::step(sim.state.counters.steps, sim.time(), h);
    open_step(sim, h)?;
    let before = sim.state.clock;
    let summary = step_or_halve(sim, h, 0)?;
    if sim.storage.has_stopped {
        let reached = sim.state.clock.now - before.now;
        close_step(sim, summary, before.now, reached)?;
        return Ok(summary);
    }
    if summary.parts > 1 {
        // Parts of a step leave no round-off in the grid of communication points.
        sim.state.clock = before;
        sim.state.clock.advance(h);
    }
    close_step(sim, summary, before.now, h)?;
    sim.storage.whole_step = (summary.parts == 1).then_some(h);
    Ok(summary)
}

/// Opens the books of a macro step, which will have this size (s) or be smaller.
pub(crate) fn open_step(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    let time = sim.time();
    sim.subsystems.costs.begin_step();
    sim.subsystems.check_panicked(sim.topology).map_err(|source| StepError::Subsystem { time, source })?;
    set_signals(sim, h)?;
    sim.state.counters.begin_step();
    sim.storage.macro_size = h;
    sim.storage.whole_step = None;
    sim.storage.began_anew = sim.state.begins_anew;
    sim.storage.contact_changes.clear();
    sim.state.clear_impulses();
    sim.state.contact_residual = 0.0;
    sim.state.monitor.begin_step();
    take_up_energy(sim);
    if sim.state.counters.steps == 0 {
        warn_of_plain_impacts(sim);
        choose_verified_contacts(sim);
        verify_couplings(sim, h)?;
        choose_load_tangents(sim, h)?;
        find_initial_forces(sim, h)?;
    }
    Ok(())
}

/// Closes the books of a macro step, from `time` (s) and of size `h` (s).
pub(crate) fn close_step(
    sim: &mut Simulation<'_>,
    summary: StepSummary,
    time: f64,
    h: f64,
) -> Result<(), StepError> {
    sim.state.monitor.end_step();
    sim.state.begins_anew = false;
    sim.state.counters.interface_solves += u64::from(summary.solves);
    sim.state.counters.end_step(u64::from(summary.iterations));
    sim.state.counters.note_contact_residual(sim.state.contact_residual);
    sim.state.tangent.end_step();
    read_signals(sim)?;
    watch_gaps(sim, h);
    watch_energy(sim, time, h)?;
    watch_run(sim, time, h)?;
    sim.subsystems.costs.end_step();
    Ok(())
}

/// Takes the step, which is itself so often halved; if that fails, what remains of it in two halves.
#[inline]
fn step_or_halve(sim: &mut Simulation<'_>, h: f64, halved: u32) -> Result<StepSummary, StepError> {
    let start = sim.time();
    match attempt(sim, h) {
        Ok(summary) => Ok(summary),
        Err(error) => halve(sim, start, h, halved, error),
    }
}

/// Takes what remains of a step that failed in two halves: as often as allowed, and about events until they are passed.
#[cold]
fn halve(
    sim: &mut Simulation<'_>,
    start: f64,
    h: f64,
    halved: u32,
    error: StepError,
) -> Result<StepSummary, StepError> {
    sim.state.counters.failed_steps += 1;
    let unasked = match () {
        () if !all_can_halve(sim) => 0,
        () if error.is_of_event() => EVENT_HALVINGS,
        () if is_of_contacts(sim, &error) => CONTACT_HALVINGS,
        () => 0,
    };
    let allowed = unasked.max(sim.topology.config.max_halvings);
    // A step split at impacts may have come a part of the way.
    let rest = h - (sim.state.clock.now - start);
    if halved >= allowed || !error.is_of_step_size() {
        let may_differ = is_of_contacts(sim, &error) && sim.topology.joins_captured_impacts();
        if !(may_differ && difference_captured(sim, &error)) {
            return take_unsolved(sim, (h, rest), error);
        }
        let mut summary = step_or_halve(sim, rest, halved)?;
        summary.parts += u32::from(rest < h);
        return Ok(summary);
    }
    let half = 0.5 * rest;
    let mut summary = step_or_halve(sim, half, halved + 1)?;
    if sim.storage.has_stopped {
        return Ok(summary);
    }
    summary.add(step_or_halve(sim, half, halved + 1)?);
    Ok(summary)
}

/// Takes what remains, `rest` of `h` (s), of a step that has failed for good: with what contacts and bodies are left with, where that is
/// allowed and little.
#[cold]
pub(crate) fn take_unsolved(
    sim: &mut Simulation<'_>,
    (h, rest): (f64, f64),
    error: StepError,
) -> Result<StepSummary, StepError> {
    if !(is_of_contacts(sim, &error) && may_be_taken(sim, &error)) {
        return Err(error);
    }
    sim.storage.accepted_residual = RESIDUAL_BOUND;
    let taken = attempt(sim, rest);
    sim.storage.accepted_residual = 0.0;
    let mut summary = taken?;
    summary.parts += u32::from(rest < h);
    Ok(summary)
}

/// Whether contacts and bodies have not been solved together: in a smaller step bodies turn less under their contacts, and contacts inside a
/// subsystem close in other steps than those in which joints pull at them.
fn is_of_contacts(sim: &Simulation<'_>, error: &StepError) -> bool {
    let captures = sim.topology.joins_captured_impacts();
    let is_condensed = sim.topology.config.scheme == Scheme::Condensed;
    match error {
        StepError::NotConverged { .. } => captures || (is_condensed && !sim.topology.contacts.is_empty()),
        StepError::Subsystem { .. } => captures && error.is_of_step_size(),
        _ => false,
    }
}

/// Whether all subsystems can take a step back and then a smaller one.
fn all_can_halve(sim: &Simulation<'_>) -> bool {
    let mut all = sim.subsystems.all.iter().map(|s| s.description().capabilities);
    all.all(|capabilities| capabilities.can_roll_back && capabilities.has_variable_step)
}

fn attempt(sim: &mut Simulation<'_>, h: f64) -> Result<StepSummary, StepError> {
    let trial = try_step(sim, h)?;
    take_trial(sim, h, trial)
}

/// Whether steps are split at impacts: at those of clusters that are not affine.
pub(crate) fn splits_at_impacts(sim: &Simulation<'_>) -> bool {
    let mut clusters = sim.topology.clusters.iter().zip(&sim.storage.linearisation.affine_clusters);
    clusters.any(|(cluster, is_affine)| {
        !is_affine && !cluster.contacts.is_empty() && cluster.impacts == ImpactResolution::SubStep
    })
}

/// Begins and solves a step without taking it: of one that is split at impacts, as if there were none.
pub(crate) fn try_step(sim: &mut Simulation<'_>, h: f64) -> Result<StepSummary, StepError> {
    let split = splits_at_impacts(sim);
    let resolution = if split { ImpactResolution::ClosedOnly } else { ImpactResolution::Plain };
    let mut summary = StepSummary::default();
    try_part(sim, h, resolution, &mut summary)?;
    Ok(summary)
}

/// Takes a step of size `h` (s) that was tried just now; returns `trial` with what came on top.
#[inline]
pub(crate) fn take_trial(
    sim: &mut Simulation<'_>,
    h: f64,
    trial: StepSummary,
) -> Result<StepSummary, StepError> {
    if splits_at_impacts(sim) {
        return take_split_at_impacts(sim, h, trial);
    }
    warn_of_passed_contacts(sim);
    commit(sim, h)?;
    Ok(trial)
}
