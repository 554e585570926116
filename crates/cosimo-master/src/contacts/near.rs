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
//! of its rows ([`set_active_rows`](cosimo_subsystem::Subsystem::set_active_rows)), and no contact matrix has a row of it. The end of the
//! step, as the subsystems report it, shows whether a far contact has closed nevertheless, or was met on the way by a fast body: then
//! it is near, and the step is repeated.
//!
//! That is done for subsystems with at least four contacts whose inverse mass changes from step to step; memory is taken where other
//! contacts are near than in the step before. Of affine ones it is known once and for
//! all, and of those behind load ports all rows answer to the loads.

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::Subsystem;
use cosimo_subsystem::cost::CallKind;

use super::Contacts;
use super::near_rows::leaves_out;
use super::state::ContactState;
use crate::condensation::Condensation;
use crate::execution::cost::Account;
use crate::execution::slot::CallSlot;
use crate::execution::subsystems::Subsystems;
use crate::rows::StepRows;
use crate::time::part::StepPart;
use crate::topology::Topology;

/// Contacts of a subsystem whose claims about its inverse mass are verified before the first step; its further ones are not asked for.
const VERIFIED: usize = 16;

impl Contacts {
    /// Before the first step: only some contacts are there for the verification of what subsystems claim.
    pub(crate) fn choose_verified(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        condensation: &mut Condensation,
        rows: &mut StepRows,
    ) {
        self.select(topology, subsystems, condensation, rows, |_, _, contact| {
            let layout = &topology.subsystems[topology.contacts[contact].subsystem];
            contact - layout.contacts.start >= VERIFIED
        });
    }

    /// Chooses the contacts that are near in a part of a step from the present communication point.
    pub(crate) fn choose_near(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        part: StepPart,
    ) {
        let size = part.macro_size.max(part.size);
        self.select(topology, subsystems, condensation, rows, |contacts, rows, c| {
            // Also beyond what a forecast takes for closed.
            let forecast = topology.law(c).activation.gamma.unwrap_or(0.0);
            let reach = topology.config.contact_reach.max(forecast) * size;
            is_far(topology, &contacts.state, rows, c, reach)
        });
    }

    /// Makes those of the far contacts near that are closed at the end of the part of a step just solved; says whether there are any.
    pub(crate) fn take_in_closed(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        condensation: &mut Condensation,
        rows: &mut StepRows,
    ) -> bool {
        let is_missing = |c: usize| {
            let is_met = !(rows.end_positions[topology.contacts[c].global_row] > 0.0)
                || touch_on_the_way(topology, &subsystems.slots, c).is_some();
            self.is_far[c] && is_met && !is_reported_absent(topology, &subsystems.all, c)
        };
        if !(0..topology.contacts.len()).any(is_missing) {
            return false;
        }
        let missing: Vec<bool> = (0..topology.contacts.len()).map(is_missing).collect();
        self.select(topology, subsystems, condensation, rows, |contacts, _, c| {
            contacts.is_far[c] && !missing[c]
        });
        true
    }

    /// Makes the far contacts near that are hit at the present communication point.
    pub(crate) fn take_in_hits(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        condensation: &mut Condensation,
        rows: &mut StepRows,
    ) {
        if self.hits.iter().any(|hit| self.is_far[hit.contact]) {
            let is_hit = |contacts: &Self, c: usize| contacts.hits.iter().any(|hit| hit.contact == c);
            self.select(topology, subsystems, condensation, rows, |contacts, _, c| {
                contacts.is_far[c] && !is_hit(contacts, c)
            });
        }
    }

    /// Notes by how much the gap rates have changed in the part of a step just taken; the rows of its start are those that come next.
    pub(crate) fn note_rate_changes(&mut self, topology: &Topology, rows: &StepRows) {
        for (change, contact) in self.state.rate_changes.iter_mut().zip(&topology.contacts) {
            let row = contact.global_row;
            *change = (rows.start_velocities[row] - rows.next_velocities[row]).abs();
        }
    }

