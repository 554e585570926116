//! Joints, composed of basic constraints.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::branch::Alignment;
use super::constraint::BasicConstraint;
use super::geometry::Geometry;
use cosimo_mechanics::TimeFunction;

/// A frame fixed to a body, or to the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Name of the body; `None` is the ground.
    pub body: Option<String>,
    /// Origin of the frame in the body's frame (m).
    pub point: Vector3<f64>,
    /// Turns vectors of the frame into vectors of the body.
    pub orientation: UnitQuaternion<f64>,
}

impl Frame {
    /// A frame of the ground, in world axes at this point (m).
    #[must_use]
    pub fn ground(point: impl Into<Vector3<f64>>) -> Self {
        Self { body: None, point: point.into(), orientation: UnitQuaternion::identity() }
    }

    /// A frame of a body, in body axes at this point (m).
    #[must_use]
    pub fn on(body: impl Into<String>, point: impl Into<Vector3<f64>>) -> Self {
        Self { body: Some(body.into()), ..Self::ground(point) }
    }

    /// Turns the frame by a quaternion from its axes to the body's.
    #[must_use]
    pub fn with_orientation(mut self, orientation: UnitQuaternion<f64>) -> Self {
        self.orientation = orientation;
        self
    }

    /// Turns the frame by the shortest way so that its `z` axis points along this direction of the body.
    #[must_use]
    pub fn with_axis(self, z: impl Into<Vector3<f64>>) -> Self {
        self.with_orientation(shortest_turn(&z.into()))
    }
}

/// The shortest rotation that takes `z` to this direction.
pub(crate) fn shortest_turn(to: &Vector3<f64>) -> UnitQuaternion<f64> {
    let flip = || UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::PI);
    UnitQuaternion::rotation_between(&Vector3::z(), to).unwrap_or_else(flip)
}

/// What a joint lets free. `z` is the third axis of a frame; the first frame belongs to the first body.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum JointKind {
    /// The frames move together: 6 rows.
    Fixed,
    /// Turns about the common `z`: 5 rows.
    Revolute,
    /// The points coincide: 3 rows.
    Spherical,
    /// Slides along the common `z`: 5 rows.
    Prismatic,
    /// Slides along and turns about the common `z`: 4 rows.
    Cylindrical,
    /// The points coincide, the first frame's `z` stays perpendicular to the second's `x`: 4 rows.
    Universal,
    /// The second point stays in the first frame's plane of `x` and `y`, with parallel `z`: 3 rows.
    Planar,
    /// The distance of the points follows a function of time (m): 1 row.
    Distance(TimeFunction),
    /// The angle about the first frame's `z` from its `x` to the second's `x` follows a function of time (rad): 1 row.
    Angle(TimeFunction),
    /// The way of the second point along the first frame's `z` follows a function of time (m): 1 row.
    Displacement(TimeFunction),
    /// The product of the first frame's `z` and the second's `x`, the cosine of their angle, follows a function of time in (−1, 1): 1 row.
    DotProduct(TimeFunction),
    /// The way of the second point from the first along a direction of the world follows a function of time (m): 1 row.
    Coordinate {
        /// The direction in world axes, of any length but zero; ways are measured along its unit vector.
        direction: [f64; 3],
        /// The way (m).
        motion: TimeFunction,
    },
    /// Constraint rows that a user defines, in the axes of the bodies, with arms from the centres of mass.
    Custom(Vec<BasicConstraint>),
}

/// A joint between two frames.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// What it lets free.
    pub kind: JointKind,
    /// Frame on the first body.
    pub first: Frame,
    /// Frame on the second body.
    pub second: Frame,
}

impl Joint {
    /// A joint between two frames.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: JointKind, first: Frame, second: Frame) -> Self {
        Self { name: name.into(), kind, first, second }
    }
}

/// A [`Frame`] whose body is found.
#[derive(Debug, Clone, Copy)]
pub struct Marker {
    /// Number of the body; `None` is the ground.
    pub body: Option<usize>,
    /// Arm from the body's centre of mass to the origin of the frame, in body axes (m).
    pub arm: Vector3<f64>,
    /// Axes of the frame in those of the body.
    pub axes: [Vector3<f64>; 3],
}

impl JointKind {
    /// What it makes parallel or equal.
    pub(crate) fn alignment(&self, first: &Marker, second: &Marker) -> Alignment {
        match self {
            Self::Fixed | Self::Prismatic => {
                Alignment::Frames([first, second].map(|marker| Matrix3::from_columns(&marker.axes)))
            }
            Self::Revolute | Self::Cylindrical | Self::Planar => {
                Alignment::Axes([first, second].map(|marker| marker.axes[2]))
            }
            _ => Alignment::Free,
        }
    }

    /// The rows between two markers.
    pub(crate) fn rows(&self, first: &Marker, second: &Marker) -> Vec<BasicConstraint> {
        let arms = [first.arm, second.arm];
        let ([x, y, z], [x2, y2, z2]) = (first.axes, second.axes);
        let zero = |geometry| BasicConstraint::fixed(geometry, 0.0);
        let meet =
            || [Vector3::x(), Vector3::y(), Vector3::z()].map(|c| zero(Geometry::Coordinate { c, arms }));
        let perpendicular = |a, b| zero(Geometry::Dot1 { a, b });
        let in_plane = |a| zero(Geometry::Dot2 { a, arms });
        let parallel = || [perpendicular(x, z2), perpendicular(y, z2)];
        let driven =
            |geometry, motion: &TimeFunction| BasicConstraint::Equal { geometry, motion: motion.clone() };
        let mut rows = Vec::new();
        match self {
            Self::Fixed => {
                rows.extend(meet());
                rows.extend(parallel());
                rows.push(perpendicular(x, y2));
            }
            Self::Revolute => {
                rows.extend(meet());
                rows.extend(parallel());
            }
            Self::Spherical => rows.extend(meet()),
            Self::Prismatic => {
                rows.extend(parallel());
                rows.extend([in_plane(x), in_plane(y), perpendicular(x, y2)]);
            }
            Self::Cylindrical => {
                rows.extend(parallel());
                rows.extend([in_plane(x), in_plane(y)]);
            }
            Self::Universal => {
                rows.extend(meet());
                rows.push(perpendicular(z, x2));
            }
            Self::Planar => {
                rows.extend(parallel());
                rows.push(in_plane(z));
            }
            Self::Distance(motion) => rows.push(driven(Geometry::Distance { arms }, motion)),
            Self::Angle(motion) => rows.push(BasicConstraint::Turn { x, y, b: x2, motion: motion.clone() }),
            Self::Displacement(motion) => rows.push(driven(Geometry::Dot2 { a: z, arms }, motion)),
            Self::DotProduct(motion) => rows.push(driven(Geometry::Dot1 { a: z, b: x2 }, motion)),
            Self::Coordinate { direction, motion } => {
                let c = Vector3::from(*direction).normalize();
                rows.push(driven(Geometry::Coordinate { c, arms }, motion));
            }
            Self::Custom(own) => rows.extend(own.iter().cloned()),
        }
        rows
    }
}
