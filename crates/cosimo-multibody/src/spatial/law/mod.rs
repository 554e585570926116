//! Numbers prescribed as functions of time.

mod course;
mod extremes;
mod integral;
mod spline;

use std::sync::Arc;

pub use course::Course;
pub use extremes::Extreme;
pub use integral::Integral;
pub use spline::{Interpolation, Spline};

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
    /// `mean + amplitude · sin(frequency · t + phase)`.
    Harmonic {
        /// Mean value.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency (rad/s).
        frequency: f64,
        /// Phase (rad).
        phase: f64,
    },
    /// A curve through points, see [`interpolated`](Self::interpolated).
    Curve(Arc<Spline>),
    /// A position by its speed, see [`with_speed`](Self::with_speed).
    Integral(Box<Integral>),
    /// Given from outside, piece by piece.
    Course(Course),
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
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                let (sine, cosine) = (frequency * t + phase).sin_cos();
                let rate = amplitude * frequency;
                [mean + amplitude * sine, rate * cosine, -rate * frequency * sine]
            }
            Self::Curve(curve) => curve.at(t),
            Self::Integral(integral) => integral.at(t),
            Self::Course(course) => course.at(t),
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
