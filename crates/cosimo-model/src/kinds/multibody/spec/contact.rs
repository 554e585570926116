//! Unilateral contacts.

use cosimo_nonsmooth::ContactLaw;
use serde::Serialize;

use super::{PlaceSpec, Side};
use crate::kinds::contact_law::write_law;

/// A contact whose gap does not become negative.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialContactSpec {
    /// Name, unique among bodies, joints, forces, sensors and contacts.
    pub name: String,
    /// What touches.
    #[serde(flatten)]
    pub shape: ContactShapeSpec,
    /// Restitution and friction.
    #[serde(flatten, serialize_with = "write_law")]
    pub law: ContactLaw,
}

/// What touches.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
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

impl SpatialContactSpec {
    /// Number of its slips.
    pub(crate) fn slips(&self) -> usize {
        if self.law.friction > 0.0 { 2 } else { 0 }
    }
}
