//! Loads of the closed contacts over the rest of a step, and where slips that turn round or stop end them.

use super::{ImpactSequence, ROUND_OFF, TIE, product};
use crate::coefficients::SlipsBefore;
use crate::contact_set::ContactSet;
use crate::laws::ActiveContacts;
use crate::parabola::Contact;
use crate::slip::{Slips, change_by};
use crate::thresholds::NO_LOAD;
use crate::{ContactRows, ContactSolution, DelassusMatrix, OneStepError};

/// Turns of a slip in a step at which the loads are found anew, and halvings of the time before the next one.
const MAX_TURNS: u32 = 4;
const MAX_HALVINGS: usize = 30;

impl ImpactSequence {
    /// Finds the loads of the closed contacts over the rest of the step anew.
    pub(super) fn load_closed_contacts(
        &mut self,
        rows: &ContactRows<'_>,
        solver: &mut ContactSet,
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        let s = self.remaining;
        // Loads over a part of the step are impulses inside it.
        let inside = ContactRows { delassus: rows.impacts.unwrap_or(rows.delassus), ..*rows };
        let (gives_way, is_whole) = (rows.delassus, self.is_whole(rows, out));
        let is_rigid = !is_whole && rows.impacts.is_some();
        let rows = if is_whole { rows } else { &inside };
        self.turn = None;
        self.set.clear();
        self.set.extend((0..self.contacts.len()).filter(|&c| self.contacts[c].is_closed));
        if self.set.is_empty() && self.contacts.iter().all(|c| c.load == 0.0) {
            return Ok(());
        }
        if s <= TIE * rows.step {
            self.expect_loads(rows);
            return Ok(());
        }
        if is_rigid {
            // What the joints give way to in the next step is not passed in that.
            self.find_loads((rows, gives_way), (solver, s), out)?;
            self.end_loads.copy_from_slice(&self.loads);
        }
        self.find_loads((rows, rows.delassus), (solver, s), out)?;
        self.end_at_turns(rows, solver, out)?;
        if !is_rigid {
            self.end_loads.copy_from_slice(&self.loads);
        }
        self.load_span = if is_whole { rows.load_weight } else { s };
        let (contacts, slips, change) = (&mut self.contacts, &mut self.slips, &mut self.impulse);
        let noise = ROUND_OFF * change_by(rows, &self.loads);
        for (contact, (load, end_load)) in contacts.iter_mut().zip(self.loads.iter().zip(&self.end_loads)) {
            contact.load = *load;
            contact.noise = noise;
            contact.force = end_load / self.load_span;
            if contact.is_closed && contact.load == 0.0 {
                contact.open((!is_whole).then_some(rows.step - s));
            }
        }
        for (c, contact) in contacts.iter_mut().enumerate() {
            contact.acceleration += product(rows.delassus, c, change) / s;
        }
        slips.load(rows, (&self.loads, change), s);
        self.add_load(is_whole, out);
        Ok(())
    }

    /// Whether loads act from the start of the step, so that they are those of the whole step.
    fn is_whole(&self, rows: &ContactRows<'_>, out: &ContactSolution) -> bool {
        self.remaining == rows.step && !out.has_moments
    }

    /// Finds the loads, as impulses over the time that remains, and by how much they change: the loads that fulfil the
    /// contact laws at the end of the next `span` seconds, where they act by this matrix.
    fn find_loads(
        &mut self,
        (rows, matrix): (&ContactRows<'_>, DelassusMatrix<'_>),
        (solver, span): (&mut ContactSet, f64),
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        let s = self.remaining;
        let takes_free_rates = self.is_whole(rows, out) && span == s;
        // Without the loads found before, of which the share of the remaining time is still to come.
        let (contacts, slips, change) = (&self.contacts, &self.slips, &mut self.impulse);
        change.iter_mut().zip(contacts).for_each(|(x, c)| *x = -c.load);
        slips.take_back(change);
        let end_rate = |k: usize| {
            if takes_free_rates {
                return rows.end_rates[k];
            }
            let expected =
                contacts.get(k).map_or_else(|| slips.end_rate(k, span), |c| c.rate + span * c.acceleration);
            expected + span / s * product(rows.delassus, k, change)
        };
        out.problems += 1;
        // Loads over a part of a step are impulses inside it.
        let takes_means = !takes_free_rates || rows.takes_mean_loads();
        let before = AtStartOfSpan { slips, contacts, is_start: takes_free_rates, takes_means };
        let problem = (&matrix, end_rate);
        solver.solve(ActiveContacts { set: &self.set, laws: rows.laws }, before, problem, &mut self.loads)?;
        drop_round_off(rows, &self.set, &mut self.loads);
        if span < s {
            self.loads.iter_mut().for_each(|load| *load *= s / span);
        }
        change.iter_mut().zip(&self.loads).for_each(|(x, load)| *x += load);
        Ok(())
    }

