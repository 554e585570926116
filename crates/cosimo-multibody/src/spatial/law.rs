//! Numbers prescribed as functions of time.

use std::sync::Arc;

/// A function of time with its first two derivatives.
#[derive(Clone)]
pub enum Law {
    /// The same at all times.
    Constant(f64),
    /// `start + rate · t`.
    Linear {
        /// Value at `t = 0`.
        start: f64,
        /// Rate (1/s).
        rate: f64,
    },
    /// `mean + amplitude · sin(2π frequency · t + phase)`.
    Sine {
        /// Mean value.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Frequency (Hz).
        frequency: f64,
        /// Phase (rad).
        phase: f64,
    },
    /// Value, first and second derivative at the time `t` (s).
    Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

impl Law {
    /// Value, first and second derivative at the time `t` (s).
    #[must_use]
    pub fn at(&self, t: f64) -> [f64; 3] {
        match self {
            Self::Constant(value) => [*value, 0.0, 0.0],
            Self::Linear { start, rate } => [start + rate * t, *rate, 0.0],
            Self::Sine { mean, amplitude, frequency, phase } => {
                let omega = 2.0 * std::f64::consts::PI * frequency;
                let (sine, cosine) = (omega * t + phase).sin_cos();
                [mean + amplitude * sine, amplitude * omega * cosine, -amplitude * omega * omega * sine]
            }
            Self::Function(function) => function(t),
        }
    }
}

impl std::fmt::Debug for Law {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [value, rate, second] = self.at(0.0);
        write!(f, "Law({value} at 0 s, rates {rate} and {second})")
    }
}
