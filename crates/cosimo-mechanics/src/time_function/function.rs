//! A function of time.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Curve, Integral, Interpolation, TimeInput, TimeTable, TimeTableError};

/// A function of time with its first two derivatives. It allocates where it is made, not where it is evaluated.
///
/// Its serialised form is that of model files: a number, `{ start, rate }`, `{ mean, amplitude, frequency, phase }`,
/// `{ time, value, interpolation }` or `{ speed, start, since }`. What is given from outside has none.
///
/// ```
/// use cosimo_mechanics::TimeFunction;
/// let ramp = TimeFunction::table(vec![0.0, 2.0], vec![0.0, 10.0])?;
/// assert_eq!(ramp.at(1.0), [5.0, 5.0, 0.0]);
/// assert_eq!(ramp.value(3.0), 10.0);
/// # Ok::<(), cosimo_mechanics::TimeTableError>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum TimeFunction {
    /// The same at all times.
    Constant(f64),
    /// `start + rate · t`.
    Linear {
        /// Value at `t = 0`.
        #[serde(default)]
        start: f64,
        /// Rate (1/s).
        rate: f64,
    },
    /// `mean + amplitude · sin(frequency · t + phase)`.
    Harmonic {
        /// Mean value.
        #[serde(default)]
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency (rad/s).
        frequency: f64,
        /// Phase (rad).
        #[serde(default)]
        phase: f64,
    },
    /// A curve through the points of a table.
    Curve(Arc<Curve>),
    /// A position by its speed, see [`with_speed`](Self::with_speed).
    Integral(Box<Integral>),
    /// Given from outside, piece by piece.
    #[serde(skip)]
    Input(TimeInput),
    /// Value, first and second derivative at the time `t` (s).
    #[serde(skip)]
    Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

impl TimeFunction {
    /// `start + rate · t`, the rate in 1/s.
    #[must_use]
    pub const fn linear(start: f64, rate: f64) -> Self {
        Self::Linear { start, rate }
    }

    /// Straight lines through these values at these times (s), constant before the first and after the last.
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn table(time: Vec<f64>, value: Vec<f64>) -> Result<Self, TimeTableError> {
        Self::curve(TimeTable { time, value }, Interpolation::Linear)
    }

    /// The cubic spline through these values at these times (s), constant before the first and after the last: see
    /// [`Interpolation::Spline`].
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn through(time: Vec<f64>, value: Vec<f64>) -> Result<Self, TimeTableError> {
        Self::curve(TimeTable { time, value }, Interpolation::Spline)
    }

    /// The curve through the points of a table.
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn curve(table: TimeTable, interpolation: Interpolation) -> Result<Self, TimeTableError> {
        Ok(Self::Curve(Arc::new(Curve::new(table, interpolation)?)))
    }

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
            Self::Input(input) => input.at(t),
            Self::Function(function) => function(t),
        }
    }

    /// Value at the time `t` (s).
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        self.at(t)[0]
    }
}

/// Functions of a program, and inputs from outside, are equal where they are the same one.
impl PartialEq for TimeFunction {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a == b,
            (Self::Linear { start: a, rate: b }, Self::Linear { start: c, rate: d }) => (a, b) == (c, d),
            (
                Self::Harmonic { mean, amplitude, frequency, phase },
                Self::Harmonic { mean: m, amplitude: a, frequency: f, phase: p },
            ) => (mean, amplitude, frequency, phase) == (m, a, f, p),
            (Self::Curve(a), Self::Curve(b)) => a == b,
            (Self::Integral(a), Self::Integral(b)) => a == b,
            (Self::Input(a), Self::Input(b)) => a == b,
            (Self::Function(a), Self::Function(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl std::fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [value, rate, second] = self.at(0.0);
        write!(f, "TimeFunction({value} at 0 s, rates {rate} and {second})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_back_from_their_keys() {
        let harmonic = TimeFunction::Harmonic { mean: 0.1, amplitude: 2.0, frequency: 3.0, phase: 0.4 };
        let curve = |interpolation| {
            let table = TimeTable { time: vec![0.0, 1.0, 3.0], value: vec![1.0, -1.0, 2.0] };
            TimeFunction::curve(table, interpolation).unwrap()
        };
        let displacement = TimeFunction::with_speed(TimeFunction::linear(1.0, 2.0), 0.5, 1.0).unwrap();
        let spline = curve(Interpolation::Spline);
        for function in [
            TimeFunction::Constant(2.0),
            TimeFunction::linear(1.0, 2.0),
            harmonic,
            spline,
            curve(Interpolation::Linear),
            displacement,
        ] {
            let text = serde_json::to_string(&function).unwrap();
            assert_eq!(serde_json::from_str::<TimeFunction>(&text).unwrap(), function, "{text}");
        }
        let text = serde_json::to_string(&curve(Interpolation::Linear)).unwrap();
        assert_eq!(text, r#"{"time":[0.0,1.0,3.0],"value":[1.0,-1.0,2.0],"interpolation":"linear"}"#);
        assert_eq!(
            serde_json::from_str::<TimeFunction>(r#"{"rate":2}"#).unwrap(),
            TimeFunction::linear(0.0, 2.0)
        );
        assert!(serde_json::from_str::<TimeFunction>(r#"{"time":[1,0],"value":[0,1]}"#).is_err());
    }

    #[test]
    fn what_is_given_from_outside_has_no_keys() {
        let input = TimeFunction::Input(TimeInput::held(1.0));
        assert!(serde_json::to_string(&input).is_err());
        assert!(input == input.clone() && input != TimeFunction::Input(TimeInput::held(1.0)));
    }
}
