//! Triangles with normals.

use nalgebra::{UnitQuaternion, Vector3};

/// Triangles with a normal at each corner.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Surface {
    /// The corners (m).
    pub(crate) points: Vec<[f64; 3]>,
    /// Outward normals there, of unit length.
    pub(crate) normals: Vec<[f64; 3]>,
    /// Numbers of the corners, counter-clockwise as seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// The same at another place.
    pub(super) fn turned(self, turn: &UnitQuaternion<f64>) -> Self {
        let all = |vectors: Vec<[f64; 3]>| -> Vec<[f64; 3]> {
            vectors.into_iter().map(|own| (turn * Vector3::from(own)).into()).collect()
        };
        Self { points: all(self.points), normals: all(self.normals), triangles: self.triangles }
    }

    pub(super) fn add_square(&mut self, corners: [Vector3<f64>; 4], normal: Vector3<f64>) {
        let first = self.points.len() as u32;
        self.points.extend(corners.map(<[f64; 3]>::from));
        self.normals.extend([<[f64; 3]>::from(normal); 4]);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
}
