//! The basic constraints, from which joints are composed.

use cosimo_mechanics::TimeFunction;
use nalgebra::Vector3;

use super::geometry::Geometry;
use super::pose::{Gradient, Hessian, Pair};

/// One constraint row between two bodies.
#[derive(Debug, Clone)]
pub enum BasicConstraint {
    /// `geometry − motion(t) = 0`: DP1, DP2, distance or coordinate difference.
    Equal {
        /// The number held.
        geometry: Geometry,
        /// What it is held to.
        motion: TimeFunction,
    },
    /// The direction `b` of the second body follows an angle from `x` to `y` of the first: `b · (−x sin θ + y cos θ) = 0`,
    /// the sine of the deviation, so that turns are not limited.
    Turn {
        /// First axis on the first body.
        x: Vector3<f64>,
        /// Second axis on the first body, perpendicular.
        y: Vector3<f64>,
        /// Direction on the second body.
        b: Vector3<f64>,
        /// The angle (rad).
        motion: TimeFunction,
    },
}

impl BasicConstraint {
    /// Holds a number at a value.
    #[must_use]
    pub fn fixed(geometry: Geometry, value: f64) -> Self {
        Self::Equal { geometry, motion: TimeFunction::Constant(value) }
    }

    /// What is derived by the positions at the time `t` (s).
    fn geometry(&self, t: f64) -> Geometry {
        match self {
            Self::Equal { geometry, .. } => *geometry,
            Self::Turn { x, y, b, motion } => {
                let (sine, cosine) = motion.at(t)[0].sin_cos();
                Geometry::Dot1 { a: y * cosine - x * sine, b: *b }
            }
        }
    }

    /// For turns, the first and second derivative of the direction by time, as geometries.
    fn turning(
        x: &Vector3<f64>,
        y: &Vector3<f64>,
        b: &Vector3<f64>,
        motion: &TimeFunction,
        t: f64,
    ) -> [Geometry; 2] {
        let [angle, rate, second] = motion.at(t);
        let (sine, cosine) = angle.sin_cos();
        let (across, along) = (y * cosine - x * sine, -(x * cosine + y * sine));
        let first = Geometry::Dot1 { a: along * rate, b: *b };
        [first, Geometry::Dot1 { a: along * second - across * (rate * rate), b: *b }]
    }

    /// `φ`.
    #[must_use]
    pub fn value(&self, t: f64, pair: &Pair) -> f64 {
        let held = if let Self::Equal { motion, .. } = self { motion.at(t)[0] } else { 0.0 };
        self.geometry(t).value(pair) - held
    }

    /// `∂φ/∂q`.
    #[must_use]
    pub fn gradient(&self, t: f64, pair: &Pair) -> Gradient {
        self.geometry(t).gradient(pair)
    }

    /// `∂²φ/∂q²`.
    #[must_use]
    pub fn hessian(&self, t: f64, pair: &Pair) -> Hessian {
        self.geometry(t).hessian(pair)
    }

    /// Adds `factor` times `∂²φ/∂q²`.
    pub(crate) fn add_hessian(&self, factor: f64, t: f64, pair: &Pair, out: &mut Hessian) {
        self.geometry(t).add_hessian(factor, pair, out);
    }

    /// Whether a motion is prescribed: else `∂φ/∂t` is zero.
    pub(crate) fn is_driven(&self) -> bool {
        let (Self::Equal { motion, .. } | Self::Turn { motion, .. }) = self;
        !matches!(motion, TimeFunction::Constant(_))
    }

    /// `∂φ/∂t`.
    #[must_use]
    pub fn own_rate(&self, t: f64, pair: &Pair) -> f64 {
        match self {
            Self::Equal { motion, .. } => -motion.at(t)[1],
            Self::Turn { x, y, b, motion } => Self::turning(x, y, b, motion, t)[0].value(pair),
        }
    }

    /// `φ̈ − Φ a`.
    #[must_use]
    pub fn curvature(&self, t: f64, pair: &Pair) -> f64 {
        let own = match self {
            Self::Equal { motion, .. } => -motion.at(t)[2],
            Self::Turn { x, y, b, motion } => {
                let [first, second] = Self::turning(x, y, b, motion, t);
                2.0 * first.gradient(pair).rate(&pair.twists) + second.value(pair)
            }
        };
        own + self.geometry(t).curvature(pair)
    }

    /// `∂φ̇/∂q`.
    #[must_use]
    pub fn rate_gradient(&self, t: f64, pair: &Pair) -> Gradient {
        let mut out = self.hessian(t, pair).rate_gradient(&pair.twists);
        if let Self::Turn { x, y, b, motion } = self {
            out.add(1.0, &Self::turning(x, y, b, motion, t)[0].gradient(pair));
        }
        out
    }
}
