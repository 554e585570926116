//! The plain problem: one complementarity problem over the step.

use super::bounce::bounce_of_gap;
use super::{OneStepProblem, friction_of, remember, rises};
use crate::coefficients::SlipsBefore;
use crate::contact_rows::product;
use crate::delassus_matrix::EffectiveMass;
use crate::impact_sequence::add_impulses;
use crate::laws::{ActiveContacts, Bounce};
use crate::parabola::root_of_parabola;
use crate::slip::change_by;
use crate::thresholds::{ROUND_OFF, SMALL_REBOUND};
use crate::{
    ContactChange, ContactChangeKind, ContactMemory, ContactRows, FrictionState, ImpactResolution,
    OneStepError, Partings,
};

impl OneStepProblem {
    /// The problem on the candidates; the impulses stand in `sustained`.
    fn solve_candidates(
        &mut self,
        rows: &ContactRows<'_>,
        (memory, takes_impacts): (&[ContactMemory], bool),
        offset: impl Fn(usize) -> f64,
    ) -> Result<(), OneStepError> {
        let s = &mut self.solution;
        s.clear();
        s.problems += 1;
        let active = ActiveContacts { set: &self.candidates, laws: rows.laws };
        let before = AtStartOfStep { rows, memory, takes_impacts };
        self.solver.solve(active, before, (&rows.delassus, offset), &mut s.sustained)?;
        s.impulses.copy_from_slice(&s.sustained);
        Ok(())
    }

