//! Unilateral contacts.

use cosimo_nonsmooth::ContactLaw;

use super::PlaceSpec;

/// A contact whose gap does not become negative.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialContactSpec {
    /// Name, unique among bodies, joints, forces, sensors and contacts.
    pub name: String,
    /// What touches.
    pub shape: ContactShapeSpec,
    /// Restitution and friction.
    pub law: ContactLaw,
}

/// What touches.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactShapeSpec {
    /// A sphere around the second point, on the plane through the first one whose normal is the axis.
    SpherePlane {
        /// The frames.
        place: PlaceSpec,
        /// Radius (m), zero or positive. Default: 0.
        radius: f64,
    },
    /// Spheres around the points.
    SphereSphere {
        /// The frames.
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
        /// Whether numbers above it are resisted, or those below. Default: above.
        is_upper: bool,
    },
}

impl ContactShapeSpec {
    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SpherePlane { .. } => "sphere-plane",
            Self::SphereSphere { .. } => "sphere-sphere",
            Self::Stop { .. } => "stop",
        }
    }
}

impl SpatialContactSpec {
    /// Number of its slips.
    pub(crate) fn slips(&self) -> usize {
        if self.law.friction > 0.0 { 2 } else { 0 }
    }
}
