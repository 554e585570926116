//! The one-step nonsmooth problem at frictionless contacts.

use cosimo_complementarity::{LcpOutcome, LcpProblem, LcpStatus, LemkeWorkspace};
use cosimo_dynamics::ImpulseMoments;
use nalgebra::DMatrix;
use thiserror::Error;

use crate::ContactMemory;
use crate::impact_sequence::ImpactSequence;

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
    /// Every isolated impact at its own instant; chatter and accumulation fall back to the plain problem.
    #[default]
    SubStep,
    /// One complementarity problem over the step (Moreau and Jean): order one through impacts.
    Plain,
    /// The plain problem on the contacts that carried a load before; the others are left to a caller that ends its
    /// steps at impacts, see [`OneStepProblem::collide`].
    ClosedOnly,
}

/// What happened at a contact in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactChange {
    /// Index of the contact.
    pub contact: usize,
    /// What happened.
    pub kind: ContactChangeKind,
    /// When (s).
    pub time: f64,
    /// Gap rate before (m/s).
    pub rate_before: f64,
    /// Gap rate after (m/s).
    pub rate_after: f64,
    /// Impulse (N s).
    pub impulse: f64,
}

/// Kind of a [`ContactChange`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactChangeKind {
    /// A velocity jump.
    Impact,
    /// The contact begins to carry a load over time.
    Closing,
    /// The contact stops carrying load.
    Release,
}

/// Why the one-step problem has no solution.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum OneStepError {
    /// The complementarity solver failed.
    #[error("the complementarity problem of {contacts} contacts was not solved ({status:?}, residual {residual:e})")]
    NotSolved {
        /// Number of contacts in the problem.
        contacts: usize,
        /// How the solver ended.
        status: LcpStatus,
        /// Residual reached.
        residual: f64,
    },
    /// Data that are not finite.
    #[error("a gap, rate or effective mass at contact {contact} is not finite")]
    NotFinite {
        /// Index of the contact.
        contact: usize,
    },
}

/// Impulses of a step at the contacts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactSolution {
    /// Impulses (N s) of the loads that act over the whole step.
    pub sustained: Vec<f64>,
    /// Impulses inside the step, by their moments about its end.
    pub moments: ImpulseMoments,
    /// Whether there are impulses inside the step.
    pub has_moments: bool,
    /// Energy that the impulses take out, `Σ P (U⁻ + U⁺)/2` (J).
    pub work: f64,
    /// All impulses of the step by contact (N s).
    pub impulses: Vec<f64>,
    /// What happened, in order of time.
    pub changes: Vec<ContactChange>,
    /// Complementarity problems solved.
    pub problems: u32,
}

/// The one-step problem: finds the contact impulses of a step.
///
/// A contact is a **candidate** when its contact-free end gap is closed, `y₁ ≤ 0`. The plain problem on the
/// candidates is Newton's law at velocity level,
///
/// ```text
///   0 ≤ P ⟂ W P + U_b + e min(U₀, 0) ≥ 0
/// ```
///
/// With [`ImpactResolution::SubStep`] every impact that stands alone is resolved at its own instant: see the
/// module on impact sequences. A rebound that does not outrun the acceleration of one step, `e |U⁻| ≤ 2 h |a|`, is
/// chatter and left to the plain problem, as is a contact that was hit less than four steps ago.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 10.
#[derive(Debug, Clone)]
pub struct OneStepProblem {
    resolution: ImpactResolution,
    pub(crate) lcp: ActiveSet,
    pub(crate) solution: ContactSolution,
    candidates: Vec<usize>,
    sequence: ImpactSequence,
}

impl OneStepProblem {
    /// The problem for `contacts` contacts.
    #[must_use]
    pub fn new(contacts: usize, resolution: ImpactResolution) -> Self {
        let zero = vec![0.0; contacts];
        Self {
            resolution,
            lcp: ActiveSet::with_capacity(contacts),
            solution: ContactSolution {
                sustained: zero.clone(),
                moments: ImpulseMoments {
                    velocity: zero.clone(),
                    velocity_damped: zero.clone(),
                    position: zero.clone(),
                    position_damped: zero.clone(),
                },
                has_moments: false,
                work: 0.0,
                impulses: zero,
                changes: Vec::with_capacity(8 * contacts),
                problems: 0,
            },
            candidates: Vec::with_capacity(contacts),
            sequence: ImpactSequence::new(contacts),
        }
    }

    /// How impacts are resolved.
    #[must_use]
    pub fn resolution(&self) -> ImpactResolution {
        self.resolution
    }

