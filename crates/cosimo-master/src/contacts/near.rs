//! Contacts that are near and contacts that are far.
//!
//! A contact is **far** in a step that it cannot close in: it is open, and its gap `y₀` is beyond what it may close,
//!
//! ```text
//!   y₀ > s H (max(−U₀, 0) + |δU|)
//! ```
//!
//! with the macro step `H`, the change `δU` of the gap rate in the part of a step before, and the reach `s`
//! ([`MasterConfig::contact_reach`](crate::MasterConfig::contact_reach)). A far contact costs nothing: its subsystem reports no response
//! of its rows ([`limit_response`](cosimo_subsystem::Subsystem::limit_response)), and no contact matrix has a row of it. The end of the
//! step, as the subsystems report it, shows whether a far contact has closed nevertheless, or was met on the way by a fast body: then
//! it is near, and the step is repeated.
//!
//! That is done for subsystems with at least four contacts whose inverse mass changes from step to step; memory is taken where other
//! contacts are near than in the step before. Of affine ones it is known once and for
//! all, and of those behind load ports all rows answer to the loads.

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::cost::CallKind;

use super::near_rows::leaves_out;
use crate::execution::cost::Account;
use crate::execution::slot::CallSlot;
use crate::simulation::Simulation;
use crate::step::part::StepPart;
use crate::topology::Topology;

/// Contacts of a subsystem whose claims about its inverse mass are verified before the first step; its further ones are not asked for.
const VERIFIED: usize = 16;

/// Before the first step: only some contacts are there for the verification of what subsystems claim.
pub(crate) fn choose_verified_contacts(sim: &mut Simulation<'_>) {
    select(sim, |sim, contact| {
        let layout = &sim.topology.subsystems[sim.topology.contacts[contact].subsystem];
        contact - layout.contacts.start >= VERIFIED
    });
}

/// Chooses the contacts that are near in a part of a step from the present communication point.
pub(crate) fn choose_near_contacts(sim: &mut Simulation<'_>, part: StepPart) {
    let size = part.macro_size.max(part.size);
    select(sim, |sim, c| {
        // Also beyond what a forecast takes for closed.
        let forecast = sim.topology.law(c).activation.gamma.unwrap_or(0.0);
        is_far(sim, c, sim.topology.config.contact_reach.max(forecast) * size)
    });
}

/// Makes those of the far contacts near that are closed at the end of the part of a step just solved; says whether there are any.
pub(crate) fn take_in_closed_contacts(sim: &mut Simulation<'_>) -> bool {
    let (topology, ends) = (sim.topology, &sim.storage.rows.end_positions);
    let is_missing = |c: usize| {
        let is_met = !(ends[topology.contacts[c].global_row] > 0.0)
            || touch_on_the_way(topology, &sim.subsystems.slots, c).is_some();
        sim.storage.is_far[c] && is_met && !is_reported_absent(sim, c)
    };
    if !(0..topology.contacts.len()).any(is_missing) {
        return false;
    }
    let missing: Vec<bool> = (0..topology.contacts.len()).map(is_missing).collect();
    select(sim, |sim, c| sim.storage.is_far[c] && !missing[c]);
    true
}

/// Makes the far contacts near that are hit at the present communication point.
pub(crate) fn take_in_hits(sim: &mut Simulation<'_>) {
    let is_hit = |sim: &Simulation<'_>, c: usize| sim.storage.hits.iter().any(|hit| hit.contact == c);
    if sim.storage.hits.iter().any(|hit| sim.storage.is_far[hit.contact]) {
        select(sim, |sim, c| sim.storage.is_far[c] && !is_hit(sim, c));
    }
}

/// Notes by how much the gap rates have changed in the part of a step just taken; the rows of its start are those that come next.
pub(crate) fn note_rate_changes(sim: &mut Simulation<'_>) {
    let rows = &sim.storage.rows;
    for (change, contact) in sim.state.gap_rate_changes.iter_mut().zip(&sim.topology.contacts) {
        let row = contact.global_row;
        *change = (rows.start_velocities[row] - rows.next_velocities[row]).abs();
    }
}

