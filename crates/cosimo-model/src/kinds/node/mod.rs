//! `kind = "node"`: a point mass in space, with moving planes.

mod build;
pub(crate) mod read;

use cosimo_mechanics::ContactLaw;
use cosimo_subsystem::Subsystem;
use serde::Serialize;
use toml::Table;

use super::contact_law::contact_quantities;
use super::{Kind, NamedTable};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::kinds::shape::ShapeSpec;
use crate::spec::QuantityRole::{Position, Velocity};
use crate::spec::{PortShape, QuantityName, SizeOverTime, grouped};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "node";

/// A point mass in space; vectors are `[x, y, z]` in the world frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeSpec {
    /// Mass (kg), positive.
    pub mass: f64,
    /// Radius (m), zero or positive; gaps are measured from the surface. Default: 0.
    pub radius: f64,
    /// Moment of inertia about any axis through the centre (kg m²), positive; with it the node is a sphere that turns.
    pub inertia: Option<f64>,
    /// Initial angular velocity (rad/s) of a node that turns. Default: zero.
    pub angular_velocity: [f64; 3],
    /// Gravity (m/s²). Default: zero.
    pub gravity: [f64; 3],
    /// Initial position of the centre (m). Default: zero.
    pub position: [f64; 3],
    /// Initial velocity (m/s). Default: zero.
    pub velocity: [f64; 3],
    /// Constant force (N). Default: zero.
    pub force: [f64; 3],
    /// Shapes that are seen only. Default: a sphere.
    #[serde(rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeSpec>,
    /// Ports. Default: one of three coordinates called `centre`.
    #[serde(rename = "port")]
    pub ports: Vec<NodePortSpec>,
    /// Planes the node may touch.
    #[serde(rename = "plane", skip_serializing_if = "Vec::is_empty")]
    pub planes: Vec<PlaneSpec>,
    /// Forces over time.
    #[serde(rename = "load", skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<NodeLoadSpec>,
}

/// A port of a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodePortSpec {
    /// Name, unique in the subsystem.
    pub name: String,
    /// Direction of the only coordinate, not zero, of any length; none for the three coordinates of the centre.
    pub direction: Option<[f64; 3]>,
}

/// A plane that the node cannot pass.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaneSpec {
    /// Name, unique in the subsystem.
    pub name: String,
    /// A point of the plane at t = 0 (m). Default: zero.
    pub point: [f64; 3],
    /// Normal towards the node at t = 0, not zero, of any length.
    pub normal: [f64; 3],
    /// Restitution and friction.
    #[serde(flatten)]
    pub law: ContactLaw,
    /// Velocity of the point (m/s). Default: zero.
    pub velocity: [f64; 3],
    /// Amplitude of the harmonic motion `amplitude · sin(frequency · t + phase)` of the point (m). Default: zero.
    pub amplitude: [f64; 3],
    /// Angular frequency of the harmonic motion (rad/s), zero or positive. Default: 0.
    pub frequency: f64,
    /// Phase of the harmonic motion (rad). Default: 0.
    pub phase: f64,
    /// Angular velocity of the normal about the point (rad/s). Default: zero.
    pub angular_velocity: [f64; 3],
}

/// A force over time on a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeLoadSpec {
    /// Direction of the force, not zero, of any length.
    pub direction: [f64; 3],
    /// Force (N) over time.
    #[serde(flatten)]
    pub size: SizeOverTime,
}

impl Kind for NodeSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        let size = |port: &NodePortSpec| if port.direction.is_some() { 1 } else { 3 };
        self.ports.iter().map(|port| PortShape::new(&port.name, size(port))).collect()
    }

    fn has_contacts(&self) -> bool {
        !self.planes.is_empty()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        let motion = grouped("", &[("x y z", "m", Position), ("vx vy vz", "m/s", Velocity)]);
        let spin = [("rx ry rz", "rad", Position), ("wx wy wz", "rad/s", Velocity)];
        let spin = self.inertia.iter().flat_map(|_| grouped("", &spin));
        let slips = |plane: &PlaneSpec| if plane.law.friction > 0.0 { 2 } else { 0 };
        let contacts = self.planes.iter().flat_map(|plane| contact_quantities(&plane.name, slips(plane)));
        motion.into_iter().chain(spin).chain(contacts).collect()
    }

    fn tables(&self) -> Vec<NamedTable<'_>> {
        self.loads
            .iter()
            .enumerate()
            .filter_map(|(index, load)| Some(NamedTable::of_load((index, load.size.table()?))))
            .collect()
    }

    fn complete(&self, table: &mut Table) {
        if self.inertia.is_none() {
            table.remove("angular_velocity");
        }
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Ok(Box::new(build::build(self, frame)?))
    }
}
