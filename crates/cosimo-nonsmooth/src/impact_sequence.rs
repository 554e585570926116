//! Impacts at their own instants inside a step, without repeating the step.
//!
//! Between impacts every contact moves on a parabola: gap `Y`, rate `U` and acceleration `A`, from the solution of
//! the step without contacts. Loads that act over the rest of the step change `A`; impulses change `U` at once. What
//! the end gap differs from that of the parabola, because the gap moves by itself or the step rule is not the
//! midpoint rule, is spread over the step. With `s` the time that remains to the end of the step,
//!
//! ```text
//!   0  contacts that carried a load: their load L over the whole step, so that no end rate is negative
//!      (complementarity problem); those without load are open
//!   1  next impact: the first open contact whose parabola meets zero while approaching, to stay below it; ties
//!      within 1e-9 h together, and contacts that touch there without approaching
//!   2  impact law at that instant on these and the closed contacts:
//!      0 ≤ P ⟂ W₀ P + b ≥ 0,  b = (1 + e) U⁻ where hit, U⁻ elsewhere,  W₀ = W + c D
//!   3  a hit contact that settles closes; a closed contact that is thrown open opens, unless its load would close it within
//!      1e-9 h again; the loads over the rest of the step are found anew
//!   4  back to 1
//! ```
//!
//! A hit contact **settles**, which means `e = 0`, when its rebounds would accumulate within one step, the loads
//! pressing on: `2 e |U⁻| ≤ −(1 − e) h A`. The load that follows has the impulse of all those rebounds. A rebound
//! that neither settles nor lasts a tenth of a step, `e |U⁻| ≤ −h A / 20`, is chatter: after other impacts in the
//! step it settles too, else the plain problem serves for the whole step. Contacts that hit each other time and
//! again within a step are tied over longer and longer spans, so that the sequence ends.
//!
//! Parabolas say nothing of oscillations that an impulse excites and the step does not resolve; impacts placed
//! inside the step then create energy. How much of a rate jump the step after it takes back shows the stiffness of a
//! contact ([`ContactMemory::stiffness`]). Above 1/20, a rebound is an impact of its own only if it is the first in the
//! step, outruns the acceleration of two steps, `e |U⁻| > 2 h |A|`, and the contact was without impulse for four
//! steps; contacts with `e > 0` do not settle. Where a body is known to swing on an
//! undamped joint with `ω h > 2`, no impact is placed inside the step: the plain problem makes no energy.
//!
//! Slips along the tangents of a contact with friction take part in all of this: their rates change linearly between
//! impacts, the law at impacts and of loads is the contact's ([`ContactLaw`](cosimo_mechanics::ContactLaw)), and `W₀` couples all rows.
//!
//! An impulse `P` acts `s` before the end: its first two moments there are `P, s P` and, through the damping,
//! `(c − s) P, s (c − s/2) P`. A load `L` over the last `s` has the moments `L, s L/2`.

mod impacts;
mod loads;

use cosimo_mechanics::ImpulseMoments;

use crate::contact_rows::product;
use crate::contact_set::ContactSet;
use crate::laws::Bounce;
use crate::parabola::Contact;
use crate::slip::{Slips, change_by};
use crate::thresholds::{CHATTER, ISOLATION, QUIET_STEPS, ROUND_OFF, SOFT, TELLING, TIE, TIE_GROWTH};
use crate::{ContactMemory, ContactRows, ContactSolution, FrictionState, OneStepError};

/// Whether a rebound (m/s) is an impact of its own at a contact whose stiffness is not known to be small: it outruns
/// the rate `change` (m/s) of two steps, and the contact was without impulse for four.
fn is_isolated(rebound: f64, change: f64, memory: ContactMemory) -> bool {
    rebound > ISOLATION * change.abs() && memory.quiet_steps > QUIET_STEPS
}

/// Whether the rebounds of a contact with restitution `e` that is hit at this rate (m/s) accumulate within a step, or are shorter than
/// a tenth of one; `change` is the rate (m/s) that the acceleration there makes in a step.
pub(crate) fn settles(e: f64, rate: f64, change: f64) -> bool {
    let rebound = -e * rate.min(0.0);
    e == 0.0 || accumulates(e, rebound, change) || is_chatter(rebound, change)
}

/// Whether the rebounds that follow this one (m/s) accumulate within a step.
fn accumulates(e: f64, rebound: f64, change: f64) -> bool {
    change < 0.0 && 2.0 * rebound <= -(1.0 - e) * change
}

