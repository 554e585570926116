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
use super::hits::{TIE, TriedPart, is_soft};
use super::instant_forces::{find_forces, needs_instant_forces};
use super::solve::solve_part;
use super::unsolved::note_contact_problems;
use crate::StepError;
use crate::communication_point::jump::{jump, prepare_instant};
use crate::communication_point::read_communication_point;
use crate::contacts::Contacts;
use crate::contacts::apply::report_gains;
use crate::contacts::names::{ContactNames, TakenChange};
use crate::execution::cost::Account;
use crate::rows::StepRows;
use crate::simulation::StepContext;
use crate::statistics::summary::StepSummary;
use crate::time::part::{StepPart, TakenStep};
use crate::topology::Topology;

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
pub(super) fn take_parts(
    sim: &mut StepContext,
    h: f64,
    mut summary: StepSummary,
) -> Result<StepSummary, StepError> {
    let mut rest = h;
    for closings in 0..LAST_CLOSINGS + 2 * sim.topology.contacts.len() {
        let tried = TriedPart {
            model: sim.linearisation.of(&sim.topology),
            rows: &sim.rows,
            slots: &sim.subsystems.slots,
            takes_part: &sim.contacts.takes_part,
            size: rest,
            h,
        };
        let Some(next) = next_closing(tried, closings, &mut sim.contacts.hits, &sim.contacts.changes) else {
            commit(sim, rest)?;
            if has_arrivals(&mut sim.contacts, &sim.topology, &sim.rows) {
                let part = sim.progress.part(sim.clock.now, h);
                collide(sim, part)?;
            }
            return Ok(summary);
        };
        let hit = first_hit(&sim.topology, &sim.contacts.hits);
        let end_gap = hit.map_or(0.0, |row| sim.rows.end_positions[row]);
        sim.subsystems.discard();
        sim.contacts.recall();
        match next {
            Closing::AtInstant(first) => {
                if first > TIE * h {
                    rest = step_to_impact(sim, (first.min(rest), rest, end_gap), h, &mut summary)?;
                    sim.progress.has_stopped =
                        sim.progress.stops_at_impacts && !sim.contacts.hits.iter().all(is_soft);
                    if sim.progress.has_stopped {
                        return Ok(summary);
                    }
                }
                let part = sim.progress.part(sim.clock.now, h);
                collide(sim, part)?;
                if rest == 0.0 {
                    return Ok(summary);
                }
            }
            Closing::Together => {
                let part = sim.progress.part(sim.clock.now, h);
                collide(sim, part)?;
            }
            Closing::Softly => sim.contacts.let_hits_arrive(),
        }
        summary.add(solve_part(sim, rest, ImpactResolution::ClosedOnly)?);
    }
    sim.subsystems.discard();
    sim.contacts.recall();
    summary.add(solve_part(sim, rest, ImpactResolution::Plain)?);
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

/// How contacts close next in the rest of a step, which was tried just now, after so many closings in it, with these changes at contacts;
/// collects them.
fn next_closing(
    tried: TriedPart<'_>,
    closings: usize,
    hits: &mut Vec<Hit>,
    changes: &[TakenChange],
) -> Option<Closing> {
    let first = tried.next_impact(hits)?;
    let ahead = tried.hits_after(first);
    let is_crowded = ahead >= MAX_INSTANTS;
    let rebounds_alone = ahead == 0 && !hits.iter().all(is_soft);
    let most = if rebounds_alone { MAX_REBOUNDS } else { MAX_INSTANTS };
    if closings < most && !is_crowded {
        return Some(Closing::AtInstant(first));
    }
    tried.collect_hits(hits, tried.size);
    // One that has rebounded in this step already would go on doing so.
    let is_new = |hit: &Hit| changes.iter().all(|taken| taken.change.contact != hit.contact);
    let row = |hit: &Hit| tried.model.topology.contacts[hit.contact].global_row;
    let approaches = |hit: &Hit| tried.rows.start_velocities[row(hit)] < 0.0;
    let hits_now = |hit: &Hit| !is_soft(hit) && approaches(hit) && (is_crowded || is_new(hit));
    if closings < MAX_ROUNDS && hits.iter().any(hits_now) {
        hits.retain(hits_now);
        hits.iter_mut().for_each(|hit| *hit = hit.early());
        return Some(Closing::Together);
    }
    Some(Closing::Softly)
}

/// Collects the contacts that have arrived softly in the part just taken and still approach; says whether there are any.
fn has_arrivals(contacts: &mut Contacts, topology: &Topology, rows: &StepRows) -> bool {
    let Contacts { state, hits, .. } = contacts;
    hits.clear();
    for (contact, memory) in state.memory.iter().enumerate() {
        let rate = rows.start_velocities[topology.contacts[contact].global_row];
        if memory.arrives && memory.is_closed() && rate < -TIE * rows.speeds[contact] {
            hits.push(Hit { contact, kind: HitKind::Touch });
        }
    }
    !hits.is_empty()
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

/// The gap's row of the first of the contacts that are hit.
fn first_hit(topology: &Topology, hits: &[Hit]) -> Option<usize> {
    hits.first().map(|hit| topology.contacts[hit.contact].global_row)
}

/// Steps to the impact, whose time `first` is improved once by Newton's method on the gap, within the `rest` of the step (s), at whose
/// end the gap is `end_gap` (m); returns what then remains of it: nothing, or more than can be skipped.
fn step_to_impact(
    sim: &mut StepContext,
    (first, rest, end_gap): (f64, f64, f64),
    h: f64,
    summary: &mut StepSummary,
) -> Result<f64, StepError> {
    summary.add(solve_part(sim, first, ImpactResolution::ClosedOnly)?);
    let Some(row) = first_hit(&sim.topology, &sim.contacts.hits) else { return Ok(rest) };
    let (gap, rate) = (sim.rows.end_positions[row], sim.rows.end_velocities[row]);
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
        sim.subsystems.discard();
        sim.contacts.recall();
        summary.add(solve_part(sim, reached, ImpactResolution::ClosedOnly)?);
    }
    commit(sim, reached)?;
    sim.contacts.forget_arrivals();
    Ok(rest - reached)
}

/// The impact law at the present communication point on the contacts that are hit.
pub(crate) fn collide(sim: &mut StepContext, part: StepPart) -> Result<(), StepError> {
    let (time, topology) = (part.time, &sim.topology);
    sim.loads.history.interrupt();
    sim.contacts.take_in_hits(topology, &mut sim.subsystems, &mut sim.condensation, &mut sim.rows);
    prepare_instant(
        topology,
        &mut sim.subsystems,
        &mut sim.linearisation,
        &mut sim.condensation,
        &sim.contacts,
        (time, part.size),
    )?;
    let before = sim.subsystems.costs.enter(Account::CONTACTS);
    let names = ContactNames { topology, subsystems: &sim.subsystems.all };
    let model = sim.linearisation.of(topology);
    sim.contacts.collide(model, &mut sim.condensation, &mut sim.rows, names, part)?;
    sim.subsystems.costs.enter(before);
    let taken = TakenStep { start: time, size: 0.0, end: time };
    note_contact_problems(&mut sim.contacts, names, &mut sim.warnings, taken);
    let work = jump(topology, &mut sim.subsystems, &sim.rows.loads, time)?;
    sim.energy.monitor.drive(work);
    read_communication_point(
        &sim.topology,
        &sim.subsystems.all,
        &mut sim.rows,
        &mut sim.linearisation,
        &mut sim.condensation,
        &mut sim.joints,
    );
    let (topology, all) = (&sim.topology, &sim.subsystems.all);
    let checked = sim.subsystems.check_rows(topology, &sim.rows);
    checked.map_err(|source| StepError::NotCommitted { time, source })?;
    let (model, contacts) = (sim.linearisation.of(topology), &mut sim.contacts);
    contacts.problems.open_joints_met_at_instant(model, &sim.rows, &mut sim.joints.relaxed);
    contacts.add_impulses();
    contacts.problems.add_jump_impulses(topology, &sim.condensation, &mut sim.joints.impulses);
    let (solution, monitor) = (contacts.problems.solution(), &mut sim.energy.monitor);
    monitor.book_jump(all, &sim.rows, &solution.sustained);
    monitor.close_step(model, &sim.rows, solution);
    sim.counters.count_contacts(solution);
    let names = ContactNames { topology, subsystems: all };
    add_changes(&mut contacts.changes, solution.changes.iter().map(|change| names.taken(change)));
    let (gains, at_stake) = (&mut sim.counters.impact_gains, sim.energy.guard.watch.at_stake);
    report_gains(solution, gains, at_stake, names, (&mut sim.warnings, time));
    contacts.forces.fill(0.0);
    if needs_instant_forces(model, &contacts.state, &sim.coupling.modes, all, part.size) {
        find_forces(sim, part.size);
    }
    Ok(())
}
