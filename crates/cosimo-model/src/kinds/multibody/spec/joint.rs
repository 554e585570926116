//! Joints.

use cosimo_mechanics::TimeFunction;
use serde::Serialize;

use super::PlaceSpec;

/// A joint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// What it lets free.
    #[serde(flatten)]
    pub freedom: JointFreedom,
    /// Its frames.
    #[serde(flatten)]
    pub place: PlaceSpec,
}

/// What a joint lets free. The third axis of a frame is its `axis`, the first its `x`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JointFreedom {
    /// Nothing.
    Fixed,
    /// Turns about the axis.
    Revolute,
    /// Turns about the point.
    Spherical,
    /// Slides along the axis.
    Prismatic,
    /// Slides along and turns about the axis.
    Cylindrical,
    /// Turns about the axis of the first frame and the `x` of the second.
    Universal,
    /// Slides in the plane across the axis and turns about it.
    Planar,
    /// Everything but the distance of the points (m).
    Distance(MotionSpec),
    /// Everything but the angle about the axis, from `x` to `x` (rad).
    Angle(MotionSpec),
    /// Everything but the way of the second point along the axis (m).
    Displacement(MotionSpec),
    /// Everything but the cosine of the angle between the axis of the first frame and the `x` of the second (–).
    DotProduct(MotionSpec),
    /// Everything but the way of the second point from the first along a direction of the world (m).
    Coordinate {
        /// The direction, not zero, of any length.
        axis: [f64; 3],
        /// The way.
        #[serde(flatten)]
        motion: MotionSpec,
    },
}

/// How a number (m or rad) is prescribed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum MotionSpec {
    /// By what it is over time.
    #[serde(rename = "motion")]
    Position(TimeFunctionSpec),
    /// By its rate (1/s) over time, from where the joint stands at the start.
    #[serde(rename = "speed")]
    Speed(TimeFunction),
}

/// A number over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum TimeFunctionSpec {
    /// The input of this name, which is led smoothly from where the joint stands at the start.
    #[serde(rename = "signal")]
    Signal(String),
    /// A function that is known beforehand.
    #[serde(untagged)]
    Known(TimeFunction),
}

impl MotionSpec {
    /// What is prescribed over time, position or speed; `None` where a signal gives it.
    #[must_use]
    pub fn function(&self) -> Option<&TimeFunction> {
        match self {
            Self::Position(TimeFunctionSpec::Known(function)) | Self::Speed(function) => Some(function),
            Self::Position(TimeFunctionSpec::Signal(_)) => None,
        }
    }
}

impl JointFreedom {
    /// Units of what it holds, and of the rate of that; where it holds ways and directions, both.
    pub(crate) fn units(&self) -> [&'static str; 2] {
        match self {
            Self::Spherical | Self::Distance(_) | Self::Displacement(_) | Self::Coordinate { .. } => {
                ["m", "m/s"]
            }
            Self::Angle(_) => ["rad", "rad/s"],
            Self::DotProduct(_) => ["–", "1/s"],
            _ => ["m or rad", "m/s or rad/s"],
        }
    }

    /// The motion, of a joint that prescribes one.
    #[must_use]
    pub fn motion(&self) -> Option<&MotionSpec> {
        match self {
            Self::Distance(motion)
            | Self::Angle(motion)
            | Self::Displacement(motion)
            | Self::DotProduct(motion)
            | Self::Coordinate { motion, .. } => Some(motion),
            _ => None,
        }
    }

    /// The motion, to be changed.
    pub(crate) fn motion_mut(&mut self) -> Option<&mut MotionSpec> {
        match self {
            Self::Distance(motion)
            | Self::Angle(motion)
            | Self::Displacement(motion)
            | Self::DotProduct(motion)
            | Self::Coordinate { motion, .. } => Some(motion),
            _ => None,
        }
    }
}
