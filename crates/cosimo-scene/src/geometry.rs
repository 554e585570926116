//! Geometries in frames of their own.

use std::sync::Arc;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::Mesh;

/// A geometry in a frame of its own; lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Geometry {
    /// A ball about the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A box about the origin.
    Box {
        /// Whole lengths of the edges.
        size: [f64; 3],
    },
    /// A cylinder about the origin, along `z`.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A cylinder with half balls at its ends, about the origin, along `z`.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length without the half balls.
        length: f64,
    },
    /// Triangles.
    Mesh {
        /// The triangles; many shapes may share them.
        mesh: Arc<Mesh>,
    },
    /// An arrow from the origin.
    Arrow {
        /// From the tail to the tip.
        vector: Vector3<f64>,
        /// Radius of the shaft.
        radius: f64,
    },
    /// Straight lines from point to point.
    Line {
        /// The points.
        points: Vec<[f64; 3]>,
    },
    /// A square in the plane of `x` and `y` about the origin, whose outward normal is `z`.
    Plane {
        /// Length of an edge; the plane itself has no end.
        size: f64,
    },
}

impl Geometry {
    /// Radius of the ball about the origin that holds it (m); of a plane 0, since it has no end.
    #[must_use]
    pub fn extent(&self) -> f64 {
        match self {
            Self::Sphere { radius } => *radius,
            Self::Box { size } => 0.5 * Vector3::from(*size).norm(),
            Self::Cylinder { radius, length } => radius.hypot(0.5 * length),
            Self::Capsule { radius, length } => radius + 0.5 * length,
            Self::Mesh { mesh } => mesh.extent(),
            Self::Arrow { vector, .. } => vector.norm(),
            Self::Line { points } => points.iter().map(|p| Vector3::from(*p).norm()).fold(0.0, f64::max),
            Self::Plane { .. } => 0.0,
        }
    }
}