    /// Whether any contact needs the problem to be solved: a candidate, or one that carried load before.
    #[must_use]
    pub fn is_needed(rows: &ContactRows<'_>, memory: &[ContactMemory]) -> bool {
        rows.end_gaps.iter().any(|gap| !(*gap > 0.0)) || memory.iter().any(ContactMemory::is_closed)
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
        for contact in 0..rows.end_gaps.len() {
            let finite = rows.end_gaps[contact].is_finite()
                && rows.end_rates[contact].is_finite()
                && rows.delassus[(contact, contact)].is_finite();
            if !finite {
                return Err(OneStepError::NotFinite { contact });
            }
            let may_load = resolution != ImpactResolution::ClosedOnly || memory[contact].is_closed();
            if rows.end_gaps[contact] <= 0.0 && may_load {
                self.candidates.push(contact);
            }
        }
        let is_resolved = resolution == ImpactResolution::SubStep
            && self.candidates.iter().any(|&c| !memory[c].is_closed())
            && self.sequence.run(rows, memory, (&self.candidates, &mut self.lcp, &mut self.solution))?;
        if !is_resolved {
            self.solve_plain(rows, memory)?;
        }
        self.note_releases(rows, memory);
        self.remember(rows, memory);
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
        let s = &mut self.solution;
        s.problems = 1;
        let restitution = |c: usize| if hits.contains(&c) { rows.restitutions[c] } else { 0.0 };
        let offset = |c: usize| rows.start_rates[c] + restitution(c) * rows.start_rates[c].min(0.0);
        self.lcp.solve(&self.candidates, |a, b| rows.delassus[(a, b)], offset)?;
        for (&c, p) in self.candidates.iter().zip(self.lcp.values()) {
            s.sustained[c] = *p;
        }
        s.impulses.copy_from_slice(&s.sustained);
        for &c in &self.candidates {
            let (p, before) = (s.sustained[c], rows.start_rates[c]);
            let after = before + (0..s.sustained.len()).map(|k| rows.delassus[(c, k)] * s.sustained[k]).sum::<f64>();
            if p > 0.0 {
                s.work += 0.5 * p * (before + after);
                memory[c].quiet_steps = 0;
                s.changes.push(ContactChange {
                    contact: c,
                    kind: ContactChangeKind::Impact,
                    time: rows.time,
                    rate_before: before,
                    rate_after: after,
                    impulse: p,
                });
            }
            let stays = p > 0.0 && restitution(c) == 0.0;
            memory[c].load = if stays { memory[c].load.max(f64::MIN_POSITIVE) } else { 0.0 };
        }
        Ok(&self.solution)
    }

    /// A step without any contact load: only time passes.
    pub fn skip(&mut self, memory: &mut [ContactMemory]) {
        self.clear();
        for m in memory {
            m.load = 0.0;
            m.quiet_steps = m.quiet_steps.saturating_add(1);
        }
    }

    /// Takes over the solutions of smaller problems without impulses inside the step, each with the indices of its
    /// contacts among this problem's.
    pub fn collect<'a>(&mut self, parts: impl Iterator<Item = (&'a [usize], &'a ContactSolution)>) {
        self.clear();
        let s = &mut self.solution;
        for (contacts, part) in parts {
            for (local, &c) in contacts.iter().enumerate() {
                s.sustained[c] = part.sustained[local];
                s.impulses[c] = part.impulses[local];
            }
            s.work += part.work;
            s.problems += part.problems;
            s.changes.extend(part.changes.iter().map(|change| ContactChange { contact: contacts[change.contact], ..*change }));
        }
        s.changes.sort_by(|a, b| a.time.total_cmp(&b.time));
    }

    /// The solution of the last step.
    #[must_use]
    pub fn solution(&self) -> &ContactSolution {
        &self.solution
    }

    fn clear(&mut self) {
        self.candidates.clear();
        let s = &mut self.solution;
        s.problems = 0;
        s.work = 0.0;
        s.changes.clear();
        s.impulses.fill(0.0);
        s.sustained.fill(0.0);
        if s.has_moments {
            clear_moments(&mut s.moments);
            s.has_moments = false;
        }
    }

    fn solve_plain(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory]) -> Result<(), OneStepError> {
        let s = &mut self.solution;
        s.changes.clear();
        s.work = 0.0;
        if s.has_moments {
            clear_moments(&mut s.moments);
            s.has_moments = false;
        }
        s.sustained.fill(0.0);
        s.problems += 1;
        let offset = |c: usize| rows.end_rates[c] + rows.restitutions[c] * rows.start_rates[c].min(0.0);
        self.lcp.solve(&self.candidates, |a, b| rows.delassus[(a, b)], offset)?;
        for (&c, p) in self.candidates.iter().zip(self.lcp.values()) {
            s.sustained[c] = *p;
        }
        s.impulses.copy_from_slice(&s.sustained);
        for &c in &self.candidates {
            let p = s.sustained[c];
            if p <= 0.0 {
                continue;
            }
            let (before, free) = (rows.start_rates[c], rows.end_rates[c]);
            let after = free + (0..s.sustained.len()).map(|k| rows.delassus[(c, k)] * s.sustained[k]).sum::<f64>();
            s.work += 0.5 * p * (before + after);
            let is_jump = after - before > 2.0 * (free - before).abs() && before < 0.0;
            let is_new = !memory[c].is_closed();
            if is_jump || is_new {
                let kind = if is_jump { ContactChangeKind::Impact } else { ContactChangeKind::Closing };
                let time = rows.time + closing_time(rows, c);
                s.changes.push(ContactChange { contact: c, kind, time, rate_before: before, rate_after: after, impulse: p });
            }
        }
        s.changes.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(())
    }

    /// A contact that carried load and no longer does was released where its force, interpolated between the mean
    /// of the last step and the tension that would be needed now, passes zero.
    fn note_releases(&mut self, rows: &ContactRows<'_>, memory: &[ContactMemory]) {
        for (c, m) in memory.iter().enumerate() {
            if !m.is_closed() || self.solution.impulses[c] > 0.0 {
                continue;
            }
            let rate = rows.end_rates[c]
                + (0..memory.len()).map(|k| rows.delassus[(c, k)] * self.solution.impulses[k]).sum::<f64>();
            let tension = rate.max(0.0) / (rows.delassus[(c, c)] * rows.step);
            let share = m.load / (m.load + tension);
            let time = rows.time + rows.step * (share - 0.5);
            self.solution.changes.push(ContactChange {
                contact: c,
                kind: ContactChangeKind::Release,
                time,
                rate_before: rows.start_rates[c],
                rate_after: rate,
                impulse: 0.0,
            });
        }
    }

    fn remember(&self, rows: &ContactRows<'_>, memory: &mut [ContactMemory]) {
        let s = &self.solution;
        for (c, m) in memory.iter_mut().enumerate() {
            let is_hit = s.impulses[c] > 0.0;
            let last = self.sequence.final_load(c);
            m.load = if s.has_moments { last } else { s.sustained[c] / rows.step };
            m.quiet_steps = if is_hit { 0 } else { m.quiet_steps.saturating_add(1) };
        }
    }
}

