//! Changes from one value to another: steps and ramps.

use serde::{Deserialize, Serialize};

/// Pieces into which a smooth step is cut, where its derivatives are asked for piece by piece.
const PIECES: u32 = 8;

/// A step from one value to another: a jump, or smooth over a time.
///
/// With `s = (t − at)/duration` in [0, 1] it is `from + (to − from)(10 s³ − 15 s⁴ + 6 s⁵)`: value, first and second derivative are
/// continuous. A jump has its later value at its instant, and derivatives of zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Value before.
    #[serde(default)]
    pub from: f64,
    /// Value after.
    pub to: f64,
    /// When it begins (s).
    pub at: f64,
    /// How long it takes (s), zero or positive; zero is a jump.
    #[serde(default)]
    pub duration: f64,
}

impl Step {
    /// Value, first and second derivative at the time `t` (s).
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let Self { from, to, at, duration } = self;
        if t < *at {
            return [*from, 0.0, 0.0];
        }
        if t >= at + duration {
            return [*to, 0.0, 0.0];
        }
        let (s, rise) = ((t - at) / duration, to - from);
        let rest = 1.0 - s;
        [
            from + rise * s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
            rise * 30.0 * s * s * rest * rest / duration,
            rise * 60.0 * s * rest * (1.0 - 2.0 * s) / (duration * duration),
        ]
    }

    /// Integral of what is above `from`, up to the time `t` (s).
    fn risen(&self, t: f64) -> f64 {
        let (since, rise) = ((t - self.at).max(0.0), self.to - self.from);
        if since >= self.duration {
            return rise * (since - 0.5 * self.duration);
        }
        let s = since / self.duration;
        rise * self.duration * s.powi(4) * (2.5 - s * (3.0 - s))
    }

    /// Integral between two times (s).
    pub(super) fn area(&self, from: f64, to: f64) -> f64 {
        self.from * (to - from) + self.risen(to) - self.risen(from)
    }

    /// When its pieces begin and end (s).
    pub(super) fn times(&self) -> Vec<f64> {
        let pieces = if self.duration > 0.0 { PIECES } else { 0 };
        (0..=pieces).map(|k| self.at + self.duration * f64::from(k) / f64::from(PIECES)).collect()
    }
}

/// A ramp: `start` before the time `since`, then a constant rate, up to the time `until`. Its rate jumps at both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ramp {
    /// Value before.
    #[serde(default)]
    pub start: f64,
    /// Rate (1/s).
    pub rate: f64,
    /// When it begins (s).
    pub since: f64,
    /// When it ends (s), not before it begins; never where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Ramp {
    /// For how long it has risen at the time `t` (s).
    fn risen(&self, t: f64) -> f64 {
        (self.until.map_or(t, |until| t.min(until)) - self.since).max(0.0)
    }

    fn rises(&self, t: f64) -> bool {
        t >= self.since && self.until.is_none_or(|until| t < until)
    }

    /// Value, first and second derivative at the time `t` (s).
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let rate = if self.rises(t) { self.rate } else { 0.0 };
        [self.start + self.rate * self.risen(t), rate, 0.0]
    }

    /// Integral between two times (s).
    pub(super) fn area(&self, from: f64, to: f64) -> f64 {
        // A triangle while it rises, a rectangle after.
        let above = |t: f64| {
            let risen = self.risen(t);
            risen * ((t - self.since).max(0.0) - 0.5 * risen)
        };
        self.start * (to - from) + self.rate * (above(to) - above(from))
    }

    /// When it begins and ends (s).
    pub(super) fn times(&self) -> Vec<f64> {
        [self.since].into_iter().chain(self.until).collect()
    }
}
