//! Numbers and where they are.

use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The buffer with its views and accessors.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Keyframes: times (one number each), vectors (three) or rotations (four).
    pub(super) fn add_keys<const N: usize>(&mut self, keys: &[[f32; N]]) -> usize {
        self.add_floats(keys, None)
    }

    /// Points or normals of a mesh.
    pub(super) fn add_vertices(&mut self, points: &[[f64; 3]]) -> usize {
        let points: Vec<[f32; 3]> = points.iter().map(|point| point.map(|x| x as f32)).collect();
        self.add_floats(&points, Some(VERTICES))
    }

    /// Corners of triangles.
    pub(super) fn add_indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let bytes = triangles.as_flattened().iter().flat_map(|index| index.to_le_bytes());
        let view = self.add_view(bytes, Some(INDICES));
        self.add_accessor(json!({
            "bufferView": view, "componentType": UNSIGNED, "count": 3 * triangles.len(), "type": "SCALAR",
        }))
    }

    fn add_floats<const N: usize>(&mut self, rows: &[[f32; N]], target: Option<u32>) -> usize {
        let view = self.add_view(rows.as_flattened().iter().flat_map(|x| x.to_le_bytes()), target);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let all = |start: f32, choose: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|k| rows.iter().map(|row| row[k]).fold(start, choose)).collect()
        };
        let (low, high) = (all(f32::INFINITY, f32::min), all(f32::NEG_INFINITY, f32::max));
        self.add_accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": rows.len(), "type": kind, "min": low, "max": high,
        }))
    }

    fn add_view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn add_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
