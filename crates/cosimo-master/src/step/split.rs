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
//! Where many contacts close in one step, as in a pile that comes to rest, not every one is worth an instant of its own. After the first
//! [`MAX_CLOSINGS`] a contact that closes softly **arrives**: it takes part in the problem of what remains of the step, by the law of the
//! end gap
//!
//! ```text
//!   0 ≤ P ⟂ y₁ ≥ 0,  U₁ ≤ 0
//! ```
//!
//! and what is left of its approach is stopped by an impact without rebound at the end. Neither creates energy, and the gap is closed
//! there; that costs an error of second order once. After [`MAX_IMPACTS`] all that is hit in a step arrives.

use cosimo_nonsmooth::{Hit, HitKind, ImpactResolution};

use super::commit::commit;
use super::communication_point::read_rows;
use super::instant::prepare_instant;
use super::instant_forces::find_instant_forces;
use super::part::StepPart;
use super::solve::{retreat, try_part};
use super::summary::StepSummary;
use crate::StepError;
use crate::contacts::apply::{add_jump_impulses, report_gains};
use crate::contacts::impact::collide_clusters;
use crate::contacts::meeting::open_joints_met_at_instant;
use crate::contacts::near::touch_on_the_way;
use crate::energy::books::add_contact_impulses;
use crate::execution::faults::guarded;
use crate::simulation::Simulation;

/// Impacts in one step after which contacts that close softly arrive.
const MAX_CLOSINGS: usize = 2;
/// Impacts in one step after which all contacts that are hit arrive.
const MAX_IMPACTS: usize = 8;
/// Impacts in one step, besides two for every contact, after which the plain problem takes the rest of it.
const LAST_IMPACTS: usize = 16;
/// Impacts closer than this share of the step are one; shorter parts of a step are not taken.
const TIE: f64 = 1e-9;

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
    for impacts in 0..LAST_IMPACTS + 2 * sim.topology.contacts.len() {
        let Some(first) = next_impact(sim, rest, h) else {
            commit(sim, rest)?;
            arrive(sim, h)?;
            return Ok(summary);
        };
        if impacts >= MAX_IMPACTS || (impacts >= MAX_CLOSINGS && sim.storage.hits.iter().all(is_soft)) {
            retreat(sim);
            for hit in &sim.storage.hits {
                sim.state.contact_memory[hit.contact].arrives = true;
            }
            try_part(sim, rest, ImpactResolution::ClosedOnly, &mut summary)?;
            continue;
        }
        let end_gap = first_hit(sim).map_or(0.0, |row| sim.storage.rows.end_positions[row]);
        retreat(sim);
        if first > TIE * h {
            rest = step_to_impact(sim, (first.min(rest), rest, end_gap), h, &mut summary)?;
        }
        collide(sim, sim.part(h))?;
        if rest == 0.0 {
            return Ok(summary);
        }
        try_part(sim, rest, ImpactResolution::ClosedOnly, &mut summary)?;
    }
    retreat(sim);
    try_part(sim, rest, ImpactResolution::Plain, &mut summary)?;
    commit(sim, rest)?;
    Ok(summary)
}

/// Whether a contact closes at a rate that the accelerations of two steps make.
fn is_soft(hit: &Hit) -> bool {
    hit.kind == HitKind::Touch
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

/// What arrives does so in the part of a step at hand alone.
fn forget_arrivals(sim: &mut Simulation<'_>) {
    sim.state.contact_memory.iter_mut().for_each(|memory| memory.arrives = false);
}

/// The motion of a gap towards its impact.
#[derive(Debug, Clone, Copy)]
struct Fall {
    /// Time to the impact (s).
    time: f64,
    /// Gap rate there (m/s).
    rate: f64,
    acceleration: f64,
}

/// Time (s) from the start of the part of size `size` (s), of a step of size `h` (s), just tried, to its first impact. Collects the
/// contacts that are hit.
pub(crate) fn next_impact(sim: &mut Simulation<'_>, size: f64, h: f64) -> Option<f64> {
    let rows = &sim.storage.rows;
    let time_to = |c: usize| -> Option<Fall> {
        let contact = &sim.topology.contacts[c];
        let cluster = sim.topology.subsystems[contact.subsystem].cluster;
        if sim.storage.linearisation.affine_clusters[cluster]
            || sim.topology.clusters[cluster].impacts == ImpactResolution::Plain
        {
            return None;
        }
        let row = contact.global_row;
        if let Some(share) = touch_on_the_way(sim.topology, &sim.subsystems.slots, c) {
            // A body so fast that the ends of the step do not show it.
            let (gap, time) = (rows.start_gaps[c], share * size);
            let is_open = !rows.is_absent(c) && !sim.storage.takes_part[c];
            return is_open.then_some(Fall { time, rate: -gap / time, acceleration: 0.0 });
        }
        let (gap, rate) = (rows.start_gaps[c], rows.start_velocities[row]);
        let (end_gap, end_rate) = (rows.end_positions[row], rows.end_velocities[row]);
        let rounding = rows.gap_rounding(c);
        let closes = end_gap <= 0.0 && end_rate < 0.0;
        let has_crossed = end_gap < -rounding && gap > rounding;
        if rows.is_absent(c) || sim.storage.takes_part[c] || !(closes || has_crossed) {
            return None;
        }
        let acceleration = (end_rate - rate) / size;
        let change = h * acceleration.abs();
        // What lies on an obstacle but for round-off, and does not rise, is hit with all that does.
        let lies = gap <= rounding.max(TIE * h * change) && (-change..=TIE * change).contains(&rate);
        // A gap that is negative counts as zero.
        let gap = gap.max(0.0);
        let falls = || cosimo_nonsmooth::root_of_parabola(gap, rate, acceleration, size);
        let time = if lies { 0.0 } else { falls().unwrap_or(size * gap / (gap - end_gap)) };
        Some(Fall { time, rate: rate + time * acceleration, acceleration })
    };
    let first = (0..sim.topology.contacts.len())
        .filter_map(time_to)
        .map(|fall| fall.time)
        .fold(f64::INFINITY, f64::min);
    if !first.is_finite() {
        return None;
    }
    sim.storage.hits.clear();
    for c in 0..sim.topology.contacts.len() {
        let falls = time_to(c).filter(|fall| fall.time <= first + TIE * h);
        let Some(Fall { rate, acceleration, .. }) = falls else { continue };
        let e = sim.topology.law(c).restitution;
        sim.storage.hits.push(Hit::new(c, e, (rate, h * acceleration)));
    }
    Some(first)
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
fn collide(sim: &mut Simulation<'_>, part: StepPart) -> Result<(), StepError> {
    let time = part.time;
    sim.state.loads.interrupt();
    prepare_instant(sim, part.size)?;
    collide_clusters(sim, part)?;
    for (i, (layout, subsystem)) in sim.topology.subsystems.iter().zip(&mut sim.subsystems.all).enumerate() {
        let loads = &sim.storage.rows.loads[layout.rows.clone()];
        if loads.iter().any(|x| *x != 0.0) {
            let jumped = guarded(subsystem.as_mut(), &layout.name, |subsystem| subsystem.jump(loads));
            if let Err(source) = jumped {
                sim.subsystems.note_panic(i, &source);
                return Err(StepError::NotCommitted { time, source });
            }
            sim.state.monitor.drive(subsystem.jump_work());
        }
    }
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
    sim.storage.contact_changes.extend_from_slice(&solution.changes);
    report_gains(sim);
    find_instant_forces(sim, part.size);
    Ok(())
}
