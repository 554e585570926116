//! What touches, as it stands in a model.

use std::sync::Arc;

use super::number::{GapFunction, NumberGap};
use super::placed::{NamedContact, PlacedContact, Rows};
use super::touch::{Plane, Spheres, Surfaces};
use crate::spatial::coordinate::Coordinate;
use crate::spatial::joint::{Frame, Marker};
use crate::spatial::pose::Pair;

/// What of two frames touches.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ContactShape {
    /// A sphere about the second point, on the plane through the first point whose outward normal is the first frame's `z`.
    SpherePlane {
        /// Radius (m), zero or positive.
        radius: f64,
    },
    /// Spheres about the two points, which do not coincide at the start.
    SphereSphere {
        /// Radii (m), zero or positive.
        radii: [f64; 2],
    },
    /// A gap that a user defines between the two bodies, without slips. Poses are of the centres of mass; the frames say which
    /// bodies they are.
    Custom(Arc<dyn GapFunction>),
}

/// A contact of a model, by name.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Contact {
    /// Between frames of two bodies, or of a body and the ground.
    Between {
        /// Name.
        name: String,
        /// What touches.
        shape: ContactShape,
        /// Frame on the first body.
        first: Frame,
        /// Frame on the second body.
        second: Frame,
    },
    /// A stop of the number that a sensor measures: a distance, a displacement or an angle.
    Stop {
        /// Name.
        name: String,
        /// Name of the sensor.
        sensor: String,
        /// The number that is not passed (m or rad).
        limit: f64,
        /// Whether the number stays below the limit, or above.
        is_upper: bool,
    },
}

impl Contact {
    /// A contact between two frames.
    #[must_use]
    pub fn new(name: impl Into<String>, shape: ContactShape, first: Frame, second: Frame) -> Self {
        Self::Between { name: name.into(), shape, first, second }
    }

    /// The number of this sensor does not go below the limit (m or rad).
    #[must_use]
    pub fn lower_stop(name: impl Into<String>, sensor: impl Into<String>, limit: f64) -> Self {
        Self::Stop { name: name.into(), sensor: sensor.into(), limit, is_upper: false }
    }

    /// The number of this sensor does not go above the limit (m or rad).
    #[must_use]
    pub fn upper_stop(name: impl Into<String>, sensor: impl Into<String>, limit: f64) -> Self {
        Self::Stop { name: name.into(), sensor: sensor.into(), limit, is_upper: true }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Between { name, .. } | Self::Stop { name, .. } => name,
        }
    }
}

impl ContactShape {
    /// A number outside its range: what it is, the number, and the rule.
    pub(crate) fn broken_rule(&self) -> Option<(&'static str, f64, &'static str)> {
        let lengths: &[f64] = match self {
            Self::SpherePlane { radius } => std::slice::from_ref(radius),
            Self::SphereSphere { radii } => radii,
            Self::Custom(_) => &[],
        };
        let bad = lengths.iter().find(|radius| !(**radius >= 0.0 && radius.is_finite()));
        bad.map(|radius| ("radius", *radius, "finite and not negative"))
    }

    /// The contact between two markers whose bodies are these at the start.
    pub(crate) fn placed(&self, name: &str, markers: &[Marker; 2], start: &Pair) -> NamedContact {
        let [first, second] = markers;
        let arms = [first.arm, second.arm];
        let rows = match self {
            Self::SpherePlane { radius } => {
                Rows::Surfaces(Surfaces::SpherePlane(Plane::new(first, second.arm, *radius)))
            }
            Self::SphereSphere { radii } => {
                Rows::Surfaces(Surfaces::Spheres(Spheres::new(arms, *radii, start)))
            }
            Self::Custom(function) => Rows::Number(NumberGap::Function(Arc::clone(function))),
        };
        let bodies = [first.body, second.body];
        NamedContact { name: name.to_owned(), contact: PlacedContact { bodies, rows } }
    }
}

/// The stop of a coordinate.
pub(crate) fn placed_stop(name: &str, coordinate: Coordinate, limit: f64, is_upper: bool) -> NamedContact {
    let sign = if is_upper { -1.0 } else { 1.0 };
    let bodies = coordinate.bodies();
    let rows = Rows::Number(NumberGap::Stop { coordinate, limit, sign });
    NamedContact { name: name.to_owned(), contact: PlacedContact { bodies, rows } }
}