/// Whether a contact cannot close within this reach (s).
fn is_far(sim: &Simulation<'_>, c: usize, reach: f64) -> bool {
    let (memory, row) = (&sim.state.contact_memory[c], sim.topology.contacts[c].global_row);
    let (gap, rate) = (sim.storage.rows.start_positions[row], sim.storage.rows.start_velocities[row]);
    let is_quiet = !memory.is_closed() && memory.jump == 0.0;
    is_quiet
        && gap > sim.storage.rows.gap_rounding(c)
        && gap > reach * ((-rate).max(0.0) + sim.state.gap_rate_changes[c])
}

/// The share of the part of a step just tried after which a contact is met on the way, as its ends do not show.
pub(crate) fn touch_on_the_way(topology: &Topology, slots: &[CallSlot], c: usize) -> Option<f64> {
    let contact = &topology.contacts[c];
    let first = topology.subsystems[contact.subsystem].contacts.start;
    let share = slots[contact.subsystem].touches.get(c - first).copied()?;
    (share < 1.0).then_some(share)
}

/// Whether its subsystem reports that a contact is absent.
fn is_reported_absent(sim: &Simulation<'_>, c: usize) -> bool {
    let subsystem = sim.topology.contacts[c].subsystem;
    sim.subsystems.all[subsystem].rows().is_absent(c - sim.topology.subsystems[subsystem].contacts.start)
}

/// Takes the contacts for far that are said to be, where they are left out at all; subsystems and matrices follow.
fn select(sim: &mut Simulation<'_>, is_far: impl Fn(&Simulation<'_>, usize) -> bool) {
    for index in 0..sim.storage.contact_problems.problems.len() {
        let problem = &sim.storage.contact_problems.problems[index];
        if problem.near.is_none() {
            continue;
        }
        let (number, mut has_changed) = (problem.cluster, false);
        for &i in &sim.topology.clusters[number].members {
            if leaves_out(sim.topology, &sim.topology.subsystems[i]) {
                has_changed |= select_of_subsystem(sim, i, &is_far);
            }
        }
        if has_changed {
            let (storage, topology) = (&mut *sim.storage, sim.topology);
            let problem = &mut storage.contact_problems.problems[index];
            problem.select(topology, |c| !storage.is_far[c]);
            storage.condensation.select_contacts(number, problem.contacts.len(), &problem.rows);
        }
    }
}

/// The same for one subsystem; says whether anything has changed.
fn select_of_subsystem(
    sim: &mut Simulation<'_>,
    i: usize,
    is_far: &impl Fn(&Simulation<'_>, usize) -> bool,
) -> bool {
    let layout = &sim.topology.subsystems[i];
    let mut has_changed = false;
    for c in layout.contacts.clone() {
        let is_out = is_reported_absent(sim, c) || is_far(sim, c);
        has_changed |= std::mem::replace(&mut sim.storage.is_far[c], is_out) != is_out;
        let (contact, rows) = (&sim.topology.contacts[c], &mut sim.storage.rows);
        rows.start_gaps[c] = if is_out { f64::INFINITY } else { rows.start_positions[contact.global_row] };
        for row in contact.rows() {
            let velocity = rows.start_velocities[sim.topology.contact_rows[row].global_row];
            rows.start_rates[row] = if is_out { 0.0 } else { velocity };
        }
    }
    if has_changed {
        let mut needed = vec![true; layout.rows.len()];
        for c in layout.contacts.clone().filter(|c| sim.storage.is_far[*c]) {
            let rows = sim.topology.contacts[c].rows();
            rows.for_each(|row| needed[sim.topology.contact_rows[row].row] = false);
        }
        let before = sim.subsystems.costs.enter(Account::call(i, CallKind::Other));
        sim.subsystems.all[i].limit_response(&needed);
        sim.subsystems.costs.enter(before);
    }
    has_changed
}

/// What contacts remember, of a problem of near contacts: gathered before it is solved.
pub(crate) fn gather_memory(all: &[ContactMemory], contacts: &[usize], own: &mut Vec<ContactMemory>) {
    own.clear();
    own.extend(contacts.iter().map(|contact| all[*contact]));
}

/// The same put back.
pub(crate) fn scatter_memory(own: &[ContactMemory], contacts: &[usize], all: &mut [ContactMemory]) {
    own.iter().zip(contacts).for_each(|(own, contact)| all[*contact] = *own);
}
