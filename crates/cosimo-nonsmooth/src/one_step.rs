//! The one-step nonsmooth problem.

mod bounce;
mod collision;
mod plain;

use crate::contact_set::ContactSet;
use crate::delassus_matrix::EffectiveMass;
use crate::impact_sequence::ImpactSequence;
use crate::nearest::Wanted;
use crate::thresholds::ACCEPTED;
use crate::{
    ContactChange, ContactChangeKind, ContactMemory, ContactRows, ContactSolution, FrictionState,
    ImpactResolution, OneStepError, Unsolved,
};

/// The one-step problem: finds the contact impulses of a step.
///
/// A contact is a **candidate** when its contact-free end gap is closed, `y₁ ≤ 0`, or when it carries a load, which
/// the loads of others may keep up. The plain problem on the candidates is Newton's law at velocity level,
///
/// ```text
///   0 ≤ P ⟂ W P + U_b + e min(U₀, 0) ≥ 0
/// ```
///
/// with `+ U₀` for the last term at open contacts that separate all the time, `U₀ > 0` and `U_b > 0`, so that no impulse does work,
/// `P (U₀ + U₁) ≤ 0`, with `+ e U₀` at those that loads bring back within the step, and, at contacts with friction, Coulomb's law on `W P + U_b` along the tangents: see [`ContactLaw`](cosimo_mechanics::ContactLaw).
/// Everything below holds for both.
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
    solver: ContactSet,
    solution: ContactSolution,
    /// Contacts in the plain problem.
    candidates: Vec<usize>,
    sequence: ImpactSequence,
    /// Rates of the rows at the start and the end of a step, where all has met.
    met_rates: [Vec<f64>; 2],
}

impl OneStepProblem {
    /// The problem for `contacts` contacts without friction.
    #[must_use]
    pub fn new(contacts: usize, resolution: ImpactResolution) -> Self {
        Self::with_rows(contacts, contacts, resolution)
    }

    /// The problem for `contacts` contacts with `rows` rows, gaps and slips.
    #[must_use]
    pub fn with_rows(contacts: usize, rows: usize, resolution: ImpactResolution) -> Self {
        Self {
            resolution,
            solver: ContactSet::with_capacity(contacts),
            solution: ContactSolution::with_rows(contacts, rows),
            candidates: Vec::with_capacity(contacts),
            sequence: ImpactSequence::new(contacts, rows),
            met_rates: Default::default(),
        }
    }