    /// The plain problem in place of impacts inside the step, where they let meet what has parted: all impulses act in the middle of
    /// the step, and so does what meets.
    pub(super) fn solve_plain_where_all_meets(
        &mut self,
        (resolution, partings): (ImpactResolution, Partings<'_>),
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<(), OneStepError> {
        let mut met = std::mem::take(&mut self.met_rates);
        for (met, (rates, parted)) in
            met.iter_mut().zip([(rows.start_rates, partings.start), (rows.end_rates, partings.end)])
        {
            met.clear();
            met.extend(rates.iter().zip(parted).map(|(rate, parted)| rate - parted));
        }
        let [start_rates, end_rates] = &met;
        let delassus = rows.impacts.unwrap_or(rows.delassus);
        let met_rows = ContactRows { start_rates, end_rates, delassus, impact_lead: None, ..*rows };
        let solved = self.solve_plain(resolution, &met_rows, memory);
        self.met_rates = met;
        solved?;
        let lead = 0.5 * rows.step;
        self.solution.turn_all_inside(lead);
        add_impulses(&[0.0, 1.0], (lead, rows.damping_weight), &mut self.solution.meetings);
        Ok(())
    }

    pub(super) fn solve_plain(
        &mut self,
        resolution: ImpactResolution,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<(), OneStepError> {
        let (gaps, known) = (rows.laws.len(), &*memory);
        let takes_impacts = resolution != ImpactResolution::ClosedOnly;
        // Along the tangents only an impact has a restitution, a load over time has none.
        let bounce_of_slip = |row: usize| {
            let is_hit = |c: &usize| takes_impacts && rows.start_rates[*c] < 0.0 && !known[*c].is_closed();
            let contact = rows.laws.of_slip(row).filter(is_hit);
            contact.map_or(0.0, |c| Bounce::of(rows.laws.of(c), false).of_slip(rows.start_rates[row]))
        };
        self.solve_candidates(rows, (known, takes_impacts), |row| {
            rows.end_rates[row]
                + if row < gaps {
                    bounce_of_gap(rows, (row, takes_impacts), known[row])
                } else {
                    bounce_of_slip(row)
                }
        })?;
        let change = change_by(rows, &self.solution.sustained);
        for (contact, memory) in memory.iter_mut().enumerate() {
            self.take_plain(rows, (contact, takes_impacts, change), memory);
        }
        // Of impacts alone: that of loads over time is not theirs.
        let energy = self.solution.changes.iter().map(|change| change.work).sum();
        self.solution.note_gain(0, energy);
        if let Some(lead) = rows.impact_lead {
            self.turn_inside(rows, memory, lead);
        }
        Ok(())
    }

    /// Notes what the plain problem, of which no load alone changes a rate by more than `change` (m/s), did to a contact.
    fn take_plain(
        &mut self,
        rows: &ContactRows<'_>,
        (contact, takes_impacts, change): (usize, bool, f64),
        memory: &mut ContactMemory,
    ) {
        let impulse = self.solution.sustained[contact];
        let (rate_before, free) = (rows.start_rates[contact], rows.end_rates[contact]);
        let rate_after = free + product(rows.delassus, contact, &self.solution.sustained);
        let restitution = if takes_impacts { rows.laws.of(contact).restitution } else { 0.0 };
        let rebound = -restitution * rate_before.min(0.0);
        let own = (free - rate_before).abs();
        // Where the load comes from other contacts, as at the wall that a ladder leans on, its own change is nothing.
        let noise = ROUND_OFF
            * (own
                + rows.delassus.fold(contact, &self.solution.sustained, 0.0, |sum, term| sum + term.abs()));
        let settles = memory.swings() || rebound <= (SMALL_REBOUND * own).max(noise);
        let is_closed = impulse > 0.0 && settles;
        let (tangential, state) =
            friction_of(rows, contact, (&self.solution.sustained, self.solver.residual()));
        let loads = self.solution.sustained.as_slice();
        let after = |row: usize| rows.end_rates[row] + product(rows.delassus, row, loads);
        let state = state.with_slip(rows, contact, (change, after));
        if impulse > 0.0 {
            let work = self.plain_work(rows, contact) + 0.5 * impulse * (rate_before + rate_after);
            self.solution.work += work;
            let is_jump = takes_impacts && rate_before < -noise && rate_after - rate_before > 2.0 * own;
            let time = rows.time + closing_time(rows, contact);
            let kind = ContactChangeKind::Impact;
            let impact = ContactChange {
                contact,
                kind,
                time,
                rate_before,
                rate_after,
                impulse,
                tangential,
                state,
                work,
            };
            self.note_plain_impulse(impact, is_jump, is_closed, memory);
        }
        if memory.is_closed() && !is_closed {
            let time = rows.time + self.release_time(rows, (contact, rate_after), memory.load);
            self.note_release(contact, (time, rate_before, rate_after));
        }
        let was_closed = memory.is_closed();
        if is_closed {
            self.note_forces(rows, contact);
        }
        // Where the rule spreads the impulse over the step it stops on the way.
        memory.is_short = is_closed || (memory.is_short && !rises(rate_before, own));
        remember(memory, self.solution.forces[contact], impulse);
        self.take_state(rows, contact, (was_closed && is_closed, state, None), memory);
    }

    /// Notes the impulse of the plain problem on a contact as an impact, or as the touch that closes it.
    fn note_plain_impulse(
        &mut self,
        impact: ContactChange,
        is_jump: bool,
        is_closed: bool,
        memory: &ContactMemory,
    ) {
        if is_jump || !is_closed {
            self.solution.changes.push(impact);
        }
        if is_closed && !memory.is_closed() {
            // What arrives has been stopped by this impulse; a load does the work of time.
            let work = if memory.arrives { impact.work } else { 0.0 };
            self.solution.changes.push(ContactChange { kind: ContactChangeKind::Closing, work, ..impact });
        }
    }

    /// Notes the forces of a contact whose load has acted over the whole step.
    fn note_forces(&mut self, rows: &ContactRows<'_>, contact: usize) {
        let s = &mut self.solution;
        for row in std::iter::once(contact).chain(rows.laws.slips(contact)) {
            s.forces[row] = s.sustained[row] / rows.load_weight;
        }
    }

    /// Makes impacts impulses inside the step, at `lead` (s) before its end, and with them the loads of closed contacts: what these pass
    /// on of an impact is no force that lasts. At bodies that swing from end to end of the step loads are no rests of impacts, and stay.
    fn turn_inside(&mut self, rows: &ContactRows<'_>, memory: &mut [ContactMemory], lead: f64) {
        if memory.iter().any(ContactMemory::swings) {
            self.solution.turn_impacts_inside(rows.laws, lead);
        } else if self.solution.has_impacts() {
            self.solution.turn_all_inside(lead);
            self.expect_forces(rows, memory);
        }
    }

    /// After impacts, closed contacts are expected to carry what stops their own acceleration: a rule that remembers forces would
    /// go on with what they passed on of the impacts.
    fn expect_forces(&mut self, rows: &ContactRows<'_>, memory: &mut [ContactMemory]) {
        self.solution.forces.fill(0.0);
        for (c, memory) in memory.iter_mut().enumerate().filter(|(_, memory)| memory.is_closed()) {
            let own = (rows.start_rates[c] - rows.end_rates[c]) / rows.delassus[(c, c)];
            memory.load = memory.load.min(own.max(0.0) / rows.load_weight);
            self.solution.forces[c] = memory.load;
        }
    }

    /// Work (J) of the friction impulse of a contact over the step.
    fn plain_work(&self, rows: &ContactRows<'_>, contact: usize) -> f64 {
        let sustained = &self.solution.sustained;
        let after = |row: usize| rows.end_rates[row] + product(rows.delassus, row, sustained);
        let work = |row: usize| 0.5 * sustained[row] * (rows.start_rates[row] + after(row));
        rows.laws.slips(contact).map(work).sum()
    }
}

/// The slips at the start of a step.
struct AtStartOfStep<'a> {
    rows: &'a ContactRows<'a>,
    memory: &'a [ContactMemory],
    takes_impacts: bool,
}

impl SlipsBefore for AtStartOfStep<'_> {
    fn rate(&self, row: usize) -> f64 {
        self.rows.start_rates[row]
    }

    fn sticks(&self, contact: usize) -> bool {
        self.memory[contact].state == FrictionState::Stick
    }

    fn slides_under_load(&self, contact: usize) -> bool {
        !self.takes_impacts && self.rows.takes_mean_loads() && self.memory[contact].is_closed()
    }
}

/// Time (s) after the start at which the gap closes, by the parabola through start gap, start rate and end rate.
fn closing_time(rows: &ContactRows<'_>, c: usize) -> f64 {
    let (y, u, h) = (rows.start_gaps[c], rows.start_rates[c], rows.step);
    root_of_parabola(y, u, (rows.end_rates[c] - u) / h, h).unwrap_or(0.0)
}
