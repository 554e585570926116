//! Steps of models that are not affine, split at their impacts.
//!
//! An affine model takes all impacts of a step from one solve. Where forces and directions change with the motion, a
//! jump changes the rest of the step in a way that no superposition gives: there the step is taken up to the impact,
//! the velocities jump at that communication point with the inverse masses of the configuration reached, and the rest
//! of the step goes on from there.
//!
//! Contacts that are hit settle, which means without rebound, once their rebounds accumulate within a step or are shorter than a
//! tenth of one.
//!
//! After [`MAX_INSTANTS`] impacts in a step, and where more instants than that are ahead in it, as in a pile or in hail, not every one is
//! worth its own:
//!
//! - All contacts that are hit hard in what remains of the step are hit **together**, now, by their law, and stay open: of order one.
//!   Those that are then hit by others follow in a next round, and after [`MAX_ROUNDS`] all arrive.
//! - A contact **arrives** that closes softly, or that rebounds more than once in a step with few instants ahead: it takes part in the
//!   problem of what remains of the step by the law of the end gap,
//!
//!   ```text
//!     0 ≤ P ⟂ y₁ ≥ 0,  U₁ ≤ 0
//!   ```
//!
//!   and what is left of its approach is stopped by an impact without rebound at the end. Neither creates energy, and the gap is closed
//!   there; that costs an error of second order once.

use cosimo_nonsmooth::{ContactChangeKind, Hit, HitKind, ImpactResolution};

use super::commit::commit;
use super::communication_point::read_rows;
use super::hits::{TIE, collect_hits, hits_after, is_soft, next_impact};
use super::instant::{jump, prepare_instant};
use super::instant_forces::find_instant_forces;
use super::part::StepPart;
use super::solve::{retreat, try_part};
use super::summary::StepSummary;
use super::unsolved::note_contact_problems;
use crate::StepError;
use crate::contacts::apply::{add_jump_impulses, report_gains};
use crate::contacts::impact::collide_clusters;
use crate::contacts::meeting::open_joints_met_at_instant;
use crate::contacts::names::{ContactNames, TakenChange};
use crate::contacts::near::take_in_hits;
use crate::energy::books::add_contact_impulses;
use crate::execution::cost::Account;
use crate::simulation::Simulation;

/// Impacts in one step after which they are not taken one by one, and instants ahead, besides the first, from which on they are not.
const MAX_INSTANTS: usize = 4;
/// The same for what rebounds with nothing else ahead: rebounds of one contact that accumulate are short from there on.
const MAX_REBOUNDS: usize = 8;
/// Closings in one step after which all contacts arrive.
const MAX_ROUNDS: usize = 16;
/// Closings in one step, besides two for every contact, after which the plain problem takes the rest of it.
const LAST_CLOSINGS: usize = MAX_ROUNDS;

/// Takes a step of size `h` (s), which was tried just now, in parts that end at impacts; returns `summary` with what
/// came on top.
pub(crate) fn take_split_at_impacts(
    sim: &mut Simulation<'_>,
    h: f64,
    summary: StepSummary,
) -> Result<StepSummary, StepError> {
    let taken = take_parts(sim, h, summary);
    forget_arrivals(sim);
    taken
}

fn take_parts(sim: &mut Simulation<'_>, h: f64, mut summary: StepSummary) -> Result<StepSummary, StepError> {
    let mut rest = h;
    for closings in 0..LAST_CLOSINGS + 2 * sim.topology.contacts.len() {
        let Some(next) = next_closing(sim, closings, rest, h) else {
            commit(sim, rest)?;
            arrive(sim, h)?;
            return Ok(summary);
        };
        let end_gap = first_hit(sim).map_or(0.0, |row| sim.storage.rows.end_positions[row]);
        retreat(sim);
        match next {
            Closing::AtInstant(first) => {
                if first > TIE * h {
                    rest = step_to_impact(sim, (first.min(rest), rest, end_gap), h, &mut summary)?;
                    sim.storage.has_stopped =
                        sim.storage.stops_at_impacts && !sim.storage.hits.iter().all(is_soft);
                    if sim.storage.has_stopped {
                        return Ok(summary);
                    }
                }
                collide(sim, sim.part(h))?;
                if rest == 0.0 {
                    return Ok(summary);
                }
            }
            Closing::Together => collide(sim, sim.part(h))?,
            Closing::Softly => {
                for hit in &sim.storage.hits {
                    sim.state.contact_memory[hit.contact].arrives = true;
                }
            }
        }
        try_part(sim, rest, ImpactResolution::ClosedOnly, &mut summary)?;
    }
    retreat(sim);
    try_part(sim, rest, ImpactResolution::Plain, &mut summary)?;
    commit(sim, rest)?;
    Ok(summary)
}

/// How contacts close next in a step.
#[derive(Debug, Clone, Copy)]
enum Closing {
    /// After this time (s): the step is split there.
    AtInstant(f64),
    /// All that are hit hard in the rest of the step, now.
    Together,
    /// Those that close softly, at the end of the rest of the step.
    Softly,
}

