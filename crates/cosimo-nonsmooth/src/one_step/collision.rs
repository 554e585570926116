//! The impact law at a communication point.

use super::{OneStepProblem, friction_of};
use crate::contact_rows::product;
use crate::impact_law::Collision;
use crate::laws::Bounce;
use crate::nearest::Wanted;
use crate::thresholds::ROUND_OFF;
use crate::{
    ContactChange, ContactChangeKind, ContactMemory, ContactRows, ContactSolution, Hit, HitKind, OneStepError,
};

impl OneStepProblem {
    /// The impact law at a communication point: `hits` collide, the contacts that carry a load are held.
    ///
    /// ```text
    ///   0 ≤ P ⟂ W P + b ≥ 0      b = U⁻ + e min(U⁻, 0) where hit,  U⁻ where closed
    /// ```
    ///
    /// Of `rows`, start rates, laws, time and `W` (of a jump at this instant) count. The impulses stand in
    /// `sustained`. A hit contact without rebound counts as closed from now on, one thrown open as open. The forces that follow are
    /// unknown.
    ///
    /// # Errors
    /// See [`OneStepError`].
    pub fn collide(
        &mut self,
        rows: &ContactRows<'_>,
        hits: &[Hit],
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.clear();
        self.solver.look_for(Wanted::Any);
        let hit = |c: usize| hits.iter().find(|hit| hit.contact == c);
        self.candidates.extend(hits.iter().map(|hit| hit.contact));
        let speed = hits.iter().fold(0.0_f64, |most, hit| most.max(rows.start_rates[hit.contact].abs()));
        let is_there = |c: &usize| memory[*c].is_closed() || rows.touches_at_rest(*c, speed);
        self.candidates.extend((0..memory.len()).filter(|c| hit(*c).is_none() && is_there(c)));
        let bounce = |c: usize| {
            hit(c).map_or_else(Bounce::default, |hit| {
                Bounce::of(rows.laws.of(c), !matches!(hit.kind, HitKind::Bounce | HitKind::Early))
            })
        };
        let s = &mut self.solution;
        s.problems += 1;
        let collision = Collision { laws: rows.laws, set: &self.candidates, hits: hits.len() };
        let at_instant = (&rows.delassus, |row: usize| rows.start_rates[row]);
        collision.solve(&mut self.solver, at_instant, bounce, &mut s.sustained)?;
        s.impulses.copy_from_slice(&s.sustained);
        let mut energy = 0.0;
        let least = ROUND_OFF * self.largest_jump(rows);
        for i in 0..self.candidates.len() {
            let contact = self.candidates[i];
            let touches = hit(contact).is_some_and(|hit| hit.kind == HitKind::Touch);
            let work = self.note_collision(rows, (contact, least), touches);
            energy += work;
            let (impulse, rate_before) = (self.solution.sustained[contact], rows.start_rates[contact]);
            let jump = product(rows.delassus, contact, &self.solution.sustained);
            let m = &mut memory[contact];
            if impulse > 0.0 {
                m.quiet_steps = 0;
            }
            let scale = rows.delassus[(contact, contact)] * impulse + rate_before.abs();
            let is_early = hit(contact).is_some_and(|hit| hit.kind == HitKind::Early);
            let is_held = !is_early
                && bounce(contact).normal == 0.0
                && (impulse > 0.0
                    || ((hit(contact).is_some() || m.is_closed()) && !(jump > ROUND_OFF * scale)));
            if is_held && !m.is_closed() {
                m.load = f64::MIN_POSITIVE;
                let shown = if touches { (impulse, work) } else { (0.0, 0.0) };
                self.note_closing(rows, (contact, rate_before, rate_before + jump), shown);
            } else if is_held {
                m.load = m.load.max(f64::MIN_POSITIVE);
                if touches && m.arrives {
                    self.note_closing(rows, (contact, rate_before, rate_before + jump), (impulse, work));
                }
            } else if m.is_closed() {
                m.load = 0.0;
                self.note_release(contact, (rows.time, rate_before, rate_before + jump));
            }
        }
        self.solution.note_gain(0, energy);
        Ok(&self.solution)
    }

    /// The largest rate (m/s) in a collision at a communication point that a contact has before, or that its own impulse changes.
    fn largest_jump(&self, rows: &ContactRows<'_>) -> f64 {
        let own =
            |c: &usize| rows.start_rates[*c].abs().max(rows.delassus[(*c, *c)] * self.solution.sustained[*c]);
        self.candidates.iter().map(own).fold(0.0, f64::max)
    }

    /// Notes the impulse of a contact in a collision at a communication point, as an impact unless it only touches or does no more
    /// than the `least` change of its rate (m/s); returns the energy (J) it put in.
    fn note_collision(
        &mut self,
        rows: &ContactRows<'_>,
        (contact, least): (usize, f64),
        touches: bool,
    ) -> f64 {
        let (s, time) = (&mut self.solution, rows.time);
        let impulse = s.sustained[contact];
        if !(impulse > 0.0) {
            return 0.0;
        }
        let jump = |row: usize| product(rows.delassus, row, &s.sustained);
        let work = |row: usize| s.sustained[row] * (rows.start_rates[row] + 0.5 * jump(row));
        let work = work(contact) + rows.laws.slips(contact).map(work).sum::<f64>();
        let (rate_before, rate_after) =
            (rows.start_rates[contact], rows.start_rates[contact] + jump(contact));
        let (tangential, state) = friction_of(rows, contact, (&s.sustained, 0.0));
        let kind = ContactChangeKind::Impact;
        s.work += work;
        if touches || rows.delassus[(contact, contact)] * impulse <= least {
            return work;
        }
        s.changes.push(ContactChange {
            contact,
            kind,
            time,
            rate_before,
            rate_after,
            impulse,
            tangential,
            state,
            work,
        });
        work
    }

    /// Notes that a contact closes at this instant, by an impulse (N s) that is no impact and its work (J); the load that follows is
    /// not known yet.
    fn note_closing(
        &mut self,
        rows: &ContactRows<'_>,
        (contact, rate_before, rate_after): (usize, f64, f64),
        (impulse, work): (f64, f64),
    ) {
        let (_, state) = friction_of(rows, contact, (&self.solution.sustained, self.solver.residual()));
        self.solution.changes.push(ContactChange {
            contact,
            kind: ContactChangeKind::Closing,
            time: rows.time,
            rate_before,
            rate_after,
            impulse,
            tangential: [0.0; 2],
            state,
            work,
        });
    }
}