pub(crate) fn clear_moments(moments: &mut ImpulseMoments) {
    for part in
        [&mut moments.velocity, &mut moments.velocity_damped, &mut moments.position, &mut moments.position_damped]
    {
        part.fill(0.0);
    }
}

/// Time (s) after the start at which the gap closes, by the parabola through start gap, start rate and end rate.
fn closing_time(rows: &ContactRows<'_>, c: usize) -> f64 {
    let (y, u, h) = (rows.start_gaps[c], rows.start_rates[c], rows.step);
    root_of_parabola(y, u, (rows.end_rates[c] - u) / h, h).unwrap_or(0.0)
}

/// First root in `[0, limit]` of `y + u t + a t²/2`, for `y ≥ 0`; accurate for small `y` and `a`.
#[must_use]
pub fn root_of_parabola(y: f64, u: f64, a: f64, limit: f64) -> Option<f64> {
    let discriminant = u * u - 2.0 * a * y;
    if y < 0.0 || discriminant < 0.0 {
        return None;
    }
    let denominator = -u + discriminant.sqrt();
    let root = if y == 0.0 && u < 0.0 { 0.0 } else { 2.0 * y / denominator };
    (denominator > 0.0 && root.is_finite()).then(|| root.min(limit))
}

/// A complementarity problem on a subset of the contacts, with its buffers.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    lemke: LemkeWorkspace,
    matrix: Vec<f64>,
    offset: Vec<f64>,
    values: Vec<f64>,
}

impl ActiveSet {
    fn with_capacity(contacts: usize) -> Self {
        Self {
            lemke: LemkeWorkspace::with_capacity(contacts),
            matrix: Vec::with_capacity(contacts * contacts),
            offset: Vec::with_capacity(contacts),
            values: Vec::with_capacity(contacts),
        }
    }

    /// Solves `0 ≤ z ⟂ M z + q ≥ 0` on `set`, matrix and vector given by contact.
    pub(crate) fn solve(
        &mut self,
        set: &[usize],
        matrix: impl Fn(usize, usize) -> f64,
        offset: impl Fn(usize) -> f64,
    ) -> Result<(), OneStepError> {
        self.matrix.clear();
        self.offset.clear();
        for &column in set {
            self.offset.push(offset(column));
            self.matrix.extend(set.iter().map(|&row| matrix(row, column)));
        }
        self.values.resize(set.len(), 0.0);
        let LcpOutcome { status, residual, .. } = LcpProblem::new(&self.matrix, &self.offset)
            .and_then(|problem| self.lemke.solve(problem, &mut self.values))
            .map_err(|_| OneStepError::NotFinite { contact: set.first().copied().unwrap_or(0) })?;
        if status == LcpStatus::Solved {
            Ok(())
        } else {
            Err(OneStepError::NotSolved { contacts: set.len(), status, residual })
        }
    }

    /// The solution in the order of the set.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
}