/// Whether a rebound (m/s) lasts less than a tenth of a step.
fn is_chatter(rebound: f64, change: f64) -> bool {
    change < 0.0 && rebound <= -CHATTER * change
}

/// Whether parabolas predict how this contact goes on after an impulse.
fn is_trusted(memory: ContactMemory) -> bool {
    memory.stiffness < SOFT
}

/// Whether an open contact passes below zero and comes back in the step, which its end gap does not show.
pub(crate) fn dips(rows: &ContactRows<'_>, memory: ContactMemory, c: usize) -> bool {
    rows.start_rates[c] < 0.0
        && rows.end_rates[c] > 0.0
        && !memory.is_closed()
        && Contact::at_start(rows, c, is_trusted(memory)).time_to_impact(rows.step).is_some()
}

/// Impacts in a step beyond which the plain problem serves, besides two for every contact.
const MAX_IMPACTS: usize = 60;

/// What ends a span of constant loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The step does.
    End,
    /// A slip has turned.
    Turn,
    /// Contacts are hit.
    Impact,
}

/// The impacts of one step, with their buffers.
#[derive(Debug, Clone)]
pub(crate) struct ImpactSequence {
    contacts: Vec<Contact>,
    slips: Slips,
    /// Contacts in the present problem: in impacts the hit ones first.
    set: Vec<usize>,
    hits: usize,
    /// Impulses of an impact, or changes of loads, by row.
    impulse: Vec<f64>,
    /// Loads over the rest of the step, by row.
    loads: Vec<f64>,
    /// The loads of which the forces at the end of the step are known, by row.
    end_loads: Vec<f64>,
    remaining: f64,
    /// Impulse (s) of a constant load of 1 N over the rest of the step.
    load_span: f64,
    /// Time (s) until the slip of a contact has turned and the loads are found anew.
    turn: Option<(f64, usize)>,
    /// Weights of the partings at the start and the end of the step by which these have met.
    met: [f64; 2],
}

impl ImpactSequence {
    pub(crate) fn new(contacts: usize, rows: usize) -> Self {
        Self {
            contacts: vec![Contact::default(); contacts],
            slips: Slips::new(contacts, rows),
            set: Vec::with_capacity(contacts),
            hits: 0,
            impulse: vec![0.0; rows],
            loads: vec![0.0; rows],
            end_loads: vec![0.0; rows],
            remaining: 0.0,
            load_span: 1.0,
            turn: None,
            met: [0.0; 2],
        }
    }

    /// Force (N) that a contact carries at the end of the step; zero when open.
    pub(crate) fn end_force(&self, contact: usize) -> f64 {
        self.contacts[contact].force
    }

    /// Friction (N) along a tangent at the end of the step.
    pub(crate) fn end_friction(&self, row: usize) -> f64 {
        self.end_loads[row] / self.load_span
    }

    /// Gap rate (m/s) at the end of the step.
    pub(crate) fn end_rate(&self, contact: usize) -> f64 {
        let c = &self.contacts[contact];
        c.rate + self.remaining * c.acceleration
    }

    /// Rate jump (m/s) of a contact that is open at the end, and its acceleration (m/s²) there without the loads of others,
    /// where the next step, whose contact-free acceleration is known, can tell how stiff the contact is; zero otherwise.
    pub(crate) fn aftermath(&self, rows: &ContactRows<'_>, contact: usize) -> (f64, f64) {
        let c = &self.contacts[contact];
        let acceleration = c.acceleration - self.acceleration_by_loads(rows, contact);
        let is_telling = !c.is_closed && c.jump.abs() > TELLING * rows.step * acceleration.abs();
        (if is_telling { c.jump } else { 0.0 }, acceleration)
    }

    /// What the present loads change the acceleration of a contact by (m/s²).
    fn acceleration_by_loads(&self, rows: &ContactRows<'_>, contact: usize) -> f64 {
        if !(self.remaining > 0.0) {
            return 0.0;
        }
        let load = |k: usize| self.contacts.get(k).map_or_else(|| self.slips.load_of(k), |c| c.load);
        let change = |k: usize| rows.delassus[(contact, k)] * load(k);
        (0..self.loads.len()).map(change).sum::<f64>() / self.remaining
    }

    /// When (s, from the start) a contact that is closed at the end closed, and its rate then.
    pub(crate) fn closing(&self, contact: usize) -> (f64, f64) {
        let c = &self.contacts[contact];
        (c.closed_at.unwrap_or(0.0), c.closing_rate)
    }

