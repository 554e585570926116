//! A contact between two impacts of a step: gap, rate and acceleration on a parabola.

use crate::ContactRows;
use crate::laws::Bounce;
use crate::thresholds::BRIEF;

/// Contact on its parabola.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contact {
    pub(crate) gap: f64,
    pub(crate) rate: f64,
    pub(crate) acceleration: f64,
    /// Speed of the gap beyond the rate.
    pub(crate) drift: f64,
    /// Load impulse over the rest of the step.
    pub(crate) load: f64,
    /// The load as a force (N), in the mean over the rest of the step.
    pub(crate) force: f64,
    /// Rate (m/s) that is round-off of what the loads change rates by: approaching no faster until the end is no impact.
    pub(crate) noise: f64,
    /// What comes back above zero after less than this (s) is no impact; infinite where the way back is not trusted.
    pub(crate) brief: f64,
    pub(crate) is_closed: bool,
    /// Whether friction held it at the end of the last step.
    pub(crate) sticks: bool,
    pub(crate) hits: u32,
    /// Sum of the rate jumps in this step.
    pub(crate) jump: f64,
    /// Restitutions of the present impact: zero where it settles.
    pub(crate) bounce: Bounce,
    /// Rate when it last closed in this step.
    pub(crate) closing_rate: f64,
    /// Whether its slip turns round while the present loads act, and how often it did in this step.
    pub(crate) is_turning: bool,
    pub(crate) turns: u32,
    /// When it last did (s, from the start).
    pub(crate) turned_at: Option<f64>,
    /// When it last closed and opened in this step, from the start (s).
    pub(crate) closed_at: Option<f64>,
    pub(crate) opened_at: Option<f64>,
}

impl Contact {
    /// The contact `c` at the start of a step, open. `is_trusted` says whether the parabola holds on its way back too.
    pub(crate) fn at_start(rows: &ContactRows<'_>, c: usize, is_trusted: bool) -> Self {
        let (h, u0, u1) = (rows.step, rows.start_rates[c], rows.end_rates[c]);
        let (y0, y1) = (rows.start_gaps[c], rows.end_gaps[c]);
        Self {
            gap: y0,
            rate: u0,
            acceleration: (u1 - u0) / h,
            drift: if y0.is_finite() { (y1 - y0) / h - 0.5 * (u0 + u1) } else { 0.0 },
            brief: if is_trusted { BRIEF * h } else { f64::INFINITY },
            ..Self::default()
        }
    }

    /// Time to the next impact in the `s` that remain. A gap that is negative counts as zero.
    pub(crate) fn time_to_impact(&self, s: f64) -> Option<f64> {
        if self.is_closed {
            return None;
        }
        let (y, u, a) = (self.gap.max(0.0), self.rate + self.drift, self.acceleration);
        let (end_gap, end_rate) = (y + s * (u + 0.5 * s * a), self.rate + s * a);
        let is_hit = (end_gap < 0.0 && end_rate < -self.noise) || self.dips((y, u, a), s);
        if is_hit { root_of_parabola(y, u, a, s) } else { None }
    }

    /// Whether the parabola passes below zero and turns back within the `s` that remain, and stays there for long enough.
    fn dips(&self, (y, u, a): (f64, f64, f64), s: f64) -> bool {
        let turns_back = u < 0.0 && u + s * a > 0.0;
        // It is below for √(u² − 2 a y)/a on both sides of its turning point.
        turns_back && u * u - 2.0 * a * y > (0.5 * self.brief * a).powi(2)
    }

    /// Advances by `t` of the `s` that remain.
    pub(crate) fn advance(&mut self, t: f64, s: f64) {
        self.gap += t * (self.rate + self.drift + 0.5 * t * self.acceleration);
        self.rate += t * self.acceleration;
        // Of a load over the remaining time, what has acted is no longer to come.
        self.load *= (s - t) / s;
    }

    pub(crate) fn close(&mut self, now: f64, rate: f64) {
        if !self.is_closed {
            self.is_closed = true;
            self.closed_at = Some(now);
            self.closing_rate = rate;
        }
    }

    pub(crate) fn open(&mut self, now: Option<f64>) {
        self.is_closed = false;
        self.force = 0.0;
        self.opened_at = now;
    }
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
