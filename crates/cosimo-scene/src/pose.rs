//! One instant of a system that can be seen.

use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::Appearance;

/// Where a body is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Origin of its frame in world axes (m).
    pub position: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub orientation: UnitQuaternion<f64>,
}

impl Pose {
    /// Not turned, with the origin at this point of the world (m).
    #[must_use]
    pub fn at(position: Vector3<f64>) -> Self {
        Self { position, orientation: UnitQuaternion::identity() }
    }

    /// A body point in world axes (m).
    #[must_use]
    pub fn point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation * point
    }

    /// The same as a transformation of body points into world points.
    #[must_use]
    pub fn isometry(&self) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(self.position), self.orientation)
    }

    /// Not known: all numbers are NaN.
    #[must_use]
    pub fn unknown() -> Self {
        Self::at(Vector3::repeat(f64::NAN))
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::at(Vector3::zeros())
    }
}

/// The force of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContactForce {
    /// Number of the contact among [`Appearance::contacts`].
    pub contact: u32,
    /// Where it acts, in world axes (m).
    pub point: Vector3<f64>,
    /// Force on the second of the two bodies, or on the body that meets a plane, in world axes (N): that of finite loads, impacts are
    /// not in it.
    pub force: Vector3<f64>,
}

/// One instant: where every body is, and the contacts that carry load.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sight {
    /// The poses, in the order of [`Appearance::bodies`].
    pub poses: Vec<Pose>,
    /// The forces that are not zero.
    pub forces: Vec<ContactForce>,
}

impl Sight {
    /// Whether its lengths and numbers are those of an appearance.
    #[must_use]
    pub fn fits(&self, appearance: &Appearance) -> bool {
        self.poses.len() == appearance.bodies.len()
            && self.forces.iter().all(|own| (own.contact as usize) < appearance.contacts.len())
    }

    /// Makes it one of no body, and keeps its storage.
    pub fn clear(&mut self) {
        self.poses.clear();
        self.forces.clear();
    }
}

impl ContactForce {
    /// Of a contact with this point and these axes `n, t₁, t₂` as columns, in world axes, under a normal load and loads along the
    /// tangents (N); `None` where there is none.
    #[must_use]
    pub fn of(contact: usize, place: (Vector3<f64>, Matrix3<f64>), loads: [f64; 3]) -> Option<Self> {
        let (point, axes) = place;
        (loads != [0.0; 3]).then(|| Self {
            contact: contact as u32,
            point,
            force: axes * Vector3::from(loads),
        })
    }
}
