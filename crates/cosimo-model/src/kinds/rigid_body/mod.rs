//! `kind = "rigid-body"`: a rigid body that flies and turns in space.

mod build;
pub(crate) mod read;

use cosimo_subsystem::Subsystem;
use serde::{Serialize, Serializer};

use super::shape::ShapeSpec;
use super::{Kind, Rejection};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{Group, MatrixSpec, PortShape, QuantityName, QuantityRole, SolverSpec, grouped};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "rigid-body";

/// A rigid body in space; vectors are `[x, y, z]` in the world frame where nothing else is said. Orientations are
/// quaternions `[w, x, y, z]` of any length that is not zero.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RigidBodySpec {
    /// Mass (kg), positive.
    pub mass: f64,
    /// Inertia about the centre of mass in body axes (kg m²), `3 × 3`, that of a body.
    pub inertia: MatrixSpec,
    /// Gravity (m/s²). Default: zero.
    pub gravity: [f64; 3],
    /// Initial position of the centre of mass (m). Default: zero.
    pub position: [f64; 3],
    /// Initial orientation: turns body vectors into world vectors. Default: `[1, 0, 0, 0]`.
    pub orientation: [f64; 4],
    /// Initial velocity of the centre of mass (m/s). Default: zero.
    pub velocity: [f64; 3],
    /// Initial angular velocity (rad/s). Default: zero.
    pub angular_velocity: [f64; 3],
    /// Shapes that are seen only. Default: what contacts, joints and the mass give.
    #[serde(rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeSpec>,
    /// Ports. Default: a frame called `centre`.
    #[serde(rename = "port")]
    pub ports: Vec<BodyPortSpec>,
}

/// A port of a rigid body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyPortSpec {
    /// Name, unique in the subsystem.
    pub name: String,
    /// The body point, from the centre of mass in body axes (m). Default: zero.
    pub point: [f64; 3],
    /// What of it is joined. Default: a frame.
    #[serde(flatten)]
    pub shape: BodyPortShape,
}

/// The coordinates of a port of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BodyPortShape {
    /// 1 coordinate: the position along a direction of the world, not zero, of any length.
    Along([f64; 3]),
    /// 3 coordinates: the position.
    Point,
    /// 6 coordinates: the position, and the orientation of a frame that is turned by this quaternion in the body.
    Frame([f64; 4]),
}

/// What of the shape a file says.
#[derive(Serialize)]
struct ShapeKeys {
    coordinates: Option<u32>,
    direction: Option<[f64; 3]>,
    orientation: Option<[f64; 4]>,
}

impl Serialize for BodyPortShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (coordinates, direction, orientation) = match *self {
            Self::Along(direction) => (None, Some(direction), None),
            Self::Point => (Some(3), None, None),
            Self::Frame(orientation) => (Some(6), None, Some(orientation)),
        };
        ShapeKeys { coordinates, direction, orientation }.serialize(serializer)
    }
}

impl BodyPortShape {
    /// As a port of this name.
    pub(crate) fn named(&self, name: &str) -> PortShape {
        let (size, is_frame) = match self {
            Self::Along(_) => (1, false),
            Self::Point => (3, false),
            Self::Frame(_) => (6, true),
        };
        PortShape { is_frame, ..PortShape::new(name, size) }
    }
}

/// What a body shows of its centre of mass and orientation, in world axes.
pub(crate) const OF_BODY: [Group; 4] = [
    ("x y z", "m", QuantityRole::Position),
    ("qw qx qy qz", "", QuantityRole::Position),
    ("vx vy vz", "m/s", QuantityRole::Velocity),
    ("wx wy wz", "rad/s", QuantityRole::Velocity),
];

impl Kind for RigidBodySpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.ports.iter().map(|port| port.shape.named(&port.name)).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn refuses(&self, solver: &SolverSpec) -> Option<Rejection> {
        let is_midpoint = matches!(solver, SolverSpec::Theta { theta } if *theta == 0.5);
        (!is_midpoint).then_some(Rejection {
            key: "solver",
            help: "a rigid body steps by a midpoint rule of its own; leave out solver, or use \"theta\" with theta = 0.5",
        })
    }

    fn quantities(&self) -> Vec<QuantityName> {
        grouped("", &OF_BODY)
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Ok(Box::new(build::build(self, frame)?))
    }
}
