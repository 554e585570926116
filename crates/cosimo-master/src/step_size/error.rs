//! Control by the error of the rows.
//!
//! The estimate of a smooth step is that of `estimate`; a PI control on it chooses the sizes, and a step whose error is
//! above the tolerance is tried again with at most half the size. Impacts are judged by themselves (`impact`):
//!
//! - a velocity jump is no error of the step it happens in, and nothing behind it says anything of what follows: the
//!   past is forgotten at every jump;
//! - a step too large for its impact is not taken. The impact is **approached** instead, by the largest sizes that end
//!   before it, and taken in a step that suits it. That step is at least 1/64 of the one refused, and an impact is refused
//!   three times at most: where the modes that it meets are stiffer than any step resolves, it is taken all the same.
//!
//! A step without a past is tried twice, with two sizes; the second is judged by the first.

use serde::{Deserialize, Serialize};

use crate::step_size::estimate::Accelerations;
use crate::step_size::impact::{Hit, ImpactErrors};
use crate::step_size::pi::{PiControl, SizeBounds};

/// Power of the step size that the error of a step goes with.
const ORDER: f64 = 3.0;
/// Largest growth of the size from step to step.
const GROWTH: f64 = 2.5;
/// Share of the step for an impact of which nothing is known.
const UNKNOWN: f64 = 0.25;
/// Share of a refused step that the step of an impact has at least, and at most.
const SHARES: (f64, f64) = (1.0 / 64.0, 0.5);
const SAFETY: f64 = 0.9;
/// Growth of the size behind what inputs over time do.
const WIDENING: f64 = 2.0;
/// How often an impact may be refused.
const MAX_REJECTIONS: u32 = 3;

/// What to do with a step that was tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    /// Take it.
    Take,
    /// Forget it, and try this size (s).
    Retry(f64),
}

/// An impact that lies ahead.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct PendingImpact {
    /// When (s).
    time: f64,
    /// Size of the step to take it in (s).
    size: f64,
    rejections: u32,
}

/// What was taken although its error is above the tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Excess {
    /// A step of the smallest size.
    Step,
    /// A step with an impact of this error (m), refused as often as impacts may be or in the smallest size.
    Impact(f64),
}

/// Control of the step size by the error of the rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ErrorControl {
    pub(crate) sizes: PiControl,
    /// Error that a step may make in a row (m, or the row's unit).
    tolerance: f64,
    motion: Accelerations,
    impacts: ImpactErrors,
    pending: Option<PendingImpact>,
    /// Error of the step judged last, as a share of the tolerance, where it is known.
    error: Option<f64>,
    /// Error of the impact taken last (m), where it is above the tolerance.
    coarse_impact: Option<f64>,
    /// Whether a size was refused since the last step taken.
    is_rejected: bool,
    is_warned: bool,
    is_warned_of_impacts: bool,
    is_warned_of_inputs: bool,
    /// Size of the step taken last (s), where inputs over time have made it smaller.
    narrowed: Option<f64>,
}

impl ErrorControl {
    /// A control of steps within bounds, for a model with so many rows besides the contacts.
    pub(crate) fn new(bounds: SizeBounds, tolerance: f64, impacts: ImpactErrors, rows: usize) -> Self {
        Self {
            sizes: PiControl::new(bounds, ORDER, GROWTH),
            tolerance,
            motion: Accelerations::unknown(rows + impacts.contacts()),
            impacts,
            pending: None,
            error: None,
            coarse_impact: None,
            is_rejected: false,
            is_warned: false,
            is_warned_of_impacts: false,
            is_warned_of_inputs: false,
            narrowed: None,
        }
    }

    /// A size (s) of at most this, after one that inputs over time have made smaller: twice that. Rules that carry
    /// accelerations on from step to step would multiply what is left of a pulse by the ratio of both sizes.
    pub(crate) fn widen(&self, size: f64) -> f64 {
        self.narrowed.map_or(size, |last| size.min(self.sizes.size_below(WIDENING * last)))
    }

    /// Notes the size of a step taken (s) and whether inputs over time have made it smaller.
    pub(crate) fn note_narrowed(&mut self, taken: f64, is_narrowed: bool) {
        self.narrowed = is_narrowed.then_some(taken);
    }

