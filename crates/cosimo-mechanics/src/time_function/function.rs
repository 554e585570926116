//! A function of time, and positions by their speed.

use std::sync::Arc;

use cosimo_formula::TimeFormula;
use serde::{Deserialize, Serialize};

use super::quadrature::Antiderivative;
use super::{Chirp, Curve, Interpolation, Ramp, Step, TimeInput, TimeTable, TimeTableError};

/// A function of time with its first two derivatives. It allocates where it is made, not where it is evaluated.
///
/// Its serialised form is that of model files: a number, `{ start, rate }`, `{ start, rate, since, until }`, `{ from, to, at, duration }`,
/// `{ mean, amplitude, frequency, phase }`, the same with `end_frequency`, `duration`, `since` and `sweep`, `{ time, value, interpolation }`,
/// `"= formula"` or `{ speed, start, since }`. What is given from outside has none.
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
    /// A constant rate between two times.
    Ramp(Ramp),
    /// From one value to another, at once or smoothly.
    Step(Step),
    /// `start + rate · t`.
    Linear {
        /// Value at `t = 0`.
        #[serde(default)]
        start: f64,
        /// Rate (1/s).
        rate: f64,
    },
    /// A sine whose frequency changes.
    Chirp(Chirp),
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
    /// A formula over the time.
    Formula(Arc<TimeFormula>),
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
            Self::Ramp(ramp) => ramp.at(t),
            Self::Step(step) => step.at(t),
            Self::Chirp(chirp) => chirp.at(t),
            Self::Linear { start, rate } => [start + rate * t, *rate, 0.0],
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                let (sine, cosine) = (frequency * t + phase).sin_cos();
                let rate = amplitude * frequency;
                [mean + amplitude * sine, rate * cosine, -rate * frequency * sine]
            }
            Self::Curve(curve) => curve.at(t),
            Self::Formula(formula) => formula.at(t),
            Self::Integral(integral) => integral.at(t),
            Self::Input(input) => input.at(t),
            Self::Function(function) => function(t),
        }
    }

    /// When its value jumps (s); `None` where it does not, as far as is known.
    #[must_use]
    pub fn jump(&self) -> Option<f64> {
        match self {
            Self::Step(Step { at, duration: 0.0, from, to }) if from != to => Some(*at),
            _ => None,
        }
    }

    /// The pieces of curves, steps and ramps in their order: time (s), value, first and second derivative where each begins and where it
    /// ends; none of others, which have no corners.
    #[must_use]
    pub fn pieces(&self) -> Vec<[(f64, [f64; 3]); 2]> {
        let between = |times: Vec<f64>, at: &dyn Fn(f64) -> [f64; 3]| {
            times.windows(2).map(|pair| [(pair[0], at(pair[0])), (pair[1], at(pair[1]))]).collect()
        };
        match self {
            Self::Curve(curve) => curve.pieces().collect(),
            Self::Step(Step { at, from, to, duration: 0.0 }) => {
                vec![[(*at, [*from, 0.0, 0.0]), (*at, [*to, 0.0, 0.0])]]
            }
            Self::Step(step) => between(step.times(), &|t| step.at(t)),
            Self::Ramp(ramp) => between(ramp.times(), &|t| ramp.at(t)),
            _ => Vec::new(),
        }
    }

    /// Value at the time `t` (s).
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        self.at(t)[0]
    }
}

/// A position that is prescribed by its speed. Made by [`TimeFunction::with_speed`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "IntegralKeys")]
pub struct Integral {
    pub(super) speed: TimeFunction,
    start: f64,
    since: f64,
    /// Up to when (s) the integral of a formula is found beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<f64>,
    #[serde(skip_serializing)]
    antiderivative: Option<Arc<Antiderivative>>,
}

/// The keys of a position by its speed.
#[derive(Deserialize)]
struct IntegralKeys {
    speed: TimeFunction,
    start: f64,
    since: f64,
    #[serde(default)]
    until: Option<f64>,
}

impl TryFrom<IntegralKeys> for Integral {
    type Error = &'static str;

    fn try_from(IntegralKeys { speed, start, since, until }: IntegralKeys) -> Result<Self, Self::Error> {
        Self::new(speed, start, since, until).ok_or("a speed whose integral is not known")
    }
}

impl TimeFunction {
    /// The position that is `start` at the time `since` (s) and changes with this speed (1/s), by the exact integral of the
    /// speed; `None` for speeds that are a [`Function`](Self::Function) or a [`Input`](Self::Input), of which only the user
    /// knows the integral, an integral themselves, or a [`Chirp`](Self::Chirp), whose integral is none of elementary functions. The
    /// integral of a [`Formula`](Self::Formula) is found beforehand, to round-off, up to the time `until` (s); `None` where it has no
    /// value there, or turns too often.
    ///
    /// ```
    /// use cosimo_mechanics::TimeFunction;
    ///
    /// let braking = TimeFunction::Linear { start: 10.0, rate: -2.0 };
    /// let displacement = TimeFunction::with_speed(braking, 1.0, 0.0, 10.0).ok_or("no integral")?;
    /// assert_eq!(displacement.at(3.0), [1.0 + 10.0 * 3.0 - 3.0 * 3.0, 4.0, -2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_speed(speed: Self, start: f64, since: f64, until: f64) -> Option<Self> {
        let until = matches!(speed, Self::Formula(_)).then_some(until);
        Integral::new(speed, start, since, until).map(|integral| Self::Integral(Box::new(integral)))
    }

    /// The integral between two times (s), of functions that know theirs.
    fn area(&self, from: f64, to: f64) -> Option<f64> {
        let (span, middle) = (to - from, 0.5 * (from + to));
        Some(match self {
            Self::Constant(value) => value * span,
            Self::Linear { start, rate } => (start + rate * middle) * span,
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                let mean_of_sine = (frequency * middle + phase).sin() * sinc(0.5 * frequency * span);
                (mean + amplitude * mean_of_sine) * span
            }
            Self::Curve(curve) => curve.area(to) - curve.area(from),
            Self::Ramp(ramp) => ramp.area(from, to),
            Self::Step(step) => step.area(from, to),
            Self::Formula(_) | Self::Chirp(_) | Self::Integral(_) | Self::Input(_) | Self::Function(_) => {
                return None;
            }
        })
    }
}

impl Integral {
    fn new(speed: TimeFunction, start: f64, since: f64, until: Option<f64>) -> Option<Self> {
        let antiderivative = match (&speed, until) {
            (TimeFunction::Formula(formula), Some(until)) => {
                Some(Arc::new(Antiderivative::new(formula, since, until)?))
            }
            _ => {
                speed.area(since, since)?;
                None
            }
        };
        Some(Self { speed, start, since, until, antiderivative })
    }

    /// Value, first and second derivative.
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let [speed, acceleration, _] = self.speed.at(t);
        // A speed without integral is refused where the function is made.
        let displacement = match (&self.speed, &self.antiderivative) {
            (TimeFunction::Formula(formula), Some(antiderivative)) => antiderivative.at(formula, t),
            (speed, _) => speed.area(self.since, t).unwrap_or(f64::NAN),
        };
        [self.start + displacement, speed, acceleration]
    }
}

/// `sin x / x`.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}