/// How contacts close next in the rest (s) of a step of size `h` (s), which was tried just now, after so many closings in it; collects
/// them.
fn next_closing(sim: &mut Simulation<'_>, closings: usize, rest: f64, h: f64) -> Option<Closing> {
    let first = next_impact(sim, rest, h)?;
    let ahead = hits_after(sim, (rest, h), first);
    let is_crowded = ahead >= MAX_INSTANTS;
    let rebounds_alone = ahead == 0 && !sim.storage.hits.iter().all(is_soft);
    let most = if rebounds_alone { MAX_REBOUNDS } else { MAX_INSTANTS };
    if closings < most && !is_crowded {
        return Some(Closing::AtInstant(first));
    }
    collect_hits(sim, (rest, h), rest);
    let Simulation { storage, topology, .. } = sim;
    let (hits, rates) = (&mut storage.hits, &storage.rows.start_velocities);
    // One that has rebounded in this step already would go on doing so.
    let is_new = |hit: &Hit| storage.contact_changes.iter().all(|taken| taken.change.contact != hit.contact);
    let approaches = |hit: &Hit| rates[topology.contacts[hit.contact].global_row] < 0.0;
    let hits_now = |hit: &Hit| !is_soft(hit) && approaches(hit) && (is_crowded || is_new(hit));
    if closings < MAX_ROUNDS && hits.iter().any(hits_now) {
        hits.retain(hits_now);
        hits.iter_mut().for_each(|hit| *hit = hit.early());
        return Some(Closing::Together);
    }
    Some(Closing::Softly)
}

/// Stops the contacts that have arrived softly in the part just taken, of a step of size `h` (s), and still approach.
fn arrive(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    sim.storage.hits.clear();
    for (contact, memory) in sim.state.contact_memory.iter().enumerate() {
        let rows = &sim.storage.rows;
        let rate = rows.start_velocities[sim.topology.contacts[contact].global_row];
        if memory.arrives && memory.is_closed() && rate < -TIE * rows.speeds[contact] {
            sim.storage.hits.push(Hit { contact, kind: HitKind::Touch });
        }
    }
    if sim.storage.hits.is_empty() { Ok(()) } else { collide(sim, sim.part(h)) }
}

/// Adds what an impact did to contacts; what stops a contact that has arrived belongs to its closing.
fn add_changes(all: &mut Vec<TakenChange>, changes: impl Iterator<Item = TakenChange>) {
    for taken in changes {
        let is_same = |own: &&mut TakenChange| own.is_at_same_contact(&taken);
        let last = all.iter_mut().rfind(is_same).map(|own| &mut own.change);
        match last.filter(|own| own.kind == ContactChangeKind::Closing) {
            Some(closing) if taken.change.kind == ContactChangeKind::Closing => {
                closing.rate_after = taken.change.rate_after;
                closing.impulse += taken.change.impulse;
                closing.work += taken.change.work;
            }
            _ => all.push(taken),
        }
    }
}

/// What arrives does so in the part of a step at hand alone.
fn forget_arrivals(sim: &mut Simulation<'_>) {
    sim.state.contact_memory.iter_mut().for_each(|memory| memory.arrives = false);
}

/// The gap's row of the first of the contacts that are hit.
fn first_hit(sim: &Simulation<'_>) -> Option<usize> {
    sim.storage.hits.first().map(|hit| sim.topology.contacts[hit.contact].global_row)
}

/// Steps to the impact, whose time `first` is improved once by Newton's method on the gap, within the `rest` of the step (s), at whose
/// end the gap is `end_gap` (m); returns what then remains of it: nothing, or more than can be skipped.
fn step_to_impact(
    sim: &mut Simulation<'_>,
    (first, rest, end_gap): (f64, f64, f64),
    h: f64,
    summary: &mut StepSummary,
) -> Result<f64, StepError> {
    try_part(sim, first, ImpactResolution::ClosedOnly, summary)?;
    let Some(row) = first_hit(sim) else { return Ok(rest) };
    let (gap, rate) = (sim.storage.rows.end_positions[row], sim.storage.rows.end_velocities[row]);
    let correction = -gap / rate;
    let is_usable = correction.is_finite() && correction.abs() < 0.5 * first;
    let improved = if is_usable && correction.abs() > TIE * first { first + correction } else { first };
    // The gap is known to close before the end, or, of what is met on the way, at the time found.
    let within = match () {
        () if improved < rest => improved,
        () if end_gap > 0.0 => first,
        () => first + (rest - first) * gap / (gap - end_gap),
    };
    let reached = if within < rest - TIE * h { within } else { rest };
    if reached.to_bits() != first.to_bits() {
        retreat(sim);
        try_part(sim, reached, ImpactResolution::ClosedOnly, summary)?;
    }
    commit(sim, reached)?;
    forget_arrivals(sim);
    Ok(rest - reached)
}

/// The impact law at the present communication point on the contacts that are hit.
pub(crate) fn collide(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    let time = part.time;
    sim.state.loads.interrupt();
    take_in_hits(sim);
    prepare_instant(sim, part.size)?;
    let before = sim.subsystems.costs.enter(Account::CONTACTS);
    collide_clusters(sim, part)?;
    sim.subsystems.costs.enter(before);
    note_contact_problems(sim, time);
    let loads = std::mem::take(&mut sim.storage.rows.loads);
    let jumped = jump(sim, &loads);
    sim.storage.rows.loads = loads;
    sim.state.monitor.drive(jumped?);
    read_rows(sim);
    let checked = sim.subsystems.check_rows(sim.topology, &sim.storage.rows);
    checked.map_err(|source| StepError::NotCommitted { time, source })?;
    open_joints_met_at_instant(sim);
    add_contact_impulses(sim);
    add_jump_impulses(sim);
    let solution = sim.storage.contact_problems.solution();
    sim.state.monitor.book_jump(&sim.subsystems.all, &sim.storage.rows, &solution.sustained);
    let model = sim.storage.linearisation.of(sim.topology);
    sim.state.monitor.close_step(model, &sim.storage.rows, solution);
    sim.state.counters.count_contacts(solution);
    let names = ContactNames { topology: sim.topology, subsystems: &sim.subsystems.all };
    let changes = solution.changes.iter().map(|change| names.taken(change));
    add_changes(&mut sim.storage.contact_changes, changes);
    report_gains(sim);
    find_instant_forces(sim, part.size);
    Ok(())
}
