//! The contact rows of one step, and what impulses change in them.

use nalgebra::DMatrix;

use crate::delassus_matrix::EffectiveMass;
use crate::thresholds::ROUNDING;
use crate::{ContactLaws, ContactMemory, DelassusMatrix};

/// What an impact takes from the rates of the rows before its impulses, by row (m/s): what gives way between the bodies to loads over
/// the step moves at rates of its own, and impacts pass it rigidly, so that its ends meet at their instant. It grows linearly over the
/// step.
#[derive(Debug, Clone, Copy)]
pub struct Partings<'a> {
    /// At the start of the step.
    pub start: &'a [f64],
    /// At its end, without contact impulses.
    pub end: &'a [f64],
}

/// The contact rows of one step: the gaps, one per contact, then the slips of the contacts with friction. Gaps are given for
/// the former only; rates and matrices of both. A contact that is absent has infinite gaps and the rates zero; it is no part of the
/// problem.
#[derive(Debug, Clone, Copy)]
pub struct ContactRows<'a> {
    /// Start of the step (s).
    pub time: f64,
    /// Size of the step `h` (s).
    pub step: f64,
    /// Size of the macro step that it is a part of (s): the same, where steps are not split.
    pub macro_step: f64,
    /// `c` (s): weight of the damping in the iteration matrix.
    pub damping_weight: f64,
    /// Impulse of a constant load of 1 N over the step, as the rule takes it (s): the step's size where loads are means over it, less
    /// where the rule remembers accelerations, which carry the rest.
    pub load_weight: f64,
    /// Change of the end gaps by a unit of change of the end rates (s).
    pub position_weight: f64,
    /// Gaps at the start `y₀` (m).
    pub start_gaps: &'a [f64],
    /// Gap and slip rates at the start `U₀` (m/s).
    pub start_rates: &'a [f64],
    /// The largest length (m) that each gap is a difference of, and the largest speed (m/s) of its rate, by which rounding is judged;
    /// empty where gaps and rates are all that is known.
    pub lengths: &'a [f64],
    /// See `lengths`.
    pub speeds: &'a [f64],
    /// Gaps at the end without contact impulses `y₁` (m).
    pub end_gaps: &'a [f64],
    /// Gap and slip rates at the end without contact impulses `U_b` (m/s).
    pub end_rates: &'a [f64],
    /// Restitution and friction of the contacts, and where their slips stand.
    pub laws: &'a ContactLaws,
    /// Delassus operator `W` (1/kg): change of the end rates for unit impulses over the step.
    pub delassus: DelassusMatrix<'a>,
    /// The same for impulses inside the step, where something between the bodies gives way to loads over the step alone; none where it is
    /// `W`.
    pub impacts: Option<DelassusMatrix<'a>>,
    /// What meets at impacts inside the step, where `impacts` is not `W`; none where nothing has parted.
    pub partings: Option<Partings<'a>>,
    /// Damped companion of `W` (1/(kg s)): the end rates change by `W + (c − s) D` for an impulse `s` before the
    /// end; `0 × 0` without damping.
    pub damped: &'a DMatrix<f64>,
    /// Where the rule takes loads at the end of the step for accelerations that it remembers: the time (s) before the end at which an
    /// impact of the plain problem acts as an impulse. None where loads are means over the step, and impacts are loads.
    pub impact_lead: Option<f64>,
}

impl ContactRows<'_> {
    /// Whether loads are means over the step, see [`load_weight`](Self::load_weight).
    pub(crate) fn takes_mean_loads(&self) -> bool {
        (self.load_weight - self.step).abs() <= ROUNDING * self.step
    }

    /// Whether a contact is hit in the step.
    #[must_use]
    pub fn is_any_hit(&self, memory: &[ContactMemory]) -> bool {
        let is_hit = |(c, memory): (usize, &ContactMemory)| {
            !(memory.is_closed() || memory.is_short) && self.start_rates[c] < 0.0 && self.closes(c)
        };
        memory.iter().enumerate().any(is_hit)
    }
}

/// `W₀ = W + c D`: change of the rates at the instant of an impulse.
pub(crate) fn instant_delassus(rows: &ContactRows<'_>, a: usize, b: usize) -> f64 {
    let damped = if rows.damped.is_empty() { 0.0 } else { rows.damping_weight * rows.damped[(a, b)] };
    rows.impacts.unwrap_or(rows.delassus)[(a, b)] + damped
}

/// Rate jump of a row by impulses at this instant.
pub(crate) fn jump_of(rows: &ContactRows<'_>, row: usize, impulse: &[f64]) -> f64 {
    impulse.iter().enumerate().map(|(k, p)| instant_delassus(rows, row, k) * p).sum()
}

/// Entry of `matrix · x`.
pub(crate) fn product<'a>(matrix: impl Into<DelassusMatrix<'a>>, row: usize, x: &[f64]) -> f64 {
    matrix.into().product(row, x)
}