    /// With a residual (–) that contacts with friction need not fall below in the plain problem, as a share of the velocities in it.
    /// What is less than the default, 1e-9, has no effect: round-off is aimed at, and what each step needs is met.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        if self.resolution == ImpactResolution::Plain {
            self.solver.set_tolerance(tolerance);
        }
        self
    }

    /// With a residual (–) up to which the best impulses found are taken where no method gets to what a step needs, if they are in their
    /// cones of friction; above it, and by default, such a problem is an error. [`unsolved`](Self::unsolved) tells of them.
    #[must_use]
    pub fn with_bound(mut self, bound: f64) -> Self {
        self.solver.set_bound(bound);
        self
    }

    /// What the last problem was left with that no method solved; the worst, where the step had several. `None` where all are solved.
    #[must_use]
    pub fn unsolved(&self) -> Option<Unsolved> {
        self.solver.unsolved()
    }

    /// How impacts are resolved.
    #[must_use]
    pub fn resolution(&self) -> ImpactResolution {
        self.resolution
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
        // Of a step that is split at impacts, which iterates.
        let iterates = resolution == ImpactResolution::ClosedOnly;
        self.solver.look_for(if iterates { Wanted::Least } else { Wanted::Any });
        check_finite(rows)?;
        learn(rows, memory);
        let is_resolved = resolution == ImpactResolution::SubStep
            && !has_stiff_candidates(rows, memory)
            && self.sequence.run(rows, memory, &mut self.solver, &mut self.solution)?;
        if is_resolved {
            self.take_sequence(rows, memory);
        } else {
            self.solve_candidates_of(resolution, rows, memory)?;
        }
        self.solution.sort_changes();
        Ok(&self.solution)
    }

    /// The plain problem on the candidates of the step, where it is not resolved impact by impact.
    fn solve_candidates_of(
        &mut self,
        resolution: ImpactResolution,
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<(), OneStepError> {
        self.solver.remainder().clear();
        let candidates = resolution.candidates(rows, memory);
        self.candidates.extend((0..memory.len()).filter(|c| candidates.has(*c)));
        match rows.partings.filter(|_| rows.is_any_hit(memory)) {
            Some(partings) => self.solve_plain_where_all_meets((resolution, partings), rows, memory),
            None => self.solve_plain(resolution, rows, memory),
        }
    }

    /// The plain problem on given candidates, as an iteration needs it that must not change them on the way.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_on(
        &mut self,
        (resolution, is_candidate): (ImpactResolution, impl Fn(usize) -> bool),
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.solver.look_for(Wanted::Any);
        self.solve_on_candidates((resolution, is_candidate), rows, memory)
    }

    fn solve_on_candidates(
        &mut self,
        (resolution, is_candidate): (ImpactResolution, impl Fn(usize) -> bool),
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        self.clear();
        check_finite(rows)?;
        self.candidates.extend((0..memory.len()).filter(|c| is_candidate(*c)));
        self.solve_plain(resolution, rows, memory)?;
        self.solution.sort_changes();
        Ok(&self.solution)
    }

    /// As [`solve_as`](Self::solve_as) by the plain problem, on candidates that are known: those of the first pass of a step that is
    /// solved in passes, and what has joined them since.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_again(
        &mut self,
        candidates: (ImpactResolution, impl Fn(usize) -> bool),
        rows: &ContactRows<'_>,
        memory: &mut [ContactMemory],
    ) -> Result<&ContactSolution, OneStepError> {
        check_finite(rows)?;
        learn(rows, memory);
        self.solver.look_for(Wanted::Nearest);
        self.solve_on_candidates(candidates, rows, memory)
    }

    /// A step without any contact load, at the start and the end of which the gaps have these rates (m/s): only time passes.
    pub fn skip(&mut self, [start_rates, end_rates]: [&[f64]; 2], memory: &mut [ContactMemory]) {
        self.clear();
        // What is solved in later passes begins from nothing, not from a step before.
        self.solver.look_for(Wanted::Any);
        for ((m, start), end) in memory.iter_mut().zip(start_rates).zip(end_rates) {
            m.jump = 0.0;
            m.is_short &= !rises(*start, end - start);
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
        self.solver.remainder().clear();
        self.solution.reset();
    }

    /// Remembers whether a contact sticks or slides, and notes a change of that while it stays closed; `turning` is when its
    /// slip stopped, where that is known.
    fn take_state(
        &mut self,
        rows: &ContactRows<'_>,
        contact: usize,
        (stays_closed, state, turning): (bool, FrictionState, Option<f64>),
        memory: &mut ContactMemory,
    ) {
        let before = memory.state;
        memory.state = if memory.is_closed() { state } else { FrictionState::None };
        let kind = match (before, memory.state) {
            (FrictionState::Slip, FrictionState::Stick) => ContactChangeKind::Stick,
            (FrictionState::Stick, FrictionState::Slip) => ContactChangeKind::Slip,
            _ => return,
        };
        if !stays_closed {
            return;
        }
        let (impulse, tangential) =
            (self.solution.impulses[contact], rows.laws.tangential(contact, &self.solution.impulses));
        // Friction at its bound would have done what it did in this share of the step.
        let bound = rows.laws.of(contact).friction * impulse;
        let share = if kind == ContactChangeKind::Stick && bound > 0.0 {
            (tangential[0].hypot(tangential[1]) / bound).min(1.0)
        } else {
            0.0
        };
        let rate = rows.start_rates[contact];
        self.solution.changes.push(ContactChange {
            contact,
            kind,
            time: rows.time + turning.unwrap_or(share * rows.step),
            rate_before: rate,
            rate_after: rate,
            impulse,
            tangential,
            state,
            work: 0.0,
        });
    }

    /// Notes closings and releases of the sequence, and remembers the loads at the end.
    fn take_sequence(&mut self, rows: &ContactRows<'_>, memory: &mut [ContactMemory]) {
        for contact in 0..memory.len() {
            let (was_closed, load) = (memory[contact].is_closed(), self.sequence.end_force(contact));
            let (impulse, rate_after) = (self.solution.impulses[contact], self.sequence.end_rate(contact));
            let state = self.sequence.end_state(rows, contact);
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
                    tangential: rows.laws.tangential(contact, self.sequence.loads()),
                    state,
                    work: 0.0,
                });
            } else if was_closed && !(load > 0.0) {
                let known = self.sequence.opening(contact);
                let after = known
                    .unwrap_or_else(|| self.release_time(rows, (contact, rate_after), memory[contact].load));
                self.note_release(contact, (rows.time + after, rows.start_rates[contact], rate_after));
            }
            self.solution.forces[contact] = load;
            for row in rows.laws.slips(contact) {
                self.solution.forces[row] = self.sequence.end_friction(row);
            }
            memory[contact].is_short = false;
            remember(&mut memory[contact], load, impulse);
            (memory[contact].jump, memory[contact].acceleration) = self.sequence.aftermath(rows, contact);
            let stays_closed = was_closed && load > 0.0;
            let turning = self.sequence.turning(contact);
            self.take_state(rows, contact, (stays_closed, state, turning), &mut memory[contact]);
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
            tangential: [0.0; 2],
            state: FrictionState::None,
            work: 0.0,
        });
    }

    /// Time (s) from the start of the step at which a contact that carried `load` (N) in the last step was released:
    /// where its force, interpolated between the mean of the last step and the tension that would hold it now, passes
    /// zero. The contacts that carry a load over the step stay closed in this, of many those that it meets.
    fn release_time(&mut self, rows: &ContactRows<'_>, (contact, rate): (usize, f64), load: f64) -> f64 {
        let sustained = &self.solution.sustained;
        let is_held = |c: &usize| sustained[*c] > 0.0 && *c != contact;
        self.candidates.clear();
        match rows.delassus.met_by(contact) {
            None => self.candidates.extend((0..rows.laws.len()).filter(is_held)),
            Some(met) => {
                let gaps = met.iter().copied().take_while(|row| *row < rows.laws.len());
                self.candidates.extend(gaps.filter(is_held));
            }
        }
        self.candidates.push(contact);
        let offset = |c: usize| if c == contact { rate } else { 0.0 };
        let held = self.solver.lcp.last_of_equality(&self.candidates, |a, b| rows.delassus[(a, b)], offset);
        let tension = (-held.unwrap_or(0.0)).max(0.0) / rows.load_weight;
        rows.step * (load / (load + tension) - 0.5)
    }
}

