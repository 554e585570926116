//! Which contacts take part in the problem of a step.

use crate::impact_sequence::dips;
use crate::thresholds::{ACCEPTED, ROUNDING, TIE};
use crate::{ContactMemory, ContactRows};

/// How impacts inside a step are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImpactResolution {
    /// Every impact at its own instant; chatter falls back to the plain problem. Of order two through impacts with
    /// the midpoint rule.
    #[default]
    SubStep,
    /// One complementarity problem over the step (Moreau and Jean): order one through impacts.
    Plain,
    /// The plain problem, without restitution, on the contacts that are closed or touch at rest; the others are left to a caller that
    /// ends its steps at impacts, see [`OneStepProblem::collide`](crate::OneStepProblem::collide).
    ClosedOnly,
}

/// The contacts that take part in the plain problem of a step.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    resolution: ImpactResolution,
    rows: &'a ContactRows<'a>,
    memory: &'a [ContactMemory],
    /// The largest change of a gap rate in the step without contact impulses (m/s).
    change: f64,
}

impl ImpactResolution {
    /// The contacts that take part in the plain problem of this step.
    #[must_use]
    pub fn candidates<'a>(self, rows: &'a ContactRows<'a>, memory: &'a [ContactMemory]) -> Candidates<'a> {
        Candidates { resolution: self, rows, memory, change: rows.largest_change() }
    }

    /// Whether any contact needs the problem to be solved: a candidate, one that is hit inside the step, one that carried load
    /// before, or one whose rate jumped inside the last step. Matrices are not asked for.
    #[must_use]
    pub fn is_needed(self, rows: &ContactRows<'_>, memory: &[ContactMemory]) -> bool {
        if memory.iter().any(|m| m.is_closed() || m.jump != 0.0) {
            return true;
        }
        if self == Self::SubStep {
            return memory.iter().enumerate().any(|(c, m)| !(rows.end_gaps[c] > 0.0) || dips(rows, *m, c));
        }
        let candidates = self.candidates(rows, memory);
        (0..memory.len()).any(|c| (rows.closes(c) && self != Self::ClosedOnly) || candidates.has(c))
    }
}

impl Candidates<'_> {
    /// Whether contact `c` takes part.
    #[must_use]
    pub fn has(&self, c: usize) -> bool {
        let Self { resolution, rows, memory, change } = *self;
        let (is_closed, gap) = (memory[c].is_closed(), rows.start_gaps[c]);
        let is_forecast = rows.laws.of(c).activation.gamma.is_some();
        match resolution {
            ImpactResolution::ClosedOnly => is_closed || memory[c].arrives || rows.touches_at_rest(c, change),
            ImpactResolution::Plain if is_forecast => rows.closes(c),
            ImpactResolution::Plain | ImpactResolution::SubStep => {
                let has_drifted = || is_closed && gap <= drift(rows, c);
                rows.closes(c) || has_drifted() || rows.touches_at_rest(c, change)
            }
        }
    }
}

/// By how much a closed contact may have drifted in a macro step (m): in a short part of one it would else seem to be open.
fn drift(rows: &ContactRows<'_>, c: usize) -> f64 {
    let macro_step = rows.macro_step.max(rows.step);
    macro_step * (macro_step / rows.step) * (rows.end_rates[c] - rows.start_rates[c]).abs()
}

/// The rounding (m) of a gap that is a difference of lengths (m) of which this is the largest: one below is zero.
#[must_use]
pub fn gap_rounding(length: f64) -> f64 {
    ROUNDING * length
}

/// How far (m) a gap below zero at the end of a step, in which it makes this way (m), is still open: rounding, and what is hit in the next
/// step.
#[must_use]
pub fn closing_tolerance(length: f64, displacement: f64) -> f64 {
    gap_rounding(length).max(TIE * displacement.abs())
}

impl ContactRows<'_> {
    /// Whether a contact closes in the step, by its forecast where it has one: what reaches its obstacle at the end, but for rounding, is
    /// hit in the next one, whatever the steps before have left of round-off.
    pub(crate) fn closes(&self, c: usize) -> bool {
        if let Some(gamma) = self.laws.of(c).activation.gamma {
            return self.start_gaps[c] + gamma * self.step * self.start_rates[c] <= 0.0;
        }
        !(self.end_gaps[c] > -closing_tolerance(self.length(c), self.step * self.end_rates[c]))
    }

    /// Whether the gap of a contact is zero but for rounding.
    fn touches(&self, c: usize) -> bool {
        self.start_gaps[c] <= gap_rounding(self.length(c))
    }

    /// The largest length (m) that the gap is a difference of; zero where it is not known.
    fn length(&self, c: usize) -> f64 {
        self.lengths.get(c).copied().unwrap_or(0.0)
    }

    /// Whether a contact touches and its gap rate is zero: below the rounding of what it is a difference of, and below what solvers
    /// leave of the largest `change` of a rate in the step (m/s).
    pub(crate) fn touches_at_rest(&self, c: usize, change: f64) -> bool {
        let speed = self.speeds.get(c).copied().unwrap_or(0.0);
        self.touches(c) && self.start_rates[c].abs() <= (ROUNDING * speed).max(ACCEPTED * change)
    }

    /// The largest change of a gap rate in the step without contact impulses (m/s).
    fn largest_change(&self) -> f64 {
        let changes = self.end_gaps.iter().zip(self.end_rates).zip(self.start_rates);
        changes.map(|((_, end), start)| (end - start).abs()).fold(0.0, f64::max)
    }
}
