//! Triangles.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// A surface of triangles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Mesh {
    /// The corners (m).
    pub vertices: Vec<[f64; 3]>,
    /// Numbers of the corners of every triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Distance of the corner farthest from the origin (m).
    #[must_use]
    pub fn extent(&self) -> f64 {
        self.vertices.iter().map(|p| Vector3::from(*p).norm()).fold(0.0, f64::max)
    }

    /// Whether all corners are finite and all triangles have corners that exist.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let exists = |corner: &u32| (*corner as usize) < self.vertices.len();
        self.vertices.iter().flatten().all(|x| x.is_finite()) && self.triangles.iter().flatten().all(exists)
    }
}
