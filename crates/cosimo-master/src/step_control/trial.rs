//! Steps that are tried, judged and taken.

use cosimo_nonsmooth::ContactChangeKind;

use super::inputs::{seen_size, warn_of_unseen};
use crate::condensation::Condensation;
use crate::contacts::Contacts;
use crate::contacts::names::TakenChange;
use crate::execution::spans;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::LinearisedModel;
use crate::linearisation::end_rows::set_all_end_rows;
use crate::rows::StepRows;
use crate::simulation::StepContext;
use crate::statistics::counters::Counters;
use crate::statistics::summary::StepSummary;
use crate::step::hits::TriedPart;
use crate::step::solve::solve_part;
use crate::step::{
    close_step, commit_trial, open_step, resolution_of_trial, splits_at_impacts, take_unsolved,
};
use crate::step_size::error::{ErrorControl, Excess, Verdict};
use crate::step_size::impact::Hit;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::warnings::Warnings;
use crate::{StepError, WarningPlace};

/// Takes a step of at most this size (s), as large as the control allows; returns the size taken.
///
/// A refused size leaves no trace: neither in the subsystems nor in the contacts. An iterative scheme keeps its
/// solution, as a first guess.
pub(super) fn step_judged(
    sim: &mut StepContext,
    control: &mut ErrorControl,
    mut size: f64,
) -> Result<f64, StepError> {
    let wanted = size;
    size = seen_size(&sim.subsystems.all, control, sim.clock.now, control.widen(size));
    let is_narrowed = size < wanted;
    let _span = spans::step(sim.counters.steps, sim.clock.now, size);
    open_step(sim, size)?;
    let (before, mut work) = (sim.clock, StepSummary::default());
    let one_part = StepSummary { parts: 1, ..StepSummary::default() };
    let mut is_judged = true;
    let taken = loop {
        sim.progress.macro_size = size;
        let tried = try_judged(sim, control, size, &mut work);
        let error = match tried {
            Ok(Verdict::Retry(smaller)) => {
                refuse(&mut sim.subsystems, &mut sim.contacts, &mut sim.counters);
                size = seen_size(&sim.subsystems.all, control, sim.clock.now, smaller);
                continue;
            }
            Ok(Verdict::Take) => match commit_trial(sim, size, one_part) {
                Ok(summary) => {
                    work.add(summary);
                    break size;
                }
                Err(error) => error,
            },
            Err(error) => error,
        };
        sim.counters.failed_steps += 1;
        if !error.is_of_step_size() {
            return Err(error);
        }
        // A step split at impacts may have come a part of the way, which stands.
        if sim.clock.now > before.now {
            break sim.clock.now - before.now;
        }
        let Some(smaller) = control.after_failure(size) else {
            work.add(take_unsolved(sim, (size, size), error)?);
            is_judged = false;
            break size;
        };
        size = seen_size(&sim.subsystems.all, control, sim.clock.now, smaller);
    };
    let is_whole = taken.to_bits() == size.to_bits();
    if work.parts > 1 && is_whole {
        sim.clock = before;
        sim.clock.advance(size);
    }
    let has_jumped = !is_judged || !is_whole || has_jumped(control, taken, &sim.contacts.changes);
    let end = sim.clock.now;
    let step = TakenStep { start: before.now, size: taken, end };
    accept(control, step, has_jumped, &mut sim.warnings);
    control.note_narrowed(taken, is_narrowed);
    warn_of_unseen(&sim.subsystems.all, control, &mut sim.warnings, step);
    close_step(sim, work, before.now, taken)?;
    Ok(taken)
}

/// Leaves no trace of a trial.
fn refuse(subsystems: &mut Subsystems, contacts: &mut Contacts, counters: &mut Counters) {
    subsystems.discard();
    contacts.recall();
    counters.interfaces.forget_residuals();
    counters.sizes.refused += 1;
}

/// Goes on from a step, and warns of what was taken in spite of its error.
fn accept(control: &mut ErrorControl, step: TakenStep, has_jumped: bool, warnings: &mut Warnings) {
    if let Some(excess) = control.accept(step.size, step.end, has_jumped) {
        warn_of_excess(excess, control.tolerance(), warnings, (step.end, step.size));
    }
}

