//! Bodies, joints and forces by name.

use std::collections::BTreeMap;

use nalgebra::{UnitQuaternion, Vector3};

use super::force::{Force, ForceKind, needs_a_line};
use super::geometry::Geometry;
use super::joint::{Frame, Joint, JointKind, Marker, shortest_turn};
use super::pose::Pair;
use super::sensor::Sensor;
use super::system::{PlacedForce, PlacedJoint, SpatialSystem};
use super::{RigidBody, SpatialModelError};

/// Deviation from unit length that a quaternion may have.
const UNIT_TOLERANCE: f64 = 1e-9;

/// A body and where it starts. Its frame may have its origin anywhere; velocities are those of the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Mass, and inertia about the centre of mass in the body's axes.
    pub properties: RigidBody,
    /// Centre of mass in the body's frame (m).
    pub centre_of_mass: Vector3<f64>,
    /// Origin of the frame in world axes (m).
    pub position: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub orientation: UnitQuaternion<f64>,
    /// Velocity of the origin in world axes (m/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity in body axes (rad/s).
    pub angular_velocity: Vector3<f64>,
}

impl Body {
    /// A body at rest, its centre of mass at the world's origin.
    #[must_use]
    pub fn new(name: impl Into<String>, properties: RigidBody) -> Self {
        Self {
            name: name.into(),
            properties,
            centre_of_mass: Vector3::zeros(),
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }

    /// Puts the centre of mass at this point of the body's frame (m).
    #[must_use]
    pub fn with_centre_of_mass(mut self, point: [f64; 3]) -> Self {
        self.centre_of_mass = point.into();
        self
    }

    /// Puts the origin at this point of the world (m).
    #[must_use]
    pub fn at(mut self, point: [f64; 3]) -> Self {
        self.position = point.into();
        self
    }

    /// Turns the body.
    #[must_use]
    pub fn turned(mut self, orientation: UnitQuaternion<f64>) -> Self {
        self.orientation = orientation;
        self
    }

    /// Sets the velocity of the origin in world axes (m/s) and the angular velocity in body axes (rad/s).
    #[must_use]
    pub fn moving(mut self, velocity: [f64; 3], angular_velocity: [f64; 3]) -> Self {
        self.velocity = velocity.into();
        self.angular_velocity = angular_velocity.into();
        self
    }
}

/// A spatial multibody model: what [`SpatialSystem`] is built from.
///
/// ```
/// use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel};
/// use nalgebra::{Matrix3, Vector3};
///
/// // A pendulum of 1 kg, 1 m below its hinge, that swings about y.
/// let bob = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?;
/// let hinge = |frame: Frame| frame.along([0.0, 1.0, 0.0]);
/// let system = SpatialModel::new()
///     .with_gravity([0.0, 0.0, -9.81])
///     .with_body(Body::new("bob", bob).at([0.0, 0.0, -1.0]))
///     .with_joint(Joint::new(
///         "hinge",
///         JointKind::Revolute,
///         hinge(Frame::ground([0.0; 3])),
///         hinge(Frame::on("bob", [0.0, 0.0, 1.0])),
///     ))
///     .build()?;
/// assert_eq!(system.initial_position().len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpatialModel {
    gravity: Vector3<f64>,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    forces: Vec<Force>,
    pub(super) sensors: Vec<Sensor>,
}

impl SpatialModel {
    /// A model without bodies and gravity.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets gravity (m/s²), added to that of the bodies.
    #[must_use]
    pub fn with_gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// Adds a body.
    #[must_use]
    pub fn with_body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a joint.
    #[must_use]
    pub fn with_joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// Adds a force.
    #[must_use]
    pub fn with_force(mut self, force: Force) -> Self {
        self.forces.push(force);
        self
    }

