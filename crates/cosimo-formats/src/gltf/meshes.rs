//! Meshes and materials, each once.

use std::sync::Arc;

use cosimo_scene::{Geometry, Role, Scene, Shape};
use serde_json::{Value, json};

use super::buffer::Buffer;
use crate::scene::{Drawing, Palette, Surface, drawing};

const LINE_STRIP: u32 = 3;
/// Opacity of what stands for mass and inertia alone.
const OPACITY: f32 = 0.45;

/// The meshes of a document.
#[derive(Debug)]
pub(super) struct Meshes<'a> {
    pub(super) meshes: Vec<Value>,
    pub(super) materials: Vec<Value>,
    palette: Palette<'a>,
    /// What is known of each mesh.
    known: Vec<(&'a Geometry, usize)>,
    colors: Vec<[f32; 4]>,
}

impl<'a> Meshes<'a> {
    pub(super) fn of(scene: &'a Scene) -> Self {
        let palette = Palette::of(scene);
        Self { meshes: Vec::new(), materials: Vec::new(), palette, known: Vec::new(), colors: Vec::new() }
    }

    /// Number of the mesh of a shape; `None` where there is nothing to be seen.
    pub(super) fn shape(&mut self, subsystem: &str, shape: &'a Shape, buffer: &mut Buffer) -> Option<usize> {
        let [r, g, b] = self.palette.shape(subsystem, shape);
        let alpha = if shape.role == Role::Inertia { OPACITY } else { 1.0 };
        let material = self.material([r, g, b, alpha]);
        let is_same = |own: &&(&Geometry, usize)| own.1 == material && is_same(own.0, &shape.geometry);
        if let Some(at) = self.known.iter().position(|own| is_same(&own)) {
            return Some(at);
        }
        let drawn = drawing(&shape.geometry)?;
        let primitive = match &drawn {
            Drawing::Surface(surface) => triangles(surface, buffer, material),
            Drawing::Line(points) => {
                let points = buffer.add_vertices(points);
                json!({ "attributes": { "POSITION": points }, "mode": LINE_STRIP, "material": material })
            }
        };
        self.known.push((&shape.geometry, material));
        Some(self.add(&primitive))
    }

    /// Number of a mesh of its own.
    pub(super) fn tube(&mut self, owner: &str, role: Role, surface: &Surface, buffer: &mut Buffer) -> usize {
        let [r, g, b] = self.palette.role(owner, role);
        let material = self.material([r, g, b, 1.0]);
        let primitive = triangles(surface, buffer, material);
        // Nothing compares with it: links are added behind all bodies.
        self.add(&primitive)
    }

    fn add(&mut self, primitive: &Value) -> usize {
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.meshes.len() - 1
    }

    fn material(&mut self, color: [f32; 4]) -> usize {
        if let Some(known) = self.colors.iter().position(|own| *own == color) {
            return known;
        }
        self.colors.push(color);
        let mut material = json!({
            "pbrMetallicRoughness": { "baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.7 },
            "doubleSided": true,
        });
        if color[3] < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        self.materials.push(material);
        self.materials.len() - 1
    }
}

fn triangles(surface: &Surface, buffer: &mut Buffer, material: usize) -> Value {
    let (points, normals) = (buffer.add_vertices(&surface.points), buffer.add_vertices(&surface.normals));
    let indices = buffer.add_indices(&surface.triangles);
    json!({ "attributes": { "POSITION": points, "NORMAL": normals }, "indices": indices, "material": material })
}

/// Whether two geometries are one; meshes that are shared need not be compared corner by corner.
fn is_same(a: &Geometry, b: &Geometry) -> bool {
    match (a, b) {
        (Geometry::Mesh { mesh: a }, Geometry::Mesh { mesh: b }) => Arc::ptr_eq(a, b) || a == b,
        _ => a == b,
    }
}
