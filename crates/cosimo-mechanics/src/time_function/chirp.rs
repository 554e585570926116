//! Sines whose frequency changes.

use serde::{Deserialize, Serialize};

/// How the frequency of a chirp changes with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sweep {
    /// By the same in equal times: `ω = ω₀ + (ω₁ − ω₀) s/T`.
    #[default]
    Linear,
    /// By the same factor in equal times: `ω = ω₀ (ω₁/ω₀)^(s/T)`.
    Logarithmic,
}

/// `mean + amplitude · sin φ(t)` whose angular frequency `φ̇` goes from one value to another within a time `T`, `s` after it begins; before
/// and after that the frequency is constant. The phase is the exact integral of the frequency:
///
/// ```text
///   linear        φ = φ₀ + ω₀ s + (ω₁ − ω₀) s²/(2 T)
///   logarithmic   φ = φ₀ + ω₀ T/κ (exp(κ s/T) − 1)        κ = ln(ω₁/ω₀)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Chirp {
    /// Mean value.
    #[serde(default)]
    pub mean: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// Angular frequency at the beginning (rad/s), positive where the sweep is logarithmic.
    pub frequency: f64,
    /// Angular frequency at the end (rad/s), likewise.
    pub end_frequency: f64,
    /// How long the sweep takes (s), positive.
    pub duration: f64,
    /// When it begins (s).
    #[serde(default)]
    pub since: f64,
    /// Phase where it begins (rad).
    #[serde(default)]
    pub phase: f64,
    /// How the frequency changes.
    #[serde(default)]
    pub sweep: Sweep,
}

impl Chirp {
    /// Phase, angular frequency and its rate at the time `t` (s).
    fn phase(&self, t: f64) -> [f64; 3] {
        let (s, duration) = (t - self.since, self.duration);
        if s < 0.0 {
            return [self.phase + self.frequency * s, self.frequency, 0.0];
        }
        if s > duration {
            let [end, ..] = self.swept(duration);
            return [end + self.end_frequency * (s - duration), self.end_frequency, 0.0];
        }
        self.swept(s)
    }

    /// The same within the sweep, so long (s) after it begins.
    fn swept(&self, s: f64) -> [f64; 3] {
        let Self { frequency, end_frequency, duration, .. } = self;
        let exponent = (end_frequency / frequency).ln();
        match self.sweep {
            Sweep::Logarithmic if exponent != 0.0 => {
                let grown = exponent * s / duration;
                let now = frequency * grown.exp();
                let turned = frequency * duration / exponent * grown.exp_m1();
                [self.phase + turned, now, now * exponent / duration]
            }
            _ => {
                let rate = (end_frequency - frequency) / duration;
                [self.phase + s * (frequency + 0.5 * rate * s), frequency + rate * s, rate]
            }
        }
    }

    /// Value, first and second derivative at the time `t` (s).
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let [phase, frequency, rate] = self.phase(t);
        let ((sine, cosine), amplitude) = (phase.sin_cos(), self.amplitude);
        [
            self.mean + amplitude * sine,
            amplitude * frequency * cosine,
            amplitude * (rate * cosine - frequency * frequency * sine),
        ]
    }

    /// How many periods pass between two times (s), at most.
    pub(super) fn periods(&self, from: f64, to: f64) -> f64 {
        let most = self.frequency.abs().max(self.end_frequency.abs());
        most * (to - from) / (2.0 * std::f64::consts::PI)
    }
}