/// Whether a gap rises at this rate (m/s), which is more than round-off of its change in a step.
fn rises(rate: f64, change: f64) -> bool {
    rate > ACCEPTED * change.abs()
}

/// Friction impulse of a contact, and what it does.
fn friction_of(
    rows: &ContactRows<'_>,
    contact: usize,
    (impulses, residual): (&[f64], f64),
) -> ([f64; 2], FrictionState) {
    let tangential = rows.laws.tangential(contact, impulses);
    (tangential, FrictionState::of((rows.laws.of(contact).friction, residual), impulses[contact], tangential))
}

/// Whether a candidate is known to be too stiff for impacts inside the step.
fn has_stiff_candidates(rows: &ContactRows<'_>, memory: &[ContactMemory]) -> bool {
    if !memory.iter().any(ContactMemory::swings) {
        return false;
    }
    let candidates = ImpactResolution::Plain.candidates(rows, memory);
    memory.iter().enumerate().any(|(c, m)| m.swings() && candidates.has(c))
}

/// Whether a contact is absent in the step: infinitely far away.
fn is_absent(rows: &ContactRows<'_>, c: usize) -> bool {
    rows.start_gaps[c] == f64::INFINITY
}

fn check_finite(rows: &ContactRows<'_>) -> Result<(), OneStepError> {
    let is_row_finite = |k: usize| rows.end_rates[k].is_finite() && rows.delassus[(k, k)].is_finite();
    let is_finite = |c: &usize| {
        let gap_is_valid = rows.end_gaps[*c].is_finite() || is_absent(rows, *c);
        gap_is_valid && is_row_finite(*c) && rows.laws.slips(*c).all(is_row_finite)
    };
    match (0..rows.end_gaps.len()).find(|c| !is_finite(c)) {
        Some(contact) => Err(OneStepError::NotFinite { contact }),
        None => Ok(()),
    }
}

/// The contacts learn from the contact-free accelerations of the step.
fn learn(rows: &ContactRows<'_>, memory: &mut [ContactMemory]) {
    for (c, m) in memory.iter_mut().enumerate() {
        m.learn((rows.end_rates[c] - rows.start_rates[c]) / rows.step, rows.step);
    }
}

fn remember(memory: &mut ContactMemory, load: f64, impulse: f64) {
    memory.load = load;
    memory.quiet_steps = if impulse > 0.0 { 0 } else { memory.quiet_steps.saturating_add(1) };
}