    /// Adds a joint whose two frames coincide at the start: at this point of the world (m) with `z` along this world
    /// direction. `None` is the ground.
    #[must_use]
    pub fn with_joint_at(
        self,
        name: &str,
        kind: JointKind,
        bodies: [Option<&str>; 2],
        (point, z): ([f64; 3], [f64; 3]),
    ) -> Self {
        let [first, second] = bodies.map(|body| self.frame_at(body, point, z));
        self.with_joint(Joint::new(name, kind, first, second))
    }

    /// The frame of a body that stands at this point of the world (m) at the start, `z` along this world direction. A body
    /// that does not exist is refused when the model is built.
    #[must_use]
    pub fn frame_at(&self, body: Option<&str>, point: [f64; 3], z: [f64; 3]) -> Frame {
        let world = shortest_turn(&z.into());
        let Some(name) = body else { return Frame::ground(point).turned(world) };
        let Some(body) = self.bodies.iter().find(|body| body.name == name) else {
            return Frame::on(name, point).turned(world);
        };
        let into_body = body.orientation.inverse();
        let arm = into_body * (Vector3::from(point) - body.position);
        Frame::on(name, arm.into()).turned(into_body * world)
    }

    /// Checks the data and builds the system.
    ///
    /// # Errors
    /// See [`SpatialModelError`].
    pub fn build(self) -> Result<SpatialSystem, SpatialModelError> {
        if self.bodies.is_empty() {
            return Err(SpatialModelError::NoBodies);
        }
        check_finite("the model", "gravity", &self.gravity)?;
        let mut places = BTreeMap::new();
        for (index, body) in self.bodies.iter().enumerate() {
            check_body(body)?;
            if places.insert(body.name.as_str(), index).is_some() {
                return Err(SpatialModelError::DuplicateName { kind: "bodies", name: body.name.clone() });
            }
        }
        check_names("joints", self.joints.iter().map(|joint| &joint.name))?;
        check_names("forces", self.forces.iter().map(|force| &force.name))?;
        let mut joints = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            joints.push(self.place_joint(joint, &places)?);
        }
        let mut forces = Vec::with_capacity(self.forces.len());
        for force in &self.forces {
            forces.push(self.place_force(force, &places)?);
        }
        check_names("sensors", self.sensors.iter().map(|sensor| &sensor.name))?;
        let sensors = self.place_sensors(&places)?;
        Ok(SpatialSystem::assemble(self.gravity, self.bodies, joints, forces).with_sensors(sensors))
    }

    fn place_joint(
        &self,
        joint: &Joint,
        places: &BTreeMap<&str, usize>,
    ) -> Result<PlacedJoint, SpatialModelError> {
        let owner = format!("joint `{}`", joint.name);
        let markers = self.markers(&owner, [&joint.first, &joint.second], places)?;
        if let JointKind::Distance(_) = joint.kind {
            self.check_line(&owner, &markers)?;
        }
        if let JointKind::Coordinate { direction, .. } = &joint.kind {
            check_direction(&owner, &Vector3::from(*direction))?;
        }
        let rows = joint.kind.rows(&markers[0], &markers[1]);
        if !(1..=6).contains(&rows.len()) {
            return Err(SpatialModelError::RowCount { owner, rows: rows.len() });
        }
        Ok(PlacedJoint {
            name: joint.name.clone(),
            bodies: markers.map(|marker| marker.body),
            arm: markers[1].arm,
            rows,
            meant: None,
            alignment: joint.kind.alignment(&markers[0], &markers[1]),
            first: 0,
        })
    }

    fn place_force(
        &self,
        force: &Force,
        places: &BTreeMap<&str, usize>,
    ) -> Result<PlacedForce, SpatialModelError> {
        let owner = format!("force `{}`", force.name);
        force.kind.check().map_err(|(quantity, found, rule)| SpatialModelError::OutOfRange {
            owner: owner.clone(),
            quantity,
            found,
            rule,
        })?;
        let markers = self.markers(&owner, [&force.first, &force.second], places)?;
        if needs_a_line(&force.kind) {
            self.check_line(&owner, &markers)?;
        }
        if matches!(force.kind, ForceKind::OnBody(_)) && markers[1].body.is_none() {
            return Err(SpatialModelError::SameOwner { owner });
        }
        let element = force.element(&markers[0], &markers[1]);
        Ok(PlacedForce { name: force.name.clone(), bodies: markers.map(|marker| marker.body), element })
    }

    pub(super) fn markers(
        &self,
        owner: &str,
        frames: [&Frame; 2],
        places: &BTreeMap<&str, usize>,
    ) -> Result<[Marker; 2], SpatialModelError> {
        let [first, second] = frames;
        let markers = [self.marker(owner, first, places)?, self.marker(owner, second, places)?];
        if markers[0].body == markers[1].body {
            return Err(SpatialModelError::SameOwner { owner: owner.to_owned() });
        }
        Ok(markers)
    }

    fn marker(
        &self,
        owner: &str,
        frame: &Frame,
        places: &BTreeMap<&str, usize>,
    ) -> Result<Marker, SpatialModelError> {
        check_finite(owner, "point", &frame.point)?;
        check_unit(owner, &frame.orientation)?;
        let body = match &frame.body {
            None => None,
            Some(name) => Some(*places.get(name.as_str()).ok_or_else(|| self.unknown_body(owner, name))?),
        };
        let centre = body.map_or_else(Vector3::zeros, |body| self.bodies[body].centre_of_mass);
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| frame.orientation * axis);
        Ok(Marker { body, arm: frame.point - centre, axes })
    }

    fn unknown_body(&self, owner: &str, name: &str) -> SpatialModelError {
        let known: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        SpatialModelError::UnknownBody {
            owner: owner.to_owned(),
            body: name.to_owned(),
            known: known.join(", "),
        }
    }

    /// Refuses two points that coincide at the start.
    pub(super) fn check_line(&self, owner: &str, markers: &[Marker; 2]) -> Result<(), SpatialModelError> {
        let q = super::system::initial_position(&self.bodies);
        let pair = Pair::read(&q, &[], [markers[0].body, markers[1].body]);
        let distance = Geometry::Distance { arms: [markers[0].arm, markers[1].arm] }.value(&pair);
        if distance > 0.0 { Ok(()) } else { Err(SpatialModelError::NoLine { owner: owner.to_owned() }) }
    }
}

