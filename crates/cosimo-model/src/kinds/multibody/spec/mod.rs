//! Rigid bodies in space with joints and forces, as plain data.

mod aerodynamics;
mod beam;
mod contact;
mod force;
mod gear;
mod joint;
mod place;
mod port;

use cosimo_smooth::dae::{Formulation, TangentPolicy};
use serde::Serialize;

use crate::kinds::shape::ShapeSpec;
use crate::spec::MatrixSpec;
use crate::toml::setting;

pub use aerodynamics::{AerodynamicsSpec, CarriedFrameSpec, RotorFramesSpec};
pub use beam::{BeamSpec, SectionSpec, SectionTablesSpec, SectionsSpec};
pub use contact::{ContactShapeSpec, MatchedBodies, SpatialContactSpec};
pub use force::{
    FilmSpec, ForceLaw, ForceSpec, LoadActionSpec, LoadAxes, LoadSizeSpec, Side, SignalSpec, SpatialLoadSpec,
};
pub use gear::{CamSpec, GearLaw, GearSpec, RopePointSpec, RopeSpec};
pub use joint::{JointFreedom, JointSpec, MotionSpec, TimeFunctionSpec};
pub(crate) use place::UP;
pub use place::{BodyFrameSpec, PlaceSpec};
pub use port::{MeasureSpec, PortPlaceSpec, SensorSpec, SpatialPortSpec};

/// Rigid bodies in space with joints and forces; vectors are `[x, y, z]` in the world frame where nothing else is said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MultibodySpec {
    /// Gravity (m/s²). Default: zero.
    pub gravity: [f64; 3],
    /// At which levels the constraints of joints are imposed. Default: stabilised index 2 with the midpoint rule, else
    /// stabilised index 1.
    #[serde(serialize_with = "setting")]
    pub formulation: Formulation,
    /// Error of the velocities that the solution of a step may leave, relative to `1 + max |v|` (–), positive. Default: 1e-12.
    pub tolerance: f64,
    /// How often the matrix of a step is factorised. Default: modified.
    pub newton: TangentPolicy,
    /// Iterations that the solution of a step may take, at least 1. Default: 30.
    pub max_iterations: u32,
    /// Bodies, at least one; those of the nodes of beams behind the others.
    #[serde(rename = "body")]
    pub bodies: Vec<SpatialBodySpec>,
    /// Beams.
    #[serde(rename = "beam", skip_serializing_if = "Vec::is_empty")]
    pub beams: Vec<BeamSpec>,
    /// Joints.
    #[serde(rename = "joint", skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSpec>,
    /// Forces between bodies.
    #[serde(rename = "force", skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<ForceSpec>,
    /// Forces and moments over time.
    #[serde(rename = "load", skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<SpatialLoadSpec>,
    /// Gears and cams between what sensors measure.
    #[serde(rename = "gear", skip_serializing_if = "Vec::is_empty")]
    pub gears: Vec<GearSpec>,
    /// Ropes.
    #[serde(rename = "rope", skip_serializing_if = "Vec::is_empty")]
    pub ropes: Vec<RopeSpec>,
    /// Unilateral contacts.
    #[serde(rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<SpatialContactSpec>,
    /// Ports. Default: none.
    #[serde(rename = "port", skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<SpatialPortSpec>,
    /// What is measured besides the motion of the bodies.
    #[serde(rename = "sensor", skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<SensorSpec>,
    /// The equilibrium near the bodies' places, in which the run starts. Default: as the bodies are given.
    pub equilibrium: Option<EquilibriumSpec>,
    /// The air on a rotor of the system. Default: none.
    pub aerodynamics: Option<AerodynamicsSpec>,
}

/// An equilibrium without loads on the ports.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct EquilibriumSpec {
    /// Indices of sensors of one number, in [`MultibodySpec::sensors`], that keep theirs. Default: none.
    pub held: Vec<usize>,
    /// Angular velocity about an axis through the origin with which all turns steadily (rad/s). Default: zero.
    pub turning: [f64; 3],
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialBodySpec {
    /// Name, unique among bodies, joints, forces and sensors, not `ground`.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Inertia about the centre of mass in body axes (kg m²), `3 × 3`, that of a body.
    pub inertia: MatrixSpec,
    /// Centre of mass in the body's frame (m). Default: zero.
    pub centre_of_mass: [f64; 3],
    /// Initial position of the origin of the body's frame (m). Default: zero.
    pub position: [f64; 3],
    /// Initial orientation, a unit quaternion that turns body vectors into world vectors. Default: `[1, 0, 0, 0]`.
    pub orientation: [f64; 4],
    /// Initial velocity of the origin (m/s). Default: zero.
    pub velocity: [f64; 3],
    /// Initial angular velocity (rad/s). Default: zero.
    pub angular_velocity: [f64; 3],
    /// Shapes that are seen only. Default: what contacts, joints and the mass give.
    #[serde(rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeSpec>,
}

impl MultibodySpec {
    /// The bodies that are no nodes of beams.
    pub(crate) fn single_bodies(&self) -> &[SpatialBodySpec] {
        let nodes: usize = self.beams.iter().map(|beam| beam.stations.len()).sum();
        &self.bodies[..self.bodies.len().saturating_sub(nodes)]
    }
}