    /// When (s, from the start) an impact threw a contact open.
    pub(crate) fn opening(&self, contact: usize) -> Option<f64> {
        self.contacts[contact].opened_at
    }

    /// When (s, from the start) the slip of a contact turned round.
    pub(crate) fn turning(&self, contact: usize) -> Option<f64> {
        self.contacts[contact].turned_at
    }

    /// What friction does at a contact at the end of the step.
    pub(crate) fn end_state(&self, rows: &ContactRows<'_>, contact: usize) -> FrictionState {
        let (closed, friction) = (&self.contacts[contact], rows.laws.of(contact).friction);
        if closed.force > 0.0 && closed.load == 0.0 {
            // It has closed too late for a load.
            return self.slips.state_by_speed(rows, contact, ROUND_OFF);
        }
        let state =
            FrictionState::of((friction, 0.0), closed.load, rows.laws.tangential(contact, &self.loads));
        let end_rate = |row: usize| self.slips.end_rate(row, self.remaining);
        state.with_slip(rows, contact, (change_by(rows, &self.loads), end_rate))
    }

    /// Loads over the rest of the step, by row (N s).
    pub(crate) fn loads(&self) -> &[f64] {
        &self.loads
    }

    /// Resolves all impacts of the step; `false` when the plain problem has to serve instead.
    pub(crate) fn run(
        &mut self,
        rows: &ContactRows<'_>,
        memory: &[ContactMemory],
        solver: &mut ContactSet,
        out: &mut ContactSolution,
    ) -> Result<bool, OneStepError> {
        self.start(rows, memory);
        self.load_closed_contacts(rows, solver, out)?;
        let mut impacts = 0;
        for _ in 0..MAX_IMPACTS + 2 * self.contacts.len() {
            match self.advance(rows.step, out) {
                Next::End => return Ok(true),
                Next::Turn => {}
                Next::Impact => {
                    self.meet(rows, out);
                    if !self.is_resolved(rows, memory, impacts) {
                        return Ok(false);
                    }
                    self.collide(rows, solver, out)?;
                    impacts += 1;
                }
            }
            self.load_closed_contacts(rows, solver, out)?;
        }
        Ok(false)
    }