    /// Takes the contacts for far that are said to be, where they are left out at all; subsystems and matrices follow.
    fn select(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        condensation: &mut Condensation,
        rows: &mut StepRows,
        is_far: impl Fn(&Self, &StepRows, usize) -> bool,
    ) {
        for index in 0..self.problems.problems.len() {
            let problem = &self.problems.problems[index];
            if problem.near.is_none() {
                continue;
            }
            let number = problem.cluster;
            if self.select_of_cluster(topology, subsystems, rows, number, &is_far) {
                let problem = &mut self.problems.problems[index];
                problem.select(topology, |c| !self.is_far[c]);
                condensation.select_contacts(number, problem.contacts.len(), &problem.rows);
            }
        }
    }

    /// Selects among the contacts of a cluster; says whether others are near than before.
    fn select_of_cluster(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        rows: &mut StepRows,
        number: usize,
        is_far: &impl Fn(&Self, &StepRows, usize) -> bool,
    ) -> bool {
        let mut has_changed = false;
        for &i in &topology.clusters[number].members {
            if leaves_out(topology, &topology.subsystems[i]) {
                has_changed |= self.select_of_subsystem(topology, subsystems, rows, i, is_far);
            }
        }
        has_changed
    }

    /// The same for one subsystem; says whether anything has changed.
    fn select_of_subsystem(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        rows: &mut StepRows,
        i: usize,
        is_far: &impl Fn(&Self, &StepRows, usize) -> bool,
    ) -> bool {
        let layout = &topology.subsystems[i];
        let mut has_changed = false;
        for c in layout.contacts.clone() {
            let is_out = is_reported_absent(topology, &subsystems.all, c) || is_far(self, rows, c);
            has_changed |= std::mem::replace(&mut self.is_far[c], is_out) != is_out;
            let contact = &topology.contacts[c];
            rows.start_gaps[c] =
                if is_out { f64::INFINITY } else { rows.start_positions[contact.global_row] };
            for row in contact.rows() {
                let velocity = rows.start_velocities[topology.contact_rows[row].global_row];
                rows.start_rates[row] = if is_out { 0.0 } else { velocity };
            }
        }
        if has_changed {
            let mut needed = vec![true; layout.rows.len()];
            for c in layout.contacts.clone().filter(|c| self.is_far[*c]) {
                let rows = topology.contacts[c].rows();
                rows.for_each(|row| needed[topology.contact_rows[row].row] = false);
            }
            let before = subsystems.costs.enter(Account::call(i, CallKind::Other));
            subsystems.all[i].set_active_rows(&needed);
            subsystems.costs.enter(before);
        }
        has_changed
    }
}

/// Whether a contact cannot close within this reach (s).
fn is_far(topology: &Topology, state: &ContactState, rows: &StepRows, c: usize, reach: f64) -> bool {
    let (memory, row) = (&state.memory[c], topology.contacts[c].global_row);
    let (gap, rate) = (rows.start_positions[row], rows.start_velocities[row]);
    let is_quiet = !memory.is_closed() && memory.jump == 0.0;
    is_quiet && gap > rows.gap_rounding(c) && gap > reach * ((-rate).max(0.0) + state.rate_changes[c])
}

/// The share of the part of a step just tried after which a contact is met on the way, as its ends do not show.
pub(crate) fn touch_on_the_way(topology: &Topology, slots: &[CallSlot], c: usize) -> Option<f64> {
    let contact = &topology.contacts[c];
    let first = topology.subsystems[contact.subsystem].contacts.start;
    let share = slots[contact.subsystem].touches.get(c - first).copied()?;
    (share < 1.0).then_some(share)
}

/// Whether its subsystem reports that a contact is absent.
fn is_reported_absent(topology: &Topology, subsystems: &[Box<dyn Subsystem>], c: usize) -> bool {
    let subsystem = topology.contacts[c].subsystem;
    subsystems[subsystem].rows().is_absent(c - topology.subsystems[subsystem].contacts.start)
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
