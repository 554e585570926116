//! The function from one coordinate to another.

use cosimo_mechanics::TimeFunction;

/// What the second coordinate of a gear is where the first one is `s`.
#[derive(Debug, Clone, PartialEq)]
pub enum Transfer {
    /// `ratio · s + offset`.
    Ratio {
        /// `ds₂/ds₁`, not zero.
        ratio: f64,
        /// The second coordinate where the first is zero; `None` for what it is at the start.
        offset: Option<f64>,
    },
    /// A curve over `s`, which stands in the place of the time: a cam.
    Curve(TimeFunction),
}

impl Transfer {
    /// Value, first and second derivative.
    pub(super) fn at(&self, s: f64) -> [f64; 3] {
        match self {
            Self::Ratio { ratio, offset } => [ratio * s + offset.unwrap_or(0.0), *ratio, 0.0],
            Self::Curve(curve) => curve.at(s),
        }
    }

    /// With the offset at which it is closed at these coordinates, where it has none.
    pub(super) fn closed(self, [first, second]: [f64; 2]) -> Self {
        match self {
            Self::Ratio { ratio, offset: None } => {
                Self::Ratio { ratio, offset: Some(second - ratio * first) }
            }
            other => other,
        }
    }

    /// The first number that is out of range: its name, value, and the rule.
    pub(super) fn broken_rule(&self) -> Option<(&'static str, f64, &'static str)> {
        let Self::Ratio { ratio, offset } = self else { return None };
        if !(ratio.is_finite() && *ratio != 0.0) {
            return Some(("ratio", *ratio, "finite and not zero"));
        }
        offset.filter(|offset| !offset.is_finite()).map(|offset| ("offset", offset, "finite"))
    }
}