fn check_body(body: &Body) -> Result<(), SpatialModelError> {
    let owner = format!("body `{}`", body.name);
    check_unit(&owner, &body.orientation)?;
    for (quantity, vector) in [
        ("centre of mass", &body.centre_of_mass),
        ("position", &body.position),
        ("velocity", &body.velocity),
        ("angular velocity", &body.angular_velocity),
    ] {
        check_finite(&owner, quantity, vector)?;
    }
    Ok(())
}

fn check_unit(owner: &str, orientation: &UnitQuaternion<f64>) -> Result<(), SpatialModelError> {
    let (quantity, found) = ("length of the quaternion", orientation.as_ref().norm());
    if (found - 1.0).abs() <= UNIT_TOLERANCE {
        return Ok(());
    }
    Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule: "1" })
}

fn check_finite(owner: &str, quantity: &'static str, vector: &Vector3<f64>) -> Result<(), SpatialModelError> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(&found) => {
            Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule: "finite" })
        }
    }
}

fn check_direction(owner: &str, direction: &Vector3<f64>) -> Result<(), SpatialModelError> {
    let found = direction.norm();
    if found.is_normal() {
        return Ok(());
    }
    let (quantity, rule) = ("length of the direction", "positive and finite");
    Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule })
}

fn check_names<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), SpatialModelError> {
    let mut sorted: Vec<&String> = names.collect();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(SpatialModelError::DuplicateName { kind, name: pair[0].clone() }),
    }
}
