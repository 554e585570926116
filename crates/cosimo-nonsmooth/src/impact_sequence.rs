//! Impacts at their own instants inside a step, without repeating the step.
//!
//! Between impacts every contact row moves on a parabola: gap `Y`, rate `U` and acceleration `A`, from the solution
//! of the step without contacts. Loads that act over the rest of the step change `A`; impulses change `U` at once.
//! With `s` the time that remains to the end of the step,
//!
//! ```text
//!   0  contacts that were closed and would close again: their load L over the whole step, so that no end rate is
//!      negative (complementarity problem)
//!   1  next impact: the first contact whose parabola meets zero while approaching; ties within 1e-9 h together
//!   2  impact law at that instant on the hit and the closed contacts:
//!      0 ≤ P ⟂ W₀ P + b ≥ 0,  b = (1 + e) U⁻ where hit, U⁻ where closed,  W₀ = W + c D
//!   3  a hit contact without rebound (e = 0) stays closed; a closed contact that is thrown open opens; the loads
//!      over the rest of the step are found anew
//!   4  back to 1
//! ```
//!
//! An impulse `P` acts `s` before the end: its first two moments there are `P, s P` and, through the damping,
//! `(c − s) P, s (c − s/2) P`. A load `L` over the last `s` has the moments `L, s L/2`.

use cosimo_dynamics::ImpulseMoments;

use crate::one_step::{ActiveSet, ContactSolution, root_of_parabola};
use crate::{ContactChange, ContactChangeKind, ContactMemory, ContactRows, OneStepError};

/// Impacts closer than this share of the step are one.
const TIE: f64 = 1e-9;
/// A rebound must outrun the acceleration of this many steps to be an impact of its own.
const ISOLATION: f64 = 2.0;
/// Steps a contact must have been quiet before an impact at it stands alone.
const QUIET_STEPS: u32 = 3;

#[derive(Debug, Clone, Default)]
pub(crate) struct ImpactSequence {
    gap: Vec<f64>,
    rate: Vec<f64>,
    acceleration: Vec<f64>,
    /// Load impulse of each closed contact over the rest of the step.
    load: Vec<f64>,
    is_closed: Vec<bool>,
    hits: Vec<u32>,
    closed_set: Vec<usize>,
    impact_set: Vec<usize>,
    impulse: Vec<f64>,
    remaining: f64,
    last_span: f64,
}

