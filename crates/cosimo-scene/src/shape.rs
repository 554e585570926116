//! Shapes of bodies.

use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::Geometry;

/// What a shape stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Role {
    /// The body, as it was given to be seen.
    #[default]
    Body,
    /// A surface that touches others.
    Contact,
    /// A surface that touches others and does not move.
    Ground,
    /// A joint.
    Joint,
    /// A beam.
    Beam,
    /// A spring, a damper or another element of force.
    Force,
    /// A stand-in for a body of which only mass and inertia are known.
    Inertia,
}

/// A geometry on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// The geometry in its own frame.
    pub geometry: Geometry,
    /// Origin of that frame in the body's frame (m).
    pub position: Vector3<f64>,
    /// Turns vectors of that frame into vectors of the body.
    pub orientation: UnitQuaternion<f64>,
    /// Red, green and blue in \[0, 1\]; `None` is left to the viewer.
    pub color: Option<[f32; 3]>,
    /// What it stands for.
    pub role: Role,
}

impl Shape {
    /// This geometry in the body's frame.
    #[must_use]
    pub fn new(geometry: Geometry) -> Self {
        Self {
            geometry,
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            color: None,
            role: Role::Body,
        }
    }

    /// Puts its origin at this point of the body's frame (m).
    #[must_use]
    pub fn at(self, position: impl Into<Vector3<f64>>) -> Self {
        Self { position: position.into(), ..self }
    }

    /// Turns it.
    #[must_use]
    pub fn with_orientation(self, orientation: UnitQuaternion<f64>) -> Self {
        Self { orientation, ..self }
    }

    /// Turns it by the shortest way so that its `z` points along this direction of the body.
    #[must_use]
    pub fn along(self, z: &Vector3<f64>) -> Self {
        let flip = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), z).unwrap_or_else(flip);
        self.with_orientation(turn)
    }

    /// Colours it: red, green and blue in \[0, 1\].
    #[must_use]
    pub fn colored(self, color: [f32; 3]) -> Self {
        Self { color: Some(color), ..self }
    }

    /// Says what it stands for.
    #[must_use]
    pub fn standing_for(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// A capsule between two points of the body's frame (m).
    #[must_use]
    pub fn between(from: &Vector3<f64>, to: &Vector3<f64>, radius: f64) -> Self {
        let displacement = to - from;
        let capsule = Self::new(Geometry::Capsule { radius, length: displacement.norm() });
        capsule.at(0.5 * (from + to)).along(&displacement)
    }
}
