//! The one-step nonsmooth problem at frictionless contacts.

use nalgebra::DMatrix;

use crate::active_set::ActiveSet;
use crate::impact_sequence::{ImpactSequence, product};
use crate::{ContactChange, ContactChangeKind, ContactMemory, ContactSolution, OneStepError};

/// The contact rows of one step; all vectors have one entry a contact, all matrices one row and column.
#[derive(Debug, Clone, Copy)]
pub struct ContactRows<'a> {
    /// Start of the step (s).
    pub time: f64,
    /// Size of the step `h` (s).
    pub step: f64,
    /// `c` (s): weight of the damping in the iteration matrix.
    pub damping_weight: f64,
    /// Gaps at the start `y₀` (m).
    pub start_gaps: &'a [f64],
    /// Gap rates at the start `U₀` (m/s).
    pub start_rates: &'a [f64],
    /// Gaps at the end without contact impulses `y₁` (m).
    pub end_gaps: &'a [f64],
    /// Gap rates at the end without contact impulses `U_b` (m/s).
    pub end_rates: &'a [f64],
    /// Newton's coefficients of restitution (–).
    pub restitutions: &'a [f64],
    /// Delassus operator `W` (1/kg): change of the end rates for unit impulses over the step.
    pub delassus: &'a DMatrix<f64>,
    /// Damped companion of `W` (1/(kg s)): the end rates change by `W + (c − s) D` for an impulse `s` before the
    /// end; `0 × 0` without damping.
    pub damped: &'a DMatrix<f64>,
}

/// How impacts inside a step are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpactResolution {
    /// Every impact at its own instant; chatter falls back to the plain problem. Of order two through impacts with
    /// the midpoint rule.
    #[default]
    SubStep,
    /// One complementarity problem over the step (Moreau and Jean): order one through impacts.
    Plain,
    /// The plain problem on the contacts that carried a load before; the others are left to a caller that ends its
    /// steps at impacts, see [`OneStepProblem::collide`].
    ClosedOnly,
    /// The plain problem on the contacts that the forecast `y₀ + h/2 U₀ ≤ 0` closes, as in the thesis of Fancello and
    /// in the book of Acary and Brogliato. It asks for no end gap, but makes energy where a stiff spring drives a light
    /// body.
    Forecast,
}

impl ImpactResolution {
    /// Whether contact `c` takes part in the plain problem of this step.
    #[must_use]
    pub fn is_candidate(self, rows: &ContactRows<'_>, memory: &[ContactMemory], c: usize) -> bool {
        let (y, h) = (rows.start_gaps[c], rows.step);
        if self == Self::Forecast {
            return y + 0.5 * h * rows.start_rates[c] <= 0.0;
        }
        let change = h * (rows.end_rates[c] - rows.start_rates[c]).abs();
        let is_closed = memory[c].is_closed();
        let is_active = self != Self::ClosedOnly || is_closed;
        (is_active && rows.end_gaps[c] <= 0.0) || (is_closed && y <= change)
    }
}

/// The one-step problem: finds the contact impulses of a step.
///
/// A contact is a **candidate** when its contact-free end gap is closed, `y₁ ≤ 0`, or when it carries a load, which
/// the loads of others may keep up. The plain problem on the candidates is Newton's law at velocity level,
///
/// ```text
///   0 ≤ P ⟂ W P + U_b + e min(U₀, 0) ≥ 0
/// ```
///
/// With [`ImpactResolution::SubStep`] every impact is resolved at its own instant: see the module on impact
/// sequences. A rebound too short for that, which would not come to rest within the step either, is chatter and left
/// to the plain problem, as are repeated impacts of contacts too stiff for the step.
///
/// A contact is **closed** when it carries a load at the end of the step. Closed contacts have no restitution until
/// they are released.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10.
#[derive(Debug, Clone)]
pub struct OneStepProblem {
    resolution: ImpactResolution,
    lcp: ActiveSet,
    solution: ContactSolution,
    /// Contacts in the plain problem.
    candidates: Vec<usize>,
    sequence: ImpactSequence,
}