    /// Error that a step may make in a row (m, or the row's unit).
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Whether to warn of inputs that no step shows: once.
    pub(crate) fn warns_of_inputs(&mut self) -> bool {
        !std::mem::replace(&mut self.is_warned_of_inputs, true)
    }

    /// Whether this control belongs to a model with so many rows and contacts.
    pub(crate) fn fits(&self, rows: usize, contacts: usize) -> bool {
        self.motion.count() == rows + contacts && self.impacts.contacts() == contacts
    }

    /// Size of the next step (s): what the errors allow, and no more than leads to the impact ahead.
    pub(crate) fn size(&self, now: f64) -> f64 {
        let size = self.sizes.size();
        match self.pending {
            None => size,
            Some(ahead) => size.min(self.sizes.size_below(ahead.size.max(ahead.time - now))),
        }
    }

    /// Whether a jump (m/s) matters in a step of this size (s).
    pub(crate) fn matters(&self, size: f64, jump: f64) -> bool {
        !(size * jump.abs() <= self.tolerance)
    }

    /// Judges a step without impacts by the velocities (m/s) at its start and end: of all rows, and of all contacts
    /// without contact impulses; none of contacts that are absent.
    pub(crate) fn judge_motion(
        &mut self,
        size: f64,
        velocities: impl Iterator<Item = Option<(f64, f64)>>,
    ) -> Verdict {
        self.motion.try_step(size, velocities);
        self.error = self.motion.error().map(|error| error / self.tolerance);
        let is_good = self.error.is_some_and(|error| error <= 1.0);
        if is_good || !self.sizes.can_shrink(size) {
            return Verdict::Take;
        }
        if self.motion.are_blind() {
            self.motion.keep_trial();
        }
        match self.error {
            None => Verdict::Retry(self.sizes.size_below(0.5 * size)),
            Some(error) => {
                self.is_rejected = true;
                Verdict::Retry(self.sizes.reject(size, error))
            }
        }
    }

    /// Judges a step from `now` (s) with an impact.
    pub(crate) fn judge_impact(&mut self, now: f64, size: f64, hit: &Hit) -> Verdict {
        self.error = None;
        self.motion.forget_trial();
        let rejections = self.pending.map_or(0, |ahead| ahead.rejections);
        let error = self.impacts.error(size, hit);
        let share = match error {
            None => UNKNOWN,
            Some(error) if error <= self.tolerance => 1.0,
            Some(error) => (SAFETY * (self.tolerance / error).sqrt()).clamp(SHARES.0, SHARES.1),
        };
        if share == 1.0 || rejections == MAX_REJECTIONS || !self.sizes.can_shrink(size) {
            self.coarse_impact = error.filter(|error| *error > self.tolerance);
            return Verdict::Take;
        }
        self.pending =
            Some(PendingImpact { time: now + hit.after, size: share * size, rejections: rejections + 1 });
        Verdict::Retry(self.size(now).min(self.sizes.size_below(0.5 * size)))
    }

    /// The size (s) to try after one that failed, if there is any.
    pub(crate) fn after_failure(&mut self, size: f64) -> Option<f64> {
        self.is_rejected = true;
        self.sizes.can_shrink(size).then(|| self.sizes.reject(size, f64::INFINITY))
    }

    /// Takes up a step of this size that was taken and has led to `now` (s); returns what was taken in spite of its error, of
    /// each kind once.
    pub(crate) fn accept(&mut self, size: f64, now: f64, has_jumped: bool) -> Option<Excess> {
        let error = self.error.take();
        let is_rejected = std::mem::take(&mut self.is_rejected);
        self.motion.accept();
        if has_jumped {
            self.motion.clear();
            self.sizes.restart(size);
        } else if let Some(error) = error {
            self.sizes.follow(size, error, !is_rejected);
        }
        // An impact that has stayed away is not waited for.
        if has_jumped || self.pending.is_some_and(|ahead| now > ahead.time + ahead.size) {
            self.pending = None;
            self.impacts.end();
        }
        if let Some(error) = self.coarse_impact.take()
            && !std::mem::replace(&mut self.is_warned_of_impacts, true)
        {
            return Some(Excess::Impact(error));
        }
        let is_too_large = error.is_some_and(|error| !(error <= 1.0));
        (is_too_large && !std::mem::replace(&mut self.is_warned, true)).then_some(Excess::Step)
    }
}
