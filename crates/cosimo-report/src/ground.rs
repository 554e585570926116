//! Planes that lie in each other: the largest is seen.

use cosimo_scene::{Geometry, Pose, Role, Scene};
use nalgebra::Vector3;

/// Angle (rad), and distance as a share of the smaller edge, up to which two planes are one.
const ALIKE: f64 = 1e-6;

/// A plane that stands still.
struct Plane {
    body: usize,
    shape: usize,
    size: f64,
    point: Vector3<f64>,
    normal: Vector3<f64>,
}

impl Plane {
    fn hides(&self, other: &Self) -> bool {
        let distance = self.normal.dot(&(other.point - self.point)).abs();
        let is_larger = (self.size, other.body) > (other.size, self.body);
        let lies_in = distance <= ALIKE * other.size && self.normal.cross(&other.normal).norm() <= ALIKE;
        let is_within = (other.point - self.point).norm() <= 0.5 * self.size;
        is_larger && lies_in && is_within && self.normal.dot(&other.normal) > 0.0
    }
}

/// The shapes, by body and number, of planes that lie in a larger one.
pub(crate) fn hidden(scene: &Scene, poses: &[Pose]) -> Vec<(usize, usize)> {
    let mut planes = Vec::new();
    for (body, (own, pose)) in scene.bodies.iter().zip(poses).enumerate() {
        for (number, shape) in own.shapes.iter().enumerate().filter(|(_, shape)| shape.role == Role::Ground) {
            let Geometry::Plane { size } = shape.geometry else { continue };
            let normal = pose.orientation * (shape.orientation * Vector3::z());
            planes.push(Plane { body, shape: number, size, point: pose.point(&shape.position), normal });
        }
    }
    let is_hidden = |own: &&Plane| planes.iter().any(|other| other.hides(own));
    planes.iter().filter(is_hidden).map(|own| (own.body, own.shape)).collect()
}