impl OneStepProblem {
    /// The problem for `contacts` contacts.
    #[must_use]
    pub fn new(contacts: usize, resolution: ImpactResolution) -> Self {
        Self {
            resolution,
            lcp: ActiveSet::with_capacity(contacts),
            solution: ContactSolution::new(contacts),
            candidates: Vec::with_capacity(contacts),
            sequence: ImpactSequence::new(contacts),
        }
    }

    /// How impacts are resolved.
    #[must_use]
    pub fn resolution(&self) -> ImpactResolution {
        self.resolution
    }

    /// Whether any contact needs the problem to be solved: a candidate, one that carried load before, or one whose
    /// rate jumped inside the last step.
    #[must_use]
    pub fn is_needed(end_gaps: &[f64], memory: &[ContactMemory]) -> bool {
        end_gaps.iter().any(|gap| !(*gap > 0.0)) || memory.iter().any(|m| m.is_closed() || m.jump != 0.0)
    }

    /// Finds the impulses of the step and remembers, in `memory`, what the next step needs to know.
    ///
    /// # Errors
    /// See [`OneStepError`]; `memory` is then unchanged.
    pub fn solve(
        &mut self,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.solve_as(self.resolution, rows, memory)
    }

    /// As [`solve`](Self::solve), with another resolution for this step.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_as(
        &mut self,
        resolution: ImpactResolution,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.clear();
        check_finite(rows)?;
        for (c, m) in memory.iter_mut().enumerate() {
            m.learn((rows.end_rates[c] - rows.start_rates[c]) / rows.step, rows.step);
        }
        let is_resolved = resolution == ImpactResolution::SubStep
            && self.sequence.run(rows, memory, &mut self.lcp, &mut self.solution)?;
        if is_resolved {
            self.take_sequence(rows, memory);
        } else {
            let is_candidate = |c: &usize| resolution.is_candidate(rows, memory, *c);
            self.candidates.extend((0..memory.len()).filter(is_candidate));
            self.solve_plain(rows, memory)?;
        }
        self.solution.sort_changes();
        Ok(&self.solution)
    }

    /// The plain problem on given candidates, as an iteration needs it that must not change them on the way.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_on(
        &mut self,
        is_candidate: impl Fn(usize) -> bool,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.clear();
        check_finite(rows)?;
        self.candidates.extend((0..memory.len()).filter(|c| is_candidate(*c)));
        self.solve_plain(rows, memory)?;
        self.solution.sort_changes();
        Ok(&self.solution)
    }

    /// Newton's impact law at a communication point: `hits` collide, the contacts that carry a load are held.
    ///
    /// ```text
    ///   0 ≤ P ⟂ W P + b ≥ 0      b = U⁻ + e min(U⁻, 0) where hit,  U⁻ where closed
    /// ```
    ///
    /// Of `rows`, start rates, restitutions, time and `W` (of a jump at this instant) count. The impulses stand in
    /// `sustained`. A hit contact without rebound counts as closed from now on, one thrown open as open.
    ///
    /// # Errors
    /// See [`OneStepError`].
    pub fn collide(
        &mut self,
        rows: &ContactRows<'_>,
        hits: &[usize],
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.clear();
        self.candidates.extend_from_slice(hits);
        self.candidates.extend((0..memory.len()).filter(|c| memory[*c].is_closed() && !hits.contains(c)));
        let restitution = |c: usize| if hits.contains(&c) { rows.restitutions[c] } else { 0.0 };
        self.solve_candidates(rows, |c| rows.start_rates[c] + restitution(c) * rows.start_rates[c].min(0.0))?;
        for i in 0..self.candidates.len() {
            let contact = self.candidates[i];
            let (impulse, rate_before) = (self.solution.sustained[contact], rows.start_rates[contact]);
            let jump = product(rows.delassus, contact, &self.solution.sustained);
            let rate_after = rate_before + jump;
            let m = &mut memory[contact];
            if impulse > 0.0 {
                self.solution.work += 0.5 * impulse * (rate_before + rate_after);
                m.quiet_steps = 0;
                let kind = ContactChangeKind::Impact;
                let time = rows.time;
                self.solution.changes.push(ContactChange {
                    contact,
                    kind,
                    time,
                    rate_before,
                    rate_after,
                    impulse,
                });
            }
            let scale = rows.delassus[(contact, contact)] * impulse + rate_before.abs();
            let is_held = restitution(contact) == 0.0 && (impulse > 0.0 || !(jump > ROUND_OFF * scale));
            if is_held {
                m.load = m.load.max(f64::MIN_POSITIVE);
            } else if m.is_closed() {
                m.load = 0.0;
                self.note_release(contact, (rows.time, rate_before, rate_after));
            }
        }
        Ok(&self.solution)
    }

    /// A step without any contact load: only time passes.
    pub fn skip(&mut self, memory: &mut [ContactMemory]) {
        self.clear();
        for m in memory {
            m.jump = 0.0;
            remember(m, 0.0, 0.0);
        }
    }

    /// The solution of the last step.
    #[must_use]
    pub fn solution(&self) -> &ContactSolution {
        &self.solution
    }

    /// Forgets the last solution.
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.solution.reset();
    }

    /// The complementarity problem on the candidates; the impulses stand in `sustained`.
    fn solve_candidates(
        &mut self,
        rows: &ContactRows<'_>,
        offset: impl Fn(usize) -> f64,
    ) -> Result<(), OneStepError> {
        let s = &mut self.solution;
        s.clear();
        s.problems += 1;
        self.lcp.solve(&self.candidates, |a, b| rows.delassus[(a, b)], offset)?;
        for (&c, p) in self.candidates.iter().zip(self.lcp.values()) {
            s.sustained[c] = *p;
        }
        s.impulses.copy_from_slice(&s.sustained);
        Ok(())
    }

    fn solve_plain(
        &mut self,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<(), OneStepError> {
        self.solve_candidates(rows, |c| {
            rows.end_rates[c] + rows.restitutions[c] * rows.start_rates[c].min(0.0)
        })?;
        for contact in 0..memory.len() {
            let impulse = self.solution.sustained[contact];
            let (rate_before, free) = (rows.start_rates[contact], rows.end_rates[contact]);
            let rate_after = free + product(rows.delassus, contact, &self.solution.sustained);
            let rebound = -rows.restitutions[contact] * rate_before.min(0.0);
            let is_closed = impulse > 0.0 && rebound <= SMALL_REBOUND * (free - rate_before).abs();
            if impulse > 0.0 {
                self.solution.work += 0.5 * impulse * (rate_before + rate_after);
                let is_jump =
                    rate_before < 0.0 && rate_after - rate_before > 2.0 * (free - rate_before).abs();
                let change = |kind| {
                    let time = rows.time + closing_time(rows, contact);
                    ContactChange { contact, kind, time, rate_before, rate_after, impulse }
                };
                if is_jump || !is_closed {
                    self.solution.changes.push(change(ContactChangeKind::Impact));
                }
                if is_closed && !memory[contact].is_closed() {
                    self.solution.changes.push(change(ContactChangeKind::Closing));
                }
            }
            if memory[contact].is_closed() && !is_closed {
                let time = rows.time + self.release_time(rows, (contact, rate_after), memory[contact].load);
                self.note_release(contact, (time, rate_before, rate_after));
            }
            let load = if is_closed { impulse / rows.step } else { 0.0 };
            remember(&mut memory[contact], load, impulse);
        }
        Ok(())
    }

    /// Notes closings and releases of the sequence, and remembers the loads at the end.
    fn take_sequence(&mut self, rows: &ContactRows<'_>, memory: &mut [ContactMemory]) {
        for contact in 0..memory.len() {
            let (was_closed, load) = (memory[contact].is_closed(), self.sequence.end_force(contact));
            let (impulse, rate_after) = (self.solution.impulses[contact], self.sequence.end_rate(contact));
            if load > 0.0 && !was_closed {
                let (after, rate_before) = self.sequence.closing(contact);
                let (kind, time) = (ContactChangeKind::Closing, rows.time + after);
                let impulse = load * (rows.step - after);
                self.solution.changes.push(ContactChange {
                    contact,
                    kind,
                    time,
                    rate_before,
                    rate_after,
                    impulse,
                });
            } else if was_closed && !(load > 0.0) {
                let known = self.sequence.opening(contact);
                let after = known
                    .unwrap_or_else(|| self.release_time(rows, (contact, rate_after), memory[contact].load));
                self.note_release(contact, (rows.time + after, rows.start_rates[contact], rate_after));
            }
            remember(&mut memory[contact], load, impulse);
            (memory[contact].jump, memory[contact].acceleration) =
                self.sequence.aftermath(contact, rows.step);
        }
    }

    fn note_release(&mut self, contact: usize, (time, rate_before, rate_after): (f64, f64, f64)) {
        let kind = ContactChangeKind::Release;
        self.solution.changes.push(ContactChange {
            contact,
            kind,
            time,
            rate_before,
            rate_after,
            impulse: 0.0,
        });
    }

    /// Time (s) from the start of the step at which a contact that carried `load` (N) in the last step was released:
    /// where its force, interpolated between the mean of the last step and the tension that would hold it now, passes
    /// zero. The contacts that carry a load over the step stay closed in this.
    fn release_time(&mut self, rows: &ContactRows<'_>, (contact, rate): (usize, f64), load: f64) -> f64 {
        let sustained = &self.solution.sustained;
        self.candidates.clear();
        self.candidates.extend((0..sustained.len()).filter(|&c| sustained[c] > 0.0 && c != contact));
        self.candidates.push(contact);
        let offset = |c: usize| if c == contact { rate } else { 0.0 };
        let held = self.lcp.last_of_equality(&self.candidates, |a, b| rows.delassus[(a, b)], offset);
        let tension = (-held.unwrap_or(0.0)).max(0.0) / rows.step;
        rows.step * (load / (load + tension) - 0.5)
    }
}

