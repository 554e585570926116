//! Gears, cams and ropes.

use cosimo_mechanics::Interpolation;
use serde::Serialize;

use crate::kinds::body_ref::BodyRef;

/// A gear or a cam between the numbers that two sensors measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GearSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// Indices of two sensors of one number in [`MultibodySpec::sensors`](super::MultibodySpec::sensors).
    pub sensors: [usize; 2],
    /// What the second number is by the first.
    #[serde(flatten)]
    pub law: GearLaw,
}

impl GearSpec {
    /// Whether it is a constraint, without losses.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !matches!(self.law, GearLaw::Lossy { .. })
    }
}

/// What the second coordinate of a gear is by the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum GearLaw {
    /// A cam: the number over the first one, exactly.
    Cam {
        /// The curve.
        cam: CamSpec,
    },
    /// `ratio · s + offset` by teeth that give and lose a share of what they transmit.
    Lossy {
        /// Change of the second number by the first, not zero.
        ratio: f64,
        /// The second number where the first is zero. Default: so that teeth are free at the start.
        offset: Option<f64>,
        /// Share of the power that is not lost, in (0, 1].
        efficiency: f64,
        /// Stiffness of the teeth along the second number (N/m or N m/rad), positive.
        stiffness: f64,
        /// Damping (N s/m or N m s/rad), zero or positive. Default: 0.
        damping: f64,
        /// Rate of the second number below which losses fade (m/s or rad/s), positive. Default: 1e-3.
        slip_speed: f64,
    },
    /// `ratio · s + offset`, exactly and without losses.
    Exact {
        /// Change of the second number by the first, not zero.
        ratio: f64,
        /// The second number where the first is zero. Default: so that it is closed at the start.
        offset: Option<f64>,
    },
}

/// A curve over a coordinate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CamSpec {
    /// Angles (rad), or lengths (m), increasing strictly, at least two.
    pub angle: Vec<f64>,
    /// Values there (m or rad).
    pub value: Vec<f64>,
    /// How it goes between them. Default: periodic.
    pub interpolation: Interpolation,
}

/// A rope over points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RopeSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// Points on two or more bodies or the ground: fixed at the first and the last, free to slide over the others.
    pub points: Vec<RopePointSpec>,
    /// Length without tension (m), positive. Default: that at the start.
    pub length: f64,
    /// Stiffness (N/m), positive.
    pub stiffness: f64,
    /// Damping (N s/m), zero or positive. Default: 0.
    pub damping: f64,
}

/// A point of a rope.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RopePointSpec {
    /// The body.
    pub body: BodyRef,
    /// The point in the body's frame (m). Default: zero.
    pub point: [f64; 3],
}