    fn start(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory]) {
        self.remaining = rows.step;
        self.load_span = rows.load_weight;
        self.met = [0.0; 2];
        self.slips.start(rows);
        self.loads.fill(0.0);
        self.end_loads.fill(0.0);
        for (c, contact) in self.contacts.iter_mut().enumerate() {
            *contact = Contact {
                is_closed: memory[c].is_closed(),
                sticks: memory[c].state == FrictionState::Stick,
                ..Contact::at_start(rows, c, is_trusted(memory[c]))
            };
        }
    }

    /// Advances to what happens next. At an impact the contacts that are hit are collected.
    fn advance(&mut self, h: f64, out: &mut ContactSolution) -> Next {
        let s = self.remaining;
        let (first, tie) = self.first_impact(h);
        let turn = self.turn.filter(|(time, _)| *time < first.min(s));
        let end = turn.map_or(first.min(s), |(time, _)| time);
        out.work += self.slips.work(end, s);
        let Some((_, turned)) = turn else {
            if first.is_finite() {
                self.advance_to_impact((first, tie));
                return Next::Impact;
            }
            return Next::End;
        };
        self.contacts.iter_mut().for_each(|contact| contact.advance(end, s));
        self.slips.advance(end, s);
        self.remaining = s - end;
        self.contacts[turned].turns += 1;
        self.contacts[turned].turned_at = Some(h - self.remaining);
        Next::Turn
    }

    /// Time (s) from now to the first impact, and the time within which others count as simultaneous.
    #[inline]
    fn first_impact(&self, h: f64) -> (f64, f64) {
        let (mut first, mut tie) = (f64::INFINITY, 0.0);
        for contact in &self.contacts {
            if let Some(time) = contact.time_to_impact(self.remaining).filter(|time| *time < first) {
                first = time;
                tie = TIE * h * TIE_GROWTH.powi(contact.hits.min(16) as i32);
            }
        }
        (first, tie)
    }

    /// Advances to the impacts between `first` and `tie` later (s), and collects the contacts that are hit.
    fn advance_to_impact(&mut self, (first, tie): (f64, f64)) {
        let s = self.remaining;
        self.set.clear();
        for (c, contact) in self.contacts.iter_mut().enumerate() {
            let is_hit = contact.time_to_impact(s).is_some_and(|time| time <= first + tie);
            contact.advance(first, s);
            if is_hit {
                contact.gap = 0.0;
                contact.hits += 1;
                self.set.push(c);
            }
        }
        self.slips.advance(first, s);
        self.hits = self.set.len();
        self.remaining = s - first;
    }

    /// Lets meet what has parted up to this instant, or since it last met.
    fn meet(&mut self, rows: &ContactRows<'_>, out: &mut ContactSolution) {
        let (Some(partings), Some(impacts)) = (rows.partings, rows.impacts) else { return };
        let start = self.remaining / rows.step;
        let [before, now] = [self.met, [start, 1.0 - start]];
        let weights = [now[0] - before[0], now[1] - before[1]];
        // Loads over the whole step move what parts at its end.
        let parted = |row: usize| {
            let gives_way =
                product(rows.delassus, row, &out.sustained) - product(impacts, row, &out.sustained);
            weights[0] * partings.start[row] + weights[1] * (partings.end[row] + gives_way)
        };
        self.contacts.iter_mut().enumerate().for_each(|(c, contact)| contact.rate -= parted(c));
        self.slips.slow_down(parted);
        add_impulses(&weights, (self.remaining, rows.damping_weight), &mut out.meetings);
        (self.met, out.has_moments) = (now, true);
    }

    /// Finds which of the hit contacts settle after this number of impacts in the step, and whether the parabolas
    /// resolve the rebounds of the others.
    fn is_resolved(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory], impacts: usize) -> bool {
        let h = rows.step;
        if self.set.iter().any(|&c| memory[c].swings()) {
            return false;
        }
        self.set.iter().all(|&c| {
            let (contact, e) = (&mut self.contacts[c], rows.laws.of(c).restitution);
            let (rebound, change) = (-e * contact.rate.min(0.0), h * contact.acceleration);
            let is_trusted = is_trusted(memory[c]);
            let is_chatter = is_chatter(rebound, change);
            let ends = accumulates(e, rebound, change) || (is_chatter && impacts > 0);
            let settles = e == 0.0 || (is_trusted && ends);
            contact.bounce = Bounce::of(rows.laws.of(c), settles);
            let outruns = if is_trusted {
                !is_chatter
            } else {
                contact.hits == 1 && is_isolated(rebound, change, memory[c])
            };
            settles || outruns
        })
    }

    /// Whether all rates of the collision are round-off beside those that the step would end with without contacts. Rates like
    /// these need not be those of any motion, and then no impulses stop them.
    fn is_at_rest(&self, rows: &ContactRows<'_>) -> bool {
        let rate = |k: usize| self.contacts.get(k).map_or_else(|| self.slips.rate(k), |c| c.rate);
        let all = || self.set.iter().flat_map(|&c| std::iter::once(c).chain(rows.laws.slips(c)));
        let largest = |of: &dyn Fn(usize) -> f64| all().fold(0.0_f64, |m, k| m.max(of(k).abs()));
        largest(&rate) <= ROUND_OFF * largest(&|k| rows.end_rates[k])
    }

    /// No impulses, and no rebound of the contacts that are hit, which closes them.
    fn take_for_closed(&mut self) {
        self.impulse.fill(0.0);
        for &c in &self.set[..self.hits] {
            self.contacts[c].bounce = Bounce::default();
        }
    }

    /// Adds to the hit contacts those that touch without approaching, and the closed ones.
    fn add_touching_and_closed(&mut self, h: f64) {
        let speed = self.set.iter().fold(0.0, |m: f64, &c| m.max(-self.contacts[c].rate));
        let is_hit = |set: &[usize], c: usize| set[..self.hits].contains(&c);
        for (c, contact) in self.contacts.iter_mut().enumerate() {
            let touches = contact.gap <= TIE * h * speed && contact.rate.abs() <= TIE * speed;
            if !is_hit(&self.set, c) && (contact.is_closed || touches) {
                contact.bounce = Bounce::default();
                self.set.push(c);
            }
        }
    }
}

/// Adds impulses that act `s` before the end of the step.
pub(crate) fn add_impulses<V: AsMut<[f64]>>(
    impulses: &[f64],
    (s, c): (f64, f64),
    moments: &mut ImpulseMoments<V>,
) {
    let add = |sums: &mut V, factor: f64| {
        sums.as_mut().iter_mut().zip(impulses).for_each(|(sum, p)| *sum += factor * p);
    };
    add(&mut moments.velocity, 1.0);
    add(&mut moments.velocity_damped, c - s);
    add(&mut moments.position, s);
    add(&mut moments.position_damped, s * (c - 0.5 * s));
}