/// Rate changes below this share of the terms they are the sum of are round-off.
const ROUND_OFF: f64 = 1e-12;
/// A rebound below this share of the contact-free rate change of the step is none.
const SMALL_REBOUND: f64 = 1e-6;

fn check_finite(rows: &ContactRows<'_>) -> Result<(), OneStepError> {
    let is_finite = |c: &usize| {
        [rows.end_gaps[*c], rows.end_rates[*c], rows.delassus[(*c, *c)]].iter().all(|x| x.is_finite())
    };
    match (0..rows.end_gaps.len()).find(|c| !is_finite(c)) {
        Some(contact) => Err(OneStepError::NotFinite { contact }),
        None => Ok(()),
    }
}

fn remember(memory: &mut ContactMemory, load: f64, impulse: f64) {
    memory.load = load;
    memory.quiet_steps = if impulse > 0.0 { 0 } else { memory.quiet_steps.saturating_add(1) };
}

/// Time (s) after the start at which the gap closes, by the parabola through start gap, start rate and end rate.
fn closing_time(rows: &ContactRows<'_>, c: usize) -> f64 {
    let (y, u, h) = (rows.start_gaps[c], rows.start_rates[c], rows.step);
    root_of_parabola(y, u, (rows.end_rates[c] - u) / h, h).unwrap_or(0.0)
}

/// First root in `[0, limit]` of `y + u t + a t²/2`, for `y ≥ 0`, at which the parabola falls; accurate for small `y`
/// and `a`.
#[must_use]
pub fn root_of_parabola(y: f64, u: f64, a: f64, limit: f64) -> Option<f64> {
    let discriminant = u * u - 2.0 * a * y;
    if y < 0.0 || discriminant < 0.0 {
        return None;
    }
    // Of the two forms of a root, the one in which nothing cancels.
    let (numerator, denominator) = if u > 0.0 || (y == 0.0 && u == 0.0) {
        (u + discriminant.sqrt(), -a)
    } else {
        (2.0 * y, -u + discriminant.sqrt())
    };
    let root = numerator / denominator;
    (denominator > 0.0 && root.is_finite()).then(|| root.min(limit))
}