fn try_judged(
    sim: &mut StepContext,
    control: &mut ErrorControl,
    size: f64,
    work: &mut StepSummary,
) -> Result<Verdict, StepError> {
    sim.contacts.remember();
    let resolution = resolution_of_trial(sim.linearisation.of(&sim.topology));
    let trial = solve_part(sim, size, resolution)?;
    work.add(StepSummary { parts: 0, ..trial });
    let model = sim.linearisation.of(&sim.topology);
    let hit = if splits_at_impacts(model) {
        let (rows, slots) = (&sim.rows, &sim.subsystems.slots);
        let takes_part = &sim.contacts.takes_part;
        let tried = TriedPart { model, rows, slots, takes_part, size, h: size };
        first_impact(tried, &mut sim.contacts.hits)
    } else {
        first_change(&sim.contacts, sim.clock.now)
    };
    let hit = hit.and_then(|hit| with_inverse_mass(hit, model, &mut sim.condensation, &sim.contacts));
    if let Some(hit) = hit.filter(|hit| control.matters(size, hit.jump)) {
        return Ok(control.judge_impact(sim.clock.now, size, &hit));
    }
    if sim.linearisation.is_affine {
        set_all_end_rows(model.models, &mut sim.rows);
    }
    Ok(judge_motion(control, &sim.topology, &sim.rows, size))
}

/// Judges a step without impacts by the rows at its start and end.
fn judge_motion(control: &mut ErrorControl, topology: &Topology, rows: &StepRows, size: f64) -> Verdict {
    let there = |row: usize, motion: (f64, f64)| (!rows.is_absent_row[row]).then_some(motion);
    let all = pairs(&rows.start_velocities, &rows.end_velocities);
    let all = all.enumerate().map(|(row, motion)| there(row, motion));
    let contacts = topology.contact_rows.iter().zip(pairs(&rows.start_rates, &rows.end_rates));
    let contacts = contacts.map(|(row, motion)| there(row.global_row, motion));
    control.judge_motion(size, all.chain(contacts))
}

/// Whether a jump of velocities in a step of this size (s) matters.
fn has_jumped(control: &ErrorControl, size: f64, changes: &[TakenChange]) -> bool {
    changes.iter().any(|TakenChange { change, .. }| {
        is_hit(change.kind) && control.matters(size, change.rate_after - change.rate_before)
    })
}

/// Warns of what was taken in spite of its error, in a step to a time and of a size (s).
fn warn_of_excess(excess: Excess, tolerance: f64, warnings: &mut Warnings, (now, taken): (f64, f64)) {
    let text = match excess {
        Excess::Step => format!(
            "step to {now} s: the error is larger than error_tolerance allows, and the step is the smallest allowed, \
             {taken:e} s; allow more max_refinements"
        ),
        Excess::Impact(error) => format!(
            "step to {now} s: its impact errs by about {error:.1e} m, error_tolerance is {tolerance:.1e}; it was taken in \
             {taken:e} s all the same: what it meets is stiffer than the steps spent on an impact resolve; use a smaller \
             step, more max_refinements, or a larger error_tolerance"
        ),
    };
    warnings.warn(now, WarningPlace::Model, text);
}

/// The first impact in a step just tried that is split at impacts, whose inverse mass is not known yet.
fn first_impact(tried: TriedPart<'_>, hits: &mut Vec<cosimo_nonsmooth::Hit>) -> Option<Hit> {
    let after = tried.next_impact(hits)?;
    let contact = hits.first()?.contact;
    let topology = tried.model.topology;
    let row = topology.contacts[contact].global_row;
    let (start, end) = (tried.rows.start_velocities[row], tried.rows.end_velocities[row]);
    let rate = start + after / tried.size * (end - start);
    let jump = (1.0 + topology.law(contact).restitution) * rate.abs();
    Some(Hit { contact, after, jump, inverse_mass: 0.0 })
}

/// The first impact in a step from a time (s) just tried, as the contact problems have found it, whose inverse mass is not known yet.
fn first_change(contacts: &Contacts, start: f64) -> Option<Hit> {
    let change = contacts.problems.solution().changes.iter().find(|change| is_hit(change.kind))?;
    let jump = (change.rate_after - change.rate_before).abs();
    Some(Hit { contact: change.contact, after: change.time - start, jump, inverse_mass: 0.0 })
}

/// An impact with the effective inverse mass that it meets; nothing where its contact is left out.
fn with_inverse_mass(
    hit: Hit,
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    contacts: &Contacts,
) -> Option<Hit> {
    let topology = model.topology;
    let cluster = topology.subsystems[topology.contacts[hit.contact].subsystem].cluster;
    condensation.refresh_contacts(model, cluster);
    let local = contacts.problems.place(cluster, hit.contact)?;
    let inverse_mass = condensation.contacts(cluster).delassus()[(local, local)];
    Some(Hit { inverse_mass, ..hit })
}

fn is_hit(kind: ContactChangeKind) -> bool {
    matches!(kind, ContactChangeKind::Impact | ContactChangeKind::Closing)
}

fn pairs<'a>(start: &'a [f64], end: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    start.iter().copied().zip(end.iter().copied())
}
