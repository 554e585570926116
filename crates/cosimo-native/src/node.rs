//! The node of the nonsmooth side as a ready-made subsystem: a linear system with contacts, and nothing else.

use cosimo_dynamics::{LinearRow, LinearRows, StepRule, Theta, TimeLoad};
use cosimo_nonsmooth::{MovingPlane, MovingPlanes, NodeError};
use cosimo_subsystem::scene::Shape;
use nalgebra::Vector3;

use crate::seen::SeenNode;
use crate::{Channel, Mechanism, MechanismBuilder, MechanismError, NativeContact};

/// A port of a node.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PointMassPort {
    /// The position of the centre: 3 coordinates.
    Centre,
    /// The position of the centre along a direction, which is normalised: 1 coordinate.
    Along(Vector3<f64>),
}

impl PointMassPort {
    /// The centre along a direction of any length but zero.
    #[must_use]
    pub fn along(direction: impl Into<Vector3<f64>>) -> Self {
        Self::Along(direction.into())
    }
}

/// A sphere with mass and moving planes around it, in three dimensions.
///
/// ```
/// use cosimo_mechanics::ContactLaw;
/// use cosimo_native::PointMassBuilder;
/// use cosimo_nonsmooth::MovingPlane;
/// let floor = MovingPlane::at_rest("floor", [0.0; 3], [0.0, 0.0, 1.0], ContactLaw::frictionless(0.8));
/// let ball = PointMassBuilder::new("ball", 1.0)
///     .with_radius(0.2)
///     .with_gravity([0.0, 0.0, -10.0])
///     .with_initial_state([0.0, 0.0, 1.001], [0.0; 3])
///     .with_plane(floor)
///     .build()?;
/// # Ok::<(), cosimo_native::MechanismError>(())
/// ```
pub struct PointMassBuilder {
    name: String,
    mass: f64,
    radius: f64,
    /// Moment of inertia and initial angular velocity of a node that turns.
    spin: Option<(f64, Vector3<f64>)>,
    gravity: Vector3<f64>,
    force: Vector3<f64>,
    loads: Vec<TimeLoad>,
    start: (f64, Vector3<f64>, Vector3<f64>),
    ports: Vec<(String, PointMassPort)>,
    planes: Vec<MovingPlane>,
    rule: Box<dyn StepRule>,
    shapes: Vec<Shape>,
}

impl PointMassBuilder {
    /// A node of this mass (kg) at rest at the origin.
    #[must_use]
    pub fn new(name: impl Into<String>, mass: f64) -> Self {
        let zero = Vector3::zeros();
        Self {
            name: name.into(),
            mass,
            radius: 0.0,
            spin: None,
            gravity: zero,
            force: zero,
            loads: Vec::new(),
            start: (0.0, zero, zero),
            ports: Vec::new(),
            planes: Vec::new(),
            rule: Box::new(Theta::default()),
            shapes: Vec::new(),
        }
    }

    /// Sets the radius (m).
    #[must_use]
    pub fn with_radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Lets the sphere turn: its moment of inertia about any axis through the centre (kg m²), and its angular velocity
    /// at the start (rad/s). Friction at its surface then makes it roll.
    #[must_use]
    pub fn with_spin(mut self, inertia: f64, angular_velocity: impl Into<Vector3<f64>>) -> Self {
        self.spin = Some((inertia, angular_velocity.into()));
        self
    }

    /// Sets gravity (m/s²).
    #[must_use]
    pub fn with_gravity(mut self, gravity: impl Into<Vector3<f64>>) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// Sets a constant force (N).
    #[must_use]
    pub fn with_force(mut self, force: impl Into<Vector3<f64>>) -> Self {
        self.force = force.into();
        self
    }

    /// Adds a force over time on the three coordinates.
    #[must_use]
    pub fn with_load(mut self, load: TimeLoad) -> Self {
        self.loads.push(load);
        self
    }

