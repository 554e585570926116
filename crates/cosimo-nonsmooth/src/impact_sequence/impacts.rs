//! The impacts of the sequence, and what each does to the contacts.

use super::{ImpactSequence, add_impulses};
use crate::contact_rows::{instant_delassus, jump_of, product};
use crate::contact_set::ContactSet;
use crate::impact_law::Collision;
use crate::thresholds::{ROUND_OFF, TIE, TOUCHING};
use crate::{ContactChange, ContactChangeKind, ContactRows, ContactSolution, FrictionState, OneStepError};

impl ImpactSequence {
    /// Newton's impact law at this instant, on the hit, the touching and the closed contacts.
    pub(super) fn collide(
        &mut self,
        rows: &ContactRows<'_>,
        solver: &mut ContactSet,
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        self.add_touching_and_closed(rows.step);
        let (contacts, slips) = (&self.contacts, &self.slips);
        let rate = |k: usize| contacts.get(k).map_or_else(|| slips.rate(k), |c| c.rate);
        let bounce = |c: usize| contacts[c].bounce;
        let matrix = |a: usize, b: usize| instant_delassus(rows, a, b);
        out.problems += 1;
        let collision = Collision { laws: rows.laws, set: &self.set, hits: self.hits };
        let before = solver.unsolved();
        let solved = collision.solve(solver, (&matrix, rate), bounce, &mut self.impulse);
        let is_solved = solved.is_ok() && solver.unsolved() == before;
        if !is_solved && self.is_at_rest(rows) {
            solver.remainder().go_back(before);
            self.take_for_closed();
        } else {
            solved?;
        }
        let largest = self.impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let (first, mut energy) = (out.changes.len(), 0.0);
        for c in 0..self.contacts.len() {
            let before = self.contacts[c].rate;
            self.jump(rows, c);
            energy += self.note_impact(rows, (c, before, ROUND_OFF * largest), out);
        }
        self.slips.jump(rows, &self.impulse);
        out.note_gain(first, energy);
        if largest > 0.0 {
            out.has_moments = true;
            add_impulses(&self.impulse, (self.remaining, rows.damping_weight), &mut out.moments);
        }
        Ok(())
    }

    /// Changes the rate of a contact by the impulses, and closes or opens it.
    pub(super) fn jump(&mut self, rows: &ContactRows<'_>, c: usize) {
        let (jump, scale) = self.change_of(rows, c);
        let now = rows.step - self.remaining;
        let is_hit = self.set[..self.hits].contains(&c);
        let contact = &mut self.contacts[c];
        let before = contact.rate;
        contact.rate += jump;
        contact.jump += jump;
        if !rows.damped.is_empty() {
            contact.acceleration -= product(rows.damped, c, &self.impulse);
        }
        let is_held = self.impulse[c] > 0.0 && contact.bounce.normal == 0.0;
        // What its load presses together again at once is not open: it would be hit, throw others likewise, and so on.
        let pressed = TIE * rows.step * rows.delassus[(c, c)] * contact.force;
        let is_thrown = jump > ROUND_OFF * scale && contact.rate > pressed;
        if is_held {
            contact.rate = 0.0;
        }
        if is_held || (is_hit && contact.bounce.normal == 0.0 && !is_thrown) {
            contact.close(now, before);
        } else if contact.is_closed && is_thrown {
            contact.open(Some(now));
        }
    }

    /// The change of a rate (m/s) by the impulses, and the largest part of it.
    #[inline]
    fn change_of(&self, rows: &ContactRows<'_>, row: usize) -> (f64, f64) {
        let (mut jump, mut scale) = (0.0, 0.0_f64);
        for (k, p) in self.impulse.iter().enumerate() {
            let part = instant_delassus(rows, row, k) * p;
            jump += part;
            scale = scale.max(part.abs());
        }
        (jump, scale)
    }

    /// Accounts for the impulse of a contact after its jump and returns the energy (J) that it put in.
    fn note_impact(
        &self,
        rows: &ContactRows<'_>,
        (contact, rate_before, least): (usize, f64, f64),
        out: &mut ContactSolution,
    ) -> f64 {
        let (impulse, rate_after) = (self.impulse[contact], self.contacts[contact].rate);
        let mut work = 0.5 * impulse * (rate_before + rate_after);
        out.impulses[contact] += impulse;
        for row in rows.laws.slips(contact) {
            let p = self.impulse[row];
            out.impulses[row] += p;
            work += p * (self.slips.rate(row) + 0.5 * jump_of(rows, row, &self.impulse));
        }
        out.work += work;
        let hit = &self.contacts[contact];
        let is_noise = hit.bounce.normal == 0.0
            && self.set[..self.hits].contains(&contact)
            && rate_before.abs() <= TOUCHING * rows.step * hit.acceleration.abs();
        if impulse > least && !is_noise {
            let tangential = rows.laws.tangential(contact, &self.impulse);
            out.changes.push(ContactChange {
                contact,
                kind: ContactChangeKind::Impact,
                time: rows.time + (rows.step - self.remaining),
                rate_before,
                rate_after,
                impulse,
                tangential,
                state: FrictionState::of((rows.laws.of(contact).friction, 0.0), impulse, tangential),
                work,
            });
        }
        work
    }
}
