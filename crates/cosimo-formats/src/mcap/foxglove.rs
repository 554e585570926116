//! Messages of Foxglove, the fields of them that are used; descriptors are those of the schemas.
//!
//! Reference: <https://github.com/foxglove/foxglove-sdk>, `schemas/proto`.

use prost::Message;

/// Descriptor of `foxglove.FrameTransforms`.
pub(super) const FRAME_TRANSFORMS: &[u8] = include_bytes!("../../assets/foxglove.FrameTransforms.bin");
/// Descriptor of `foxglove.SceneUpdate`.
pub(super) const SCENE_UPDATE: &[u8] = include_bytes!("../../assets/foxglove.SceneUpdate.bin");

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(super) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(super) nanos: i32,
}

/// A vector, a point, or a size.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Vector3 {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Quaternion {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
    #[prost(double, tag = "4")]
    pub(super) w: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Pose {
    #[prost(message, optional, tag = "1")]
    pub(super) position: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub(super) orientation: Option<Quaternion>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Color {
    #[prost(double, tag = "1")]
    pub(super) r: f64,
    #[prost(double, tag = "2")]
    pub(super) g: f64,
    #[prost(double, tag = "3")]
    pub(super) b: f64,
    #[prost(double, tag = "4")]
    pub(super) a: f64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FrameTransforms {
    #[prost(message, repeated, tag = "1")]
    pub(super) transforms: Vec<FrameTransform>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FrameTransform {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub(super) child_frame_id: String,
    #[prost(message, optional, tag = "4")]
    pub(super) translation: Option<Vector3>,
    #[prost(message, optional, tag = "5")]
    pub(super) rotation: Option<Quaternion>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SceneUpdate {
    #[prost(message, repeated, tag = "2")]
    pub(super) entities: Vec<SceneEntity>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SceneEntity {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) frame_id: String,
    #[prost(string, tag = "3")]
    pub(super) id: String,
    #[prost(bool, tag = "5")]
    pub(super) frame_locked: bool,
    #[prost(message, repeated, tag = "6")]
    pub(super) metadata: Vec<KeyValuePair>,
    #[prost(message, repeated, tag = "7")]
    pub(super) arrows: Vec<ArrowPrimitive>,
    #[prost(message, repeated, tag = "8")]
    pub(super) cubes: Vec<SizedPrimitive>,
    #[prost(message, repeated, tag = "9")]
    pub(super) spheres: Vec<SizedPrimitive>,
    #[prost(message, repeated, tag = "10")]
    pub(super) cylinders: Vec<CylinderPrimitive>,
    #[prost(message, repeated, tag = "11")]
    pub(super) lines: Vec<LinePrimitive>,
    #[prost(message, repeated, tag = "12")]
    pub(super) triangles: Vec<TriangleListPrimitive>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct KeyValuePair {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(string, tag = "2")]
    pub(super) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ArrowPrimitive {
    #[prost(message, optional, tag = "1")]
    pub(super) pose: Option<Pose>,
    #[prost(double, tag = "2")]
    pub(super) shaft_length: f64,
    #[prost(double, tag = "3")]
    pub(super) shaft_diameter: f64,
    #[prost(double, tag = "4")]
    pub(super) head_length: f64,
    #[prost(double, tag = "5")]
    pub(super) head_diameter: f64,
    #[prost(message, optional, tag = "6")]
    pub(super) color: Option<Color>,
}

/// `CubePrimitive` and `SpherePrimitive`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SizedPrimitive {
    #[prost(message, optional, tag = "1")]
    pub(super) pose: Option<Pose>,
    #[prost(message, optional, tag = "2")]
    pub(super) size: Option<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub(super) color: Option<Color>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CylinderPrimitive {
    #[prost(message, optional, tag = "1")]
    pub(super) pose: Option<Pose>,
    #[prost(message, optional, tag = "2")]
    pub(super) size: Option<Vector3>,
    #[prost(double, tag = "3")]
    pub(super) bottom_scale: f64,
    #[prost(double, tag = "4")]
    pub(super) top_scale: f64,
    #[prost(message, optional, tag = "5")]
    pub(super) color: Option<Color>,
}

/// A line from point to point, which is type 0.
#[derive(Clone, PartialEq, Message)]
pub(super) struct LinePrimitive {
    #[prost(message, optional, tag = "2")]
    pub(super) pose: Option<Pose>,
    #[prost(double, tag = "3")]
    pub(super) thickness: f64,
    #[prost(bool, tag = "4")]
    pub(super) scale_invariant: bool,
    #[prost(message, repeated, tag = "5")]
    pub(super) points: Vec<Vector3>,
    #[prost(message, optional, tag = "6")]
    pub(super) color: Option<Color>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TriangleListPrimitive {
    #[prost(message, optional, tag = "1")]
    pub(super) pose: Option<Pose>,
    #[prost(message, repeated, tag = "2")]
    pub(super) points: Vec<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub(super) color: Option<Color>,
    #[prost(fixed32, repeated, tag = "5")]
    pub(super) indices: Vec<u32>,
}

impl From<nalgebra::Vector3<f64>> for Vector3 {
    fn from(v: nalgebra::Vector3<f64>) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<[f64; 3]> for Vector3 {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

impl From<nalgebra::UnitQuaternion<f64>> for Quaternion {
    fn from(q: nalgebra::UnitQuaternion<f64>) -> Self {
        Self { x: q.i, y: q.j, z: q.k, w: q.w }
    }
}

impl From<cosimo_scene::Pose> for Pose {
    fn from(pose: cosimo_scene::Pose) -> Self {
        Self { position: Some(pose.position.into()), orientation: Some(pose.orientation.into()) }
    }
}

impl From<[f32; 3]> for Color {
    fn from([r, g, b]: [f32; 3]) -> Self {
        Self { r: r.into(), g: g.into(), b: b.into(), a: 1.0 }
    }
}
