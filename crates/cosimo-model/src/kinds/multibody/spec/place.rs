//! Where joints and forces are on bodies.

use crate::kinds::planar::BodyRef;

/// Two frames, one on each of two bodies.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaceSpec {
    /// By where they are at the start, with the same axes.
    AtStart {
        /// The two bodies, which differ.
        bodies: [BodyRef; 2],
        /// Origins of the frames in the world (m).
        at: [[f64; 3]; 2],
        /// Third axis of the frames in the world, not zero, of any length. Default: `[0, 0, 1]`.
        axis: [f64; 3],
        /// First axis in the world, at right angles, of any length; none for the one next to the world's.
        x: Option<[f64; 3]>,
    },
    /// By where they are on the bodies.
    Frames([BodyFrameSpec; 2]),
}

/// A frame of a body, or of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyFrameSpec {
    /// The body.
    pub body: BodyRef,
    /// Origin in the body's frame (m). Default: zero.
    pub point: [f64; 3],
    /// Third axis in the body's frame, not zero, of any length. Default: `[0, 0, 1]`.
    pub axis: [f64; 3],
    /// First axis in the body's frame, at right angles, of any length; none for the one next to the body's.
    pub x: Option<[f64; 3]>,
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
