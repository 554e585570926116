//! What a section remembers: quantities that lag behind those of steady flow, `ẋ = ν (x_s − x)`.

use crate::number::Number;

/// Number of lags of a section: its separation point, and two parts of the normal velocity.
pub(crate) const LAGS: usize = 3;

/// Lags of a section, each with its rate (1/s of its unit).
pub type Lags = [[f64; 2]; LAGS];

/// Lags in air at rest: flow is attached and nothing lags.
pub(crate) const AT_REST: Lags = [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]];

/// Which lags a section has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unsteady {
    /// Dynamic stall: time constant of the separation point in chords travelled; Øye has 4.
    pub stall_time_constant: Option<f64>,
    /// Whether the circulation of attached flow lags behind (Wagner).
    pub has_wagner: bool,
}

impl Unsteady {
    /// Whether nothing lags.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        *self == Self::default()
    }
}

/// What is known of the lags of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Memory {
    /// They are given; a negative separation point says that all are those of steady flow.
    Held([f64; LAGS]),
    /// They are those at the start of a step with half this size (s); the trapezoidal rule gives them at its end.
    Stepped(Lags, f64),
}

/// A quantity that lags behind, and its rate.
pub(super) struct Lagged<T> {
    pub(super) value: T,
    pub(super) rate: f64,
}

impl<T: Number> Lagged<T> {
    pub(super) fn plain(&self) -> [f64; 2] {
        [self.value.value(), self.rate]
    }
}

impl Memory {
    /// Lag `k`, for its steady value and the frequency `ν` (1/s).
    pub(super) fn follow<T: Number>(self, k: usize, steady: T, frequency: T) -> Lagged<T> {
        let value = match self {
            Self::Held(values) if values[0] < 0.0 => steady,
            Self::Held(values) => T::constant(values[k]),
            Self::Stepped(starts, half) => {
                let ([value, rate], share) = (starts[k], frequency * half);
                (share * steady + (value + half * rate)) / (share + 1.0)
            }
        };
        Lagged { value, rate: (frequency * (steady - value)).value() }
    }
}
