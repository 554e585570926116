//! A contact between two impacts of a step: gap, rate and acceleration on a parabola.

use crate::law::Bounce;
use crate::root_of_parabola;

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
    pub(crate) is_closed: bool,
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
    /// Time to the next impact in the `s` that remain. A gap that is negative counts as zero.
    pub(crate) fn time_to_impact(&self, s: f64) -> Option<f64> {
        if self.is_closed {
            return None;
        }
        let (y, u, a) = (self.gap.max(0.0), self.rate + self.drift, self.acceleration);
        let (end_gap, end_rate) = (y + s * (u + 0.5 * s * a), self.rate + s * a);
        if end_gap < 0.0 && end_rate < 0.0 { root_of_parabola(y, u, a, s) } else { None }
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