    /// Sets the position (m) and velocity (m/s) at time 0.
    #[must_use]
    pub fn with_initial_state(
        mut self,
        position: impl Into<Vector3<f64>>,
        velocity: impl Into<Vector3<f64>>,
    ) -> Self {
        self.start = (self.start.0, position.into(), velocity.into());
        self
    }

    /// Sets the initial time (s), default 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.start.0 = time;
        self
    }

    /// Adds a port.
    #[must_use]
    pub fn with_port(mut self, name: impl Into<String>, port: PointMassPort) -> Self {
        self.ports.push((name.into(), port));
        self
    }

    /// Adds a plane.
    #[must_use]
    pub fn with_plane(mut self, plane: MovingPlane) -> Self {
        self.planes.push(plane);
        self
    }

    /// Adds a shape that is seen only, about the centre; without any, the sphere is seen.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Sets the step rule; the default is the θ rule of Moreau and Jean with θ = ½.
    #[must_use]
    pub fn with_rule(mut self, rule: impl Into<Box<dyn StepRule>>) -> Self {
        self.rule = rule.into();
        self
    }

    /// Builds the subsystem.
    ///
    /// # Errors
    /// A parameter outside its range.
    pub fn build(self) -> Result<Mechanism, MechanismError> {
        let refuse = |reason: String| MechanismError::Parameter { subsystem: self.name.clone(), reason };
        let force = self.force + self.gravity * self.mass;
        let broken = |error: NodeError| refuse(error.to_string());
        let mut system = match self.spin {
            None => MovingPlanes::point_mass(self.mass, force).map_err(broken)?,
            Some((inertia, _)) => MovingPlanes::sphere(self.mass, inertia, force).map_err(broken)?,
        };
        for load in self.loads {
            system = system.with_load(load);
        }
        let seen = SeenNode { radius: self.radius, planes: self.planes.clone() };
        let appearance = seen.appearance(&self.start.1, self.shapes, &self.gravity);
        let planes =
            MovingPlanes::with_spin(self.planes, self.radius, self.spin.is_some()).map_err(broken)?;
        let mut rows = Vec::new();
        let mut specs = Vec::new();
        for (name, port) in &self.ports {
            match port {
                PointMassPort::Centre => rows.extend((0..3).map(LinearRow::coordinate)),
                PointMassPort::Along(direction) => {
                    let Some(unit) = direction.try_normalize(0.0) else {
                        return Err(refuse(format!("the direction of port `{name}` is zero")));
                    };
                    rows.push(LinearRow::dense(unit.as_slice(), 0.0));
                }
            }
            specs.push((name.as_str(), if *port == PointMassPort::Centre { 3 } else { 1 }));
        }
        let contact = |plane: &MovingPlane| NativeContact::new(&plane.name, plane.law, plane.tangents());
        let contacts = planes.planes().iter().map(contact).collect();
        let (time, mut q, mut v) =
            (self.start.0, self.start.1.as_slice().to_vec(), self.start.2.as_slice().to_vec());
        if let Some((_, angular_velocity)) = self.spin {
            q.extend([0.0; 3]);
            v.extend_from_slice(angular_velocity.as_slice());
        }
        let mut builder = MechanismBuilder::new(self.name.clone(), system)
            .with_rule(self.rule)
            .with_ports(&specs, LinearRows(rows))
            .with_contact_laws(contacts, planes)
            .with_appearance(appearance, Box::new(seen))
            .with_initial_time(time)
            .with_initial_state(q, v);
        for (i, name) in ["x", "y", "z"].into_iter().enumerate() {
            builder = builder.with_quantity(name, "m", Channel::Position(i));
        }
        for (i, name) in ["vx", "vy", "vz"].into_iter().enumerate() {
            builder = builder.with_quantity(name, "m/s", Channel::Velocity(i));
        }
        if self.spin.is_some() {
            for (i, name) in (3..).zip(["rx", "ry", "rz"]) {
                builder = builder.with_quantity(name, "rad", Channel::Position(i));
            }
            for (i, name) in (3..).zip(["wx", "wy", "wz"]) {
                builder = builder.with_quantity(name, "rad/s", Channel::Velocity(i));
            }
        }
        builder.build()
    }
}
