//! Bodies, joints and forces by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use cosimo_scene::Shape;
use nalgebra::{UnitQuaternion, Vector3};

use super::contact::{Contact, ContactPool};
use super::element::{ElementKind, SpatialInertia};
use super::force::Force;
use super::gear::Gear;
use super::joint::{Frame, Joint, JointKind, shortest_turn};
use super::sensor::Sensor;
use super::{RigidBody, SpatialError};

/// Numbers of the bodies by name.
pub(super) type Places<'a> = BTreeMap<&'a str, usize>;

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
    /// What it looks like, in the body's frame.
    pub shapes: Vec<Shape>,
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
            shapes: Vec::new(),
        }
    }

    /// Puts the centre of mass at this point of the body's frame (m).
    #[must_use]
    pub fn with_centre_of_mass(mut self, point: impl Into<Vector3<f64>>) -> Self {
        self.centre_of_mass = point.into();
        self
    }

    /// Puts the origin at this point of the world (m).
    #[must_use]
    pub fn with_position(mut self, point: impl Into<Vector3<f64>>) -> Self {
        self.position = point.into();
        self
    }

    /// Turns the body: from its axes to those of the world.
    #[must_use]
    pub fn with_orientation(mut self, orientation: UnitQuaternion<f64>) -> Self {
        self.orientation = orientation;
        self
    }

    /// Sets the velocity of the origin in world axes (m/s) and the angular velocity in body axes (rad/s).
    #[must_use]
    pub fn with_velocity(
        mut self,
        velocity: impl Into<Vector3<f64>>,
        angular_velocity: impl Into<Vector3<f64>>,
    ) -> Self {
        self.velocity = velocity.into();
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// Adds a shape that is seen only, in the body's frame.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Adds inertia that is about the origin of the body's frame.
    pub(super) fn add_inertia(&mut self, other: &SpatialInertia) -> Result<(), SpatialError> {
        let (mass, own) = (self.properties.mass(), self.properties.inertia());
        let mut all = SpatialInertia::about_centre(mass, &self.centre_of_mass, own);
        all.add(other);
        let gravity = *self.properties.gravity();
        self.properties = RigidBody::new(all.mass, all.central())?.with_gravity(gravity);
        self.centre_of_mass = all.centre();
        Ok(())
    }
}

/// An element of a model by name.
#[derive(Debug, Clone)]
pub struct ModelElement {
    /// Name, unique among elements and forces.
    pub name: String,
    /// The nodes: frames on bodies or the ground.
    pub nodes: Vec<Frame>,
    /// What it is.
    pub kind: Arc<dyn ElementKind>,
}

/// A spatial multibody model: what a [`SpatialSystem`](super::SpatialSystem) is built from.
///
/// ```
/// use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel};
/// use nalgebra::{Matrix3, Vector3};
///
/// // A pendulum of 1 kg, 1 m below its hinge, that swings about y.
/// let bob = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?;
/// let hinge = |frame: Frame| frame.with_axis([0.0, 1.0, 0.0]);
/// let system = SpatialModel::new()
///     .with_gravity([0.0, 0.0, -9.81])
///     .with_body(Body::new("bob", bob).with_position([0.0, 0.0, -1.0]))
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
    pub(super) gravity: Vector3<f64>,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) forces: Vec<Force>,
    pub(super) elements: Vec<ModelElement>,
    pub(super) sensors: Vec<Sensor>,
    pub(super) gears: Vec<Gear>,
    pub(super) contacts: Vec<Contact>,
    pub(super) pools: Vec<ContactPool>,
}

impl SpatialModel {
    /// A model without bodies and gravity.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets gravity (m/s²), added to that of the bodies.
    #[must_use]
    pub fn with_gravity(mut self, gravity: impl Into<Vector3<f64>>) -> Self {
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

    /// Adds an element between these nodes.
    #[must_use]
    pub fn with_element(
        mut self,
        name: impl Into<String>,
        nodes: Vec<Frame>,
        kind: impl ElementKind + 'static,
    ) -> Self {
        self.elements.push(ModelElement { name: name.into(), nodes, kind: Arc::new(kind) });
        self
    }

    /// Adds elements.
    #[must_use]
    pub fn with_elements(mut self, elements: impl IntoIterator<Item = ModelElement>) -> Self {
        self.elements.extend(elements);
        self
    }

    /// Adds a sensor.
    #[must_use]
    pub fn with_sensor(mut self, sensor: Sensor) -> Self {
        self.sensors.push(sensor);
        self
    }

    /// Adds a gear or a cam between the coordinates of two sensors.
    #[must_use]
    pub fn with_gear(mut self, gear: Gear) -> Self {
        self.gears.push(gear);
        self
    }

    /// Adds a unilateral contact.
    #[must_use]
    pub fn with_contact(mut self, contact: Contact) -> Self {
        self.contacts.push(contact);
        self
    }

    /// Adds contacts of many bodies.
    #[must_use]
    pub fn with_contact_pool(mut self, pool: ContactPool) -> Self {
        self.pools.push(pool);
        self
    }

    /// Adds a joint whose two frames coincide at the start: at this point of the world (m) with `z` along this world
    /// direction. `None` is the ground.
    #[must_use]
    pub fn with_joint_at(
        self,
        name: impl Into<String>,
        kind: JointKind,
        bodies: [Option<&str>; 2],
        (point, z): (impl Into<Vector3<f64>>, impl Into<Vector3<f64>>),
    ) -> Self {
        let (point, z) = (point.into(), z.into());
        let [first, second] = bodies.map(|body| self.frame_at(body, point, z));
        self.with_joint(Joint::new(name, kind, first, second))
    }

    /// The frame of a body that stands at this point of the world (m) at the start, `z` along this world direction. A body
    /// that does not exist is refused when the model is built.
    #[must_use]
    pub fn frame_at(
        &self,
        body: Option<&str>,
        point: impl Into<Vector3<f64>>,
        z: impl Into<Vector3<f64>>,
    ) -> Frame {
        let (point, world) = (point.into(), shortest_turn(&z.into()));
        let Some(name) = body else { return Frame::ground(point).with_orientation(world) };
        let Some(body) = self.bodies.iter().find(|body| body.name == name) else {
            return Frame::on(name, point).with_orientation(world);
        };
        let into_body = body.orientation.inverse();
        let arm = into_body * (point - body.position);
        Frame::on(name, arm).with_orientation(into_body * world)
    }
}
