//! What runs to the right in a figure, in either scale.

use crate::axis::Axis;
use crate::log_axis::LogAxis;

/// Margin of a logarithmic scale (decades).
const MARGIN: f64 = 0.02;

/// The scale of the horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Abscissa {
    Linear(Axis),
    Logarithmic(LogAxis),
}

impl Abscissa {
    /// A logarithmic scale over these values.
    pub(crate) fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        Self::Logarithmic(LogAxis::over(values, MARGIN))
    }

    /// Where a value lies: 0 at the left and 1 at the right end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        match self {
            Self::Linear(axis) => axis.place(value),
            Self::Logarithmic(axis) => axis.place(value),
        }
    }

    /// The values at both ends.
    pub(crate) fn ends(&self) -> [f64; 2] {
        match self {
            Self::Linear(axis) => axis.ends(),
            Self::Logarithmic(axis) => axis.ends(),
        }
    }

    /// Places and texts of the ticks.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(axis) => axis.ticks().collect(),
            Self::Logarithmic(axis) => axis.ticks().map(|(place, text)| (place, text.to_owned())).collect(),
        }
    }

    /// The unit of the ticks in brackets.
    pub(crate) fn unit_text(&self, unit: &str) -> String {
        match self {
            Self::Linear(axis) => axis.unit_text().to_owned(),
            Self::Logarithmic(_) if unit.is_empty() => "[–]".to_owned(),
            Self::Logarithmic(_) => format!("[{unit}]"),
        }
    }
}
