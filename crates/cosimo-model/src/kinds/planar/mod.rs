//! `kind = "planar"`: rigid bodies in a plane.

mod build;
pub(crate) mod read;

use cosimo_mechanics::ContactLaw;
use cosimo_subsystem::Subsystem;
use serde::Serialize;
use toml::Table;

use super::body_ref::BodyRef;
use super::contact_law::contact_quantities;
use super::{Diagnostic, Kind, Start, correct_start, violated};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::kinds::shape::ShapeSpec;
use crate::spec::{Group, PortShape, QuantityName, QuantityRole, grouped};
use crate::toml::References;

/// Name of the kind in the file.
pub(crate) const NAME: &str = "planar";

/// Rigid bodies in a plane: x to the right, y up, angles counter-clockwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanarSpec {
    /// Gravity (m/s²). Default: zero.
    pub gravity: [f64; 2],
    /// Bodies, at least one.
    #[serde(rename = "body")]
    pub bodies: Vec<BodySpec>,
    /// Revolute joints.
    #[serde(rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<PinSpec>,
    /// Springs between points.
    #[serde(rename = "spring", skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<PlanarSpringSpec>,
    /// Contacts of points with half-planes.
    #[serde(rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<PlanarContactSpec>,
    /// Ports. Default: none.
    #[serde(rename = "port", skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PlanarPortSpec>,
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodySpec {
    /// Name, unique among the bodies, not `ground`.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Moment of inertia about the centre of mass (kg m²), positive.
    pub inertia: f64,
    /// Initial position of the centre of mass (m). Default: zero.
    pub position: [f64; 2],
    /// Initial angle (rad). Default: 0.
    pub angle: f64,
    /// Initial velocity of the centre of mass (m/s). Default: zero.
    pub velocity: [f64; 2],
    /// Initial angular velocity (rad/s). Default: 0.
    pub angular_velocity: f64,
    /// Shapes that are seen only. Default: what contacts, joints and the mass give.
    #[serde(rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeSpec>,
}

/// A point of a body or of the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PointSpec {
    /// What it is fixed to.
    pub body: BodyRef,
    /// Where (m), in the frame of the body, from its centre of mass. Default: zero.
    pub point: [f64; 2],
}

/// A revolute joint: two points coincide.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PinSpec {
    /// Name, unique among the pins.
    pub name: String,
    /// The two points, of different bodies.
    pub between: [PointSpec; 2],
}

/// A spring with a damper between two points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanarSpringSpec {
    /// The two points, of different bodies.
    pub between: [PointSpec; 2],
    /// Stiffness (N/m), zero or positive.
    pub stiffness: f64,
    /// Damping (N s/m), zero or positive. Default: 0.
    pub damping: f64,
    /// Length at zero force (m), zero or positive.
    pub length: f64,
}

/// A point of a body stays on the outer side of a half-plane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanarContactSpec {
    /// Name, unique among the contacts.
    pub name: String,
    /// Index of the body in [`PlanarSpec::bodies`].
    pub body: usize,
    /// The point (m), in the frame of the body, from its centre of mass. Default: zero.
    pub point: [f64; 2],
    /// A point of the boundary (m), in the world. Default: zero.
    pub plane: [f64; 2],
    /// Outward normal in the world, not zero, of any length.
    pub normal: [f64; 2],
    /// Restitution and friction.
    #[serde(flatten)]
    pub law: ContactLaw,
}

/// A port at a point of a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanarPortSpec {
    /// Name, unique among the ports.
    pub name: String,
    /// Index of the body in [`PlanarSpec::bodies`].
    pub body: usize,
    /// The point (m), in the frame of the body, from its centre of mass. Default: zero.
    pub point: [f64; 2],
    /// Direction in the world of the only coordinate, not zero, of any length; none for the three coordinates
    /// (x, y, 0).
    pub direction: Option<[f64; 2]>,
}

impl PlanarContactSpec {
    /// Number of its slips.
    fn slips(&self) -> usize {
        usize::from(self.law.friction > 0.0)
    }
}

impl PlanarPortSpec {
    /// Number of coordinates: 1 or 3.
    fn size(&self) -> usize {
        if self.direction.is_some() { 1 } else { 3 }
    }
}

impl Kind for PlanarSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.ports
            .iter()
            .map(|port| PortShape { is_flat: port.size() == 3, ..PortShape::new(&port.name, port.size()) })
            .collect()
    }

    fn has_contacts(&self) -> bool {
        !self.contacts.is_empty()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        let bodies = self.bodies.iter().flat_map(|body| grouped(&body.name, &OF_BODY));
        let contacts = self.contacts.iter();
        let contacts = contacts.flat_map(|contact| contact_quantities(&contact.name, contact.slips()));
        let residual = [("residual_x residual_y", "m", QuantityRole::Residual)];
        let residuals = self.pins.iter().flat_map(|pin| grouped(&pin.name, &residual));
        bodies.chain(contacts).chain(residuals).collect()
    }

    fn findings(&self, start: &Start) -> Vec<Diagnostic> {
        let Ok(system) = build::equations(self) else {
            return Vec::new();
        };
        let found = system.initial_violations(start.tolerance).into_iter();
        found
            .map(|violation| Diagnostic {
                key: "pin",
                index: self.pins.iter().position(|pin| pin.name == violation.pin).unwrap_or_default(),
                name: violation.pin,
                message: violated(violation.distance, violation.speed),
                help: correct_start(start.tolerance),
                is_warning: false,
            })
            .collect()
    }

    fn complete(&self, table: &mut Table) {
        let names = self.bodies.iter().map(|body| body.name.as_str()).collect();
        References { keys: &["body"], names }.put_into(table);
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Ok(Box::new(build::build(self, frame)?))
    }
}

/// What a body shows of its centre of mass and angle.
const OF_BODY: [Group; 4] = [
    ("x y", "m", QuantityRole::Position),
    ("angle", "rad", QuantityRole::Position),
    ("vx vy", "m/s", QuantityRole::Velocity),
    ("omega", "rad/s", QuantityRole::Velocity),
];
