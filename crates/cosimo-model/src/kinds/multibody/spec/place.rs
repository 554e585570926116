//! Where joints and forces are on bodies.

use serde::{Serialize, Serializer};

use crate::kinds::body_ref::BodyRef;

/// The axis of a frame where none is given.
pub(crate) const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// Two frames, one on each of two bodies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PlaceSpec {
    /// By where they are at the start, with the same axes.
    AtStart {
        /// The two bodies, which differ.
        bodies: [BodyRef; 2],
        /// Origins of the frames in the world (m).
        #[serde(serialize_with = "write_points")]
        at: [[f64; 3]; 2],
        /// Third axis of the frames in the world, not zero, of any length; none where it has no effect. Default: `[0, 0, 1]`.
        axis: Option<[f64; 3]>,
        /// First axis in the world, at right angles, of any length; none for the one next to the world's.
        x: Option<[f64; 3]>,
    },
    /// By where they are on the bodies.
    #[serde(serialize_with = "write_frames")]
    Frames([BodyFrameSpec; 2]),
}

/// A frame of a body, or of the ground.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyFrameSpec {
    /// The body.
    pub body: BodyRef,
    /// Origin in the body's frame (m). Default: zero.
    pub point: [f64; 3],
    /// Third axis in the body's frame, not zero, of any length; none where it has no effect. Default: `[0, 0, 1]`.
    pub axis: Option<[f64; 3]>,
    /// First axis in the body's frame, at right angles, of any length; none for the one next to the body's.
    pub x: Option<[f64; 3]>,
}

impl BodyFrameSpec {
    /// The origin of the frame of a body.
    pub(crate) fn origin_of(body: usize) -> Self {
        Self { body: BodyRef::Body(body), point: [0.0; 3], axis: None, x: None }
    }
}

impl PlaceSpec {
    /// The two bodies.
    pub(crate) fn bodies(&self) -> [BodyRef; 2] {
        match self {
            Self::AtStart { bodies, .. } => *bodies,
            Self::Frames([first, second]) => [first.body, second.body],
        }
    }
}

/// Writes one point for both frames where they coincide.
fn write_points<S: Serializer>(points: &[[f64; 3]; 2], serializer: S) -> Result<S::Ok, S::Error> {
    if points[0] == points[1] { points[0].serialize(serializer) } else { points.serialize(serializer) }
}

/// Writes two frames under their keys.
fn write_frames<S: Serializer>(frames: &[BodyFrameSpec; 2], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(["first", "second"].into_iter().zip(frames))
}