    /// Where the slip of a contact turns round or stops before the end, at whatever part of the step, so that friction would push
    /// or hold it before: takes the loads that act until then instead, and notes when that is.
    fn end_at_turns(
        &mut self,
        rows: &ContactRows<'_>,
        solver: &mut ContactSet,
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        let (s, mut span) = (self.remaining, f64::INFINITY);
        for &c in &self.set {
            let contact = &mut self.contacts[c];
            let loads = (self.loads.as_slice(), self.impulse.as_slice());
            contact.is_turning = contact.turns < MAX_TURNS && self.slips.turns(rows, c, loads, s);
            if contact.is_turning {
                span = span.min(0.5 * self.slips.least_time_to_turn(rows, c, loads, s));
            }
        }
        if !span.is_finite() {
            return Ok(());
        }
        for _ in 0..MAX_HALVINGS {
            self.find_loads((rows, rows.delassus), (solver, span), out)?;
            let turning = self.set.iter().copied().filter(|c| self.contacts[*c].is_turning);
            let time = |c: usize| Some((self.slips.time_to_turn(rows, c, &self.impulse, s)?, c));
            match turning.filter_map(time).min_by(|a, b| a.0.total_cmp(&b.0)) {
                None => break,
                Some((first, contact)) if first > span => {
                    self.turn = Some((first, contact));
                    return Ok(());
                }
                Some(_) => {}
            }
            span *= 0.5;
        }
        self.find_loads((rows, rows.delassus), (solver, s), out)
    }

    /// No time remains: contacts that have just closed are expected to carry what stops their acceleration.
    fn expect_loads(&mut self, rows: &ContactRows<'_>) {
        for &c in &self.set {
            let contact = &mut self.contacts[c];
            if contact.force == 0.0 {
                contact.force = (-contact.acceleration / rows.delassus[(c, c)]).max(0.0);
            }
        }
    }

    /// Adds the change of loads over the rest of the step, in `impulse`, to the solution.
    fn add_load(&self, is_whole: bool, out: &mut ContactSolution) {
        let s = self.remaining;
        for (c, change) in self.impulse.iter().enumerate().filter(|(_, change)| **change != 0.0) {
            out.impulses[c] += change;
            if is_whole {
                out.sustained[c] += change;
            } else {
                out.has_moments = true;
                out.moments.velocity[c] += change;
                out.moments.position[c] += 0.5 * s * change;
            }
        }
    }
}

/// The slips at the start of a span of loads.
struct AtStartOfSpan<'a> {
    slips: &'a Slips,
    contacts: &'a [Contact],
    /// Whether that is the start of the step.
    is_start: bool,
    /// Whether the loads are means over the span.
    takes_means: bool,
}

impl SlipsBefore for AtStartOfSpan<'_> {
    fn rate(&self, row: usize) -> f64 {
        self.slips.rate(row)
    }

    fn sticks(&self, contact: usize) -> bool {
        self.is_start && self.contacts[contact].sticks
    }

    fn slides_under_load(&self, contact: usize) -> bool {
        self.takes_means && self.contacts[contact].is_closed
    }
}

/// Takes loads that are round-off beside the largest for none, so that it does not decide which contacts are closed.
fn drop_round_off(rows: &ContactRows<'_>, set: &[usize], loads: &mut [f64]) {
    let largest = set.iter().fold(0.0_f64, |m, &c| m.max(loads[c]));
    for &c in set {
        if loads[c] <= NO_LOAD * largest {
            loads[c] = 0.0;
            loads[rows.laws.slips(c)].fill(0.0);
        }
    }
}