type Context<'a, 'b> = (&'b [usize], &'b mut ActiveSet, &'b mut ContactSolution);

impl ImpactSequence {
    pub(crate) fn new(contacts: usize) -> Self {
        let zero = vec![0.0; contacts];
        Self {
            gap: zero.clone(),
            rate: zero.clone(),
            acceleration: zero.clone(),
            load: zero.clone(),
            is_closed: vec![false; contacts],
            hits: vec![0; contacts],
            closed_set: Vec::with_capacity(contacts),
            impact_set: Vec::with_capacity(contacts),
            impulse: zero,
            remaining: 0.0,
            last_span: 1.0,
        }
    }

    /// Mean load (N) of a contact at the end of the last sequence.
    pub(crate) fn final_load(&self, contact: usize) -> f64 {
        self.load[contact] / self.last_span
    }

    /// Resolves all impacts of the step; `false` when the plain problem has to serve instead.
    pub(crate) fn run(
        &mut self,
        rows: &ContactRows<'_>,
        memory: &[ContactMemory],
        (candidates, lcp, out): Context<'_, '_>,
    ) -> Result<bool, OneStepError> {
        self.start(rows, memory, candidates);
        self.load_closed_contacts(rows, lcp, out)?;
        let count = self.gap.len();
        for _ in 0..4 + 2 * count {
            if !self.next_impact(rows) {
                return Ok(self.finish());
            }
            if !self.is_isolated(rows, memory) {
                return Ok(false);
            }
            self.collide(rows, lcp, out)?;
            self.load_closed_contacts(rows, lcp, out)?;
        }
        Ok(false)
    }

    fn start(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory], candidates: &[usize]) {
        self.remaining = rows.step;
        self.gap.copy_from_slice(rows.start_gaps);
        self.rate.copy_from_slice(rows.start_rates);
        for c in 0..self.gap.len() {
            self.acceleration[c] = (rows.end_rates[c] - rows.start_rates[c]) / rows.step;
            self.is_closed[c] = memory[c].is_closed() && candidates.contains(&c);
        }
        self.load.fill(0.0);
        self.hits.fill(0);
    }

    /// Finds the loads of the closed contacts over the rest of the step anew.
    fn load_closed_contacts(
        &mut self,
        rows: &ContactRows<'_>,
        lcp: &mut ActiveSet,
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        let s = self.remaining;
        self.closed_set.clear();
        self.closed_set.extend((0..self.gap.len()).filter(|&c| self.is_closed[c]));
        if (self.closed_set.is_empty() && self.load.iter().all(|l| *l == 0.0)) || s <= 0.0 {
            return Ok(());
        }
        // Without the loads found before, of which the share of the remaining time is still to come.
        self.impulse.iter_mut().zip(&self.load).for_each(|(p, l)| *p = -l);
        let (rate, acceleration, taken) = (&self.rate, &self.acceleration, &self.impulse);
        let free_rate = |c: usize| rate[c] + acceleration[c] * s + response(rows, c, taken);
        out.problems += 1;
        lcp.solve(&self.closed_set, |a, b| rows.delassus[(a, b)], free_rate)?;
        self.load.fill(0.0);
        for (&c, l) in self.closed_set.iter().zip(lcp.values()) {
            self.load[c] = *l;
        }
        self.impulse.iter_mut().zip(&self.load).for_each(|(p, l)| *p += l);
        for c in 0..self.gap.len() {
            self.acceleration[c] += response(rows, c, &self.impulse) / s;
        }
        self.add_load(rows, out);
        Ok(())
    }

    /// Adds the change of loads over the rest of the step, in `impulse`, to the solution.
    fn add_load(&self, rows: &ContactRows<'_>, out: &mut ContactSolution) {
        let s = self.remaining;
        for (c, change) in self.impulse.iter().enumerate() {
            if *change == 0.0 {
                continue;
            }
            out.impulses[c] += change;
            if s == rows.step {
                out.sustained[c] += change;
            } else {
                out.has_moments = true;
                out.moments.velocity[c] += change;
                out.moments.position[c] += 0.5 * s * change;
            }
        }
    }

    /// Advances to the next impact and collects the contacts that are hit; `false` when there is none.
    fn next_impact(&mut self, rows: &ContactRows<'_>) -> bool {
        let s = self.remaining;
        let time_to = |c: usize| {
            let (y, u, a) = (self.gap[c], self.rate[c], self.acceleration[c]);
            let (end_gap, end_rate) = (y + s * (u + 0.5 * s * a), u + s * a);
            if self.is_closed[c] || !(end_gap < 0.0 && end_rate < 0.0) { None } else { root_of_parabola(y, u, a, s) }
        };
        let first = (0..self.gap.len()).filter_map(time_to).fold(f64::INFINITY, f64::min);
        if !first.is_finite() {
            return false;
        }
        let limit = first + TIE * rows.step;
        self.impact_set.clear();
        self.impact_set.extend((0..self.gap.len()).filter(|&c| time_to(c).is_some_and(|t| t <= limit)));
        for c in 0..self.gap.len() {
            self.gap[c] += first * (self.rate[c] + 0.5 * first * self.acceleration[c]);
            self.rate[c] += first * self.acceleration[c];
            // Of a load over the remaining time, what has acted is no longer to come.
            self.load[c] *= (s - first) / s;
        }
        self.impact_set.iter().for_each(|&c| self.gap[c] = 0.0);
        self.remaining = s - first;
        true
    }

    fn is_isolated(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory]) -> bool {
        self.impact_set.iter().all(|&c| {
            self.hits[c] += 1;
            let e = rows.restitutions[c];
            let outruns = e * self.rate[c].abs() > ISOLATION * rows.step * self.acceleration[c].abs();
            self.hits[c] == 1 && self.rate[c] < 0.0 && (e == 0.0 || (outruns && memory[c].quiet_steps > QUIET_STEPS))
        })
    }

    /// Newton's impact law at this instant, on the hit and the closed contacts.
    fn collide(
        &mut self,
        rows: &ContactRows<'_>,
        lcp: &mut ActiveSet,
        out: &mut ContactSolution,
    ) -> Result<(), OneStepError> {
        let (s, c_v) = (self.remaining, rows.damping_weight);
        let hit = self.impact_set.len();
        self.impact_set.extend((0..self.gap.len()).filter(|&c| self.is_closed[c]));
        let rate = &self.rate;
        let hits = &self.impact_set[..hit];
        let offset = |c: usize| {
            if hits.contains(&c) { rate[c] + rows.restitutions[c] * rate[c].min(0.0) } else { rate[c] }
        };
        out.problems += 1;
        lcp.solve(&self.impact_set, |a, b| instant_delassus(rows, a, b), offset)?;
        self.impulse.fill(0.0);
        for (&c, p) in self.impact_set.iter().zip(lcp.values()) {
            self.impulse[c] = *p;
        }
        out.has_moments = true;
        for c in 0..self.gap.len() {
            let before = self.rate[c];
            let jump: f64 = (0..self.gap.len()).map(|k| instant_delassus(rows, c, k) * self.impulse[k]).sum();
            self.rate[c] += jump;
            if !rows.damped.is_empty() {
                let fed_back: f64 = (0..self.gap.len()).map(|k| rows.damped[(c, k)] * self.impulse[k]).sum();
                self.acceleration[c] -= fed_back;
            }
            self.note_impact(rows, (c, before), out);
        }
        add_impulse(&self.impulse, (s, c_v), &mut out.moments);
        self.open_and_close(rows, hit);
        Ok(())
    }

    fn note_impact(&self, rows: &ContactRows<'_>, (c, before): (usize, f64), out: &mut ContactSolution) {
        let (p, after) = (self.impulse[c], self.rate[c]);
        out.impulses[c] += p;
        if p > 0.0 {
            out.work += 0.5 * p * (before + after);
            out.changes.push(ContactChange {
                contact: c,
                kind: ContactChangeKind::Impact,
                time: rows.time + (rows.step - self.remaining),
                rate_before: before,
                rate_after: after,
                impulse: p,
            });
        }
    }

    /// Hit contacts without rebound close; closed contacts that are thrown open open.
    fn open_and_close(&mut self, rows: &ContactRows<'_>, hit: usize) {
        for (i, &c) in self.impact_set.iter().enumerate() {
            let is_hit_without_rebound = i < hit && rows.restitutions[c] == 0.0 && self.impulse[c] > 0.0;
            let is_held = i >= hit && self.impulse[c] > 0.0;
            if is_hit_without_rebound || is_held {
                self.rate[c] = 0.0;
                self.is_closed[c] = true;
            } else if i >= hit && self.rate[c] > 0.0 {
                self.is_closed[c] = false;
            }
        }
    }

    /// Whether the sequence left no contact closing behind its back.
    fn finish(&mut self) -> bool {
        let s = self.remaining;
        self.last_span = s.max(f64::MIN_POSITIVE);
        for c in 0..self.gap.len() {
            let (end_gap, end_rate) =
                (self.gap[c] + s * (self.rate[c] + 0.5 * s * self.acceleration[c]), self.rate[c] + s * self.acceleration[c]);
            let was_missed = !self.is_closed[c] && self.hits[c] == 0 && end_gap < 0.0 && end_rate < 0.0;
            if was_missed {
                return false;
            }
        }
        true
    }
}

/// `W₀ = W + c D`: change of the rates at the instant of an impulse.
fn instant_delassus(rows: &ContactRows<'_>, a: usize, b: usize) -> f64 {
    let damped = if rows.damped.is_empty() { 0.0 } else { rows.damping_weight * rows.damped[(a, b)] };
    rows.delassus[(a, b)] + damped
}

fn response(rows: &ContactRows<'_>, c: usize, impulses: &[f64]) -> f64 {
    impulses.iter().enumerate().map(|(k, p)| rows.delassus[(c, k)] * p).sum()
}

/// Adds impulses that act `s` before the end of the step.
fn add_impulse(impulses: &[f64], (s, c): (f64, f64), moments: &mut ImpulseMoments) {
    for (k, p) in impulses.iter().enumerate() {
        moments.velocity[k] += p;
        moments.velocity_damped[k] += (c - s) * p;
        moments.position[k] += s * p;
        moments.position_damped[k] += s * (c - 0.5 * s) * p;
    }
}

