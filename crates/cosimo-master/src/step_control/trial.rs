//! Steps that are tried, judged and taken.

use cosimo_nonsmooth::ContactChangeKind;

use super::error::{ErrorControl, Excess, Verdict};
use super::impact::Hit;
use super::inputs::{seen_size, warn_of_unseen};
use crate::contacts::names::TakenChange;
use crate::execution::spans;
use crate::schemes::response::end_rows_with_loads;
use crate::simulation::Simulation;
use crate::step::hits::next_impact;
use crate::step::solve::retreat;
use crate::step::summary::StepSummary;
use crate::step::{close_step, open_step, splits_at_impacts, take_trial, take_unsolved, try_step};
use crate::{StepError, WarningPlace};

/// Takes a step of at most this size (s), as large as the control allows; returns the size taken.
///
/// A refused size leaves no trace: neither in the subsystems nor in the contacts. An iterative scheme keeps its
/// solution, as a first guess.
pub(super) fn step_judged(
    sim: &mut Simulation<'_>,
    control: &mut ErrorControl,
    mut size: f64,
) -> Result<f64, StepError> {
    let wanted = size;
    size = seen_size(sim, control, control.widen(size));
    let is_narrowed = size < wanted;
    let _span = spans::step(sim.state.counters.steps, sim.state.clock.now, size);
    open_step(sim, size)?;
    let (before, mut work) = (sim.state.clock, StepSummary::default());
    let mut is_judged = true;
    let taken = loop {
        sim.storage.macro_size = size;
        let tried = try_judged(sim, control, size, &mut work);
        let error = match tried {
            Ok(Verdict::Retry(smaller)) => {
                retreat(sim);
                sim.state.counters.interfaces.forget_residuals();
                sim.state.counters.sizes.refused += 1;
                size = seen_size(sim, control, smaller);
                continue;
            }
            Ok(Verdict::Take) => {
                match take_trial(sim, size, StepSummary { parts: 1, ..StepSummary::default() }) {
                    Ok(summary) => {
                        work.add(summary);
                        break size;
                    }
                    Err(error) => error,
                }
            }
            Err(error) => error,
        };
        sim.state.counters.failed_steps += 1;
        if !error.is_of_step_size() {
            return Err(error);
        }
        // A step split at impacts may have come a part of the way, which stands.
        if sim.state.clock.now > before.now {
            break sim.state.clock.now - before.now;
        }
        let Some(smaller) = control.after_failure(size) else {
            work.add(take_unsolved(sim, (size, size), error)?);
            is_judged = false;
            break size;
        };
        size = seen_size(sim, control, smaller);
    };
    if work.parts > 1 && taken.to_bits() == size.to_bits() {
        sim.state.clock = before;
        sim.state.clock.advance(size);
    }
    accept(sim, control, (taken, size), is_judged);
    control.note_narrowed(taken, is_narrowed);
    warn_of_unseen(sim, control, before.now, taken);
    close_step(sim, work, before.now, taken)?;
    Ok(taken)
}

fn try_judged(
    sim: &mut Simulation<'_>,
    control: &mut ErrorControl,
    size: f64,
    work: &mut StepSummary,
) -> Result<Verdict, StepError> {
    sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    let trial = try_step(sim, size)?;
    work.add(StepSummary { parts: 0, ..trial });
    let hit = first_hit(sim, size);
    if let Some(hit) = hit.filter(|hit| control.matters(size, hit.jump)) {
        return Ok(control.judge_impact(sim.state.clock.now, size, &hit));
    }
    if sim.storage.linearisation.is_affine {
        end_rows_with_loads(sim);
    }
    let (rows, contact_rows) = (&sim.storage.rows, &sim.topology.contact_rows);
    let there = |row: usize, motion: (f64, f64)| (!rows.is_absent_row[row]).then_some(motion);
    let all = pairs(&rows.start_velocities, &rows.end_velocities);
    let all = all.enumerate().map(|(row, motion)| there(row, motion));
    let contacts = contact_rows.iter().zip(pairs(&rows.start_rates, &rows.end_rates));
    let contacts = contacts.map(|(row, motion)| there(row.global_row, motion));
    Ok(control.judge_motion(size, all.chain(contacts)))
}

/// Accepts what was taken (s) of the step of this size (s) that the control wanted, and of whose motion it knows if it was judged.
fn accept(sim: &mut Simulation<'_>, control: &mut ErrorControl, (taken, size): (f64, f64), is_judged: bool) {
    let is_jump = |TakenChange { change, .. }: &TakenChange| {
        is_hit(change.kind) && control.matters(taken, change.rate_after - change.rate_before)
    };
    let has_jumped =
        !is_judged || taken.to_bits() != size.to_bits() || sim.storage.contact_changes.iter().any(is_jump);
    let Some(excess) = control.accept(taken, sim.state.clock.now, has_jumped) else { return };
    let now = sim.state.clock.now;
    let text = match excess {
        Excess::Step => format!(
            "step to {now} s: the error is larger than error_tolerance allows, and the step is the smallest allowed, \
             {taken:e} s; allow more max_refinements"
        ),
        Excess::Impact(error) => format!(
            "step to {now} s: its impact errs by about {error:.1e} m, error_tolerance is {:.1e}; it was taken in \
             {taken:e} s all the same: what it meets is stiffer than the steps spent on an impact resolve; use a smaller \
             step, more max_refinements, or a larger error_tolerance",
            control.tolerance()
        ),
    };
    sim.warn(WarningPlace::Model, text);
}

/// The first impact in the step just tried.
fn first_hit(sim: &mut Simulation<'_>, size: f64) -> Option<Hit> {
    let (contact, after, jump) = if splits_at_impacts(sim) {
        let after = next_impact(sim, size, size)?;
        let contact = sim.storage.hits.first()?.contact;
        let row = sim.topology.contacts[contact].global_row;
        let (start, end) = (sim.storage.rows.start_velocities[row], sim.storage.rows.end_velocities[row]);
        let rate = start + after / size * (end - start);
        (contact, after, (1.0 + sim.topology.law(contact).restitution) * rate.abs())
    } else {
        let changes = &sim.storage.contact_problems.solution().changes;
        let change = changes.iter().find(|change| is_hit(change.kind))?;
        let jump = (change.rate_after - change.rate_before).abs();
        (change.contact, change.time - sim.state.clock.now, jump)
    };
    let cluster = sim.topology.subsystems[sim.topology.contacts[contact].subsystem].cluster;
    let linearisation = &sim.storage.linearisation;
    let is_affine = linearisation.affine_clusters[cluster];
    sim.storage.condensation.refresh_contacts(linearisation.of(sim.topology), cluster, is_affine);
    let local = sim.storage.contact_problems.place(cluster, contact)?;
    let inverse_mass = sim.storage.condensation.contacts(cluster).delassus()[(local, local)];
    Some(Hit { contact, after, jump, inverse_mass })
}

fn is_hit(kind: ContactChangeKind) -> bool {
    matches!(kind, ContactChangeKind::Impact | ContactChangeKind::Closing)
}

fn pairs<'a>(start: &'a [f64], end: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    start.iter().copied().zip(end.iter().copied())
}
