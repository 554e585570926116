//! Unilateral contacts.

use cosimo_mechanics::ContactLaw;
use serde::Serialize;

use super::{BodyFrameSpec, PlaceSpec, Side};

/// A contact whose gap does not become negative.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialContactSpec {
    /// Name, unique among bodies, joints, forces, sensors and contacts.
    pub name: String,
    /// What touches.
    #[serde(flatten)]
    pub shape: ContactShapeSpec,
    /// Restitution and friction.
    #[serde(flatten)]
    pub law: ContactLaw,
}

/// What touches.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ContactShapeSpec {
    /// A sphere around the second point, on the plane through the first one whose normal is the axis.
    SpherePlane {
        /// The frames.
        #[serde(flatten)]
        place: PlaceSpec,
        /// Radius (m), zero or positive. Default: 0.
        radius: f64,
    },
    /// Spheres around the points.
    SphereSphere {
        /// The frames.
        #[serde(flatten)]
        place: PlaceSpec,
        /// Radii (m), zero or positive.
        radii: [f64; 2],
    },
    /// Spheres around the origins of many bodies on a plane, in a pool.
    #[serde(rename = "sphere-plane")]
    SpheresOnPlane {
        /// Frame of the plane, whose axis is the normal.
        first: BodyFrameSpec,
        /// The bodies.
        second: MatchedBodies,
        /// Radius (m), zero or positive. Default: 0.
        radius: f64,
        /// Pairs that may be near at a time, at least 1. Default: all.
        capacity: u32,
    },
    /// Spheres around the origins of many bodies, in a pool.
    #[serde(rename = "sphere-sphere")]
    SpheresOnSpheres {
        /// The bodies: every one of the first with every one of the second.
        between: [MatchedBodies; 2],
        /// Radii (m), zero or positive, not both zero.
        radii: [f64; 2],
        /// Pairs that may be near at a time, at least 1. Default: eight times the number of bodies, or all pairs.
        capacity: u32,
    },
    /// A limit of the distance, displacement or angle that a sensor measures.
    Stop {
        /// Index of the sensor in [`MultibodySpec::sensors`](super::MultibodySpec::sensors).
        sensor: usize,
        /// The limit (m or rad).
        limit: f64,
        /// Which numbers are resisted. Default: those above it.
        side: Side,
    },
}

/// The bodies whose names match a pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "String")]
pub struct MatchedBodies {
    /// The pattern, in which `*` is any text.
    pub pattern: String,
    /// Indices of the bodies in [`MultibodySpec::bodies`](super::MultibodySpec::bodies), ascending.
    pub bodies: Vec<usize>,
}

impl From<MatchedBodies> for String {
    fn from(matched: MatchedBodies) -> Self {
        matched.pattern
    }
}

impl SpatialContactSpec {
    /// Whether it stands for the contacts of a pool.
    pub(crate) fn is_pool(&self) -> bool {
        matches!(
            self.shape,
            ContactShapeSpec::SpheresOnPlane { .. } | ContactShapeSpec::SpheresOnSpheres { .. }
        )
    }

    /// Number of its slips.
    pub(crate) fn slips(&self) -> usize {
        if self.law.friction > 0.0 { 2 } else { 0 }
    }
}
