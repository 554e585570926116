//! A rigid body in space as a ready-made subsystem.
//!
//! It is solved by itself, without the solver of constrained systems, which costs 3.8 times as much for one body: 87,000 instructions per
//! step instead of 23,000.

pub(crate) mod observe;
mod ports;
mod subsystem;

use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_subsystem::scene::{Appearance, Body, Shape, equivalent_box};
use cosimo_subsystem::{Capabilities, Description, InverseMass, PortSpec, Quantity};

use crate::MechanismError;
pub use ports::BodyPort;
use ports::PortRows;
pub use subsystem::{FreeBody, RigidMotion};

/// Names and units of what a body shows: positions and velocities in world axes, the orientation as a unit quaternion.
pub(crate) const QUANTITIES: [(&str, &str); 13] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qw", ""),
    ("qx", ""),
    ("qy", ""),
    ("qz", ""),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
];

/// A rigid body of any inertia that flies and turns in space, joined to others at body points and frames.
///
/// ```
/// use cosimo_multibody::spatial::RigidBody;
/// use cosimo_native::{BodyPort, FreeBodyBuilder};
/// use nalgebra::{Matrix3, Vector3};
///
/// let body = RigidBody::new(2.0, Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.2)))?;
/// let subsystem = FreeBodyBuilder::new("rotor", body).with_port("tip", BodyPort::frame([1.0, 0.0, 0.0])).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FreeBodyBuilder {
    name: String,
    body: RigidBody,
    start: (f64, BodyState),
    ports: Vec<(String, BodyPort)>,
    shapes: Vec<Shape>,
}

impl FreeBodyBuilder {
    /// This body at rest at the origin.
    #[must_use]
    pub fn new(name: impl Into<String>, body: RigidBody) -> Self {
        Self {
            name: name.into(),
            body,
            start: (0.0, BodyState::default()),
            ports: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// Sets the state at the start.
    #[must_use]
    pub fn with_initial_state(mut self, state: BodyState) -> Self {
        self.start.1 = state;
        self
    }

    /// Sets the initial time (s), default 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.start.0 = time;
        self
    }

    /// Adds a shape that is seen only, in body axes from the centre of mass; without any, the box of mass and inertia is seen.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// The body as it is seen.
    fn appearance(&self) -> Appearance {
        let mut shapes = self.shapes.clone();
        if shapes.is_empty() {
            shapes.extend(equivalent_box(self.body.mass(), self.body.inertia()));
        }
        let gravity = self.body.gravity();
        let up = (gravity.norm() > 0.0).then(|| -gravity.normalize());
        Appearance { bodies: vec![Body { name: "body".to_owned(), shapes }], up, ..Appearance::default() }
    }

    /// Adds a port.
    #[must_use]
    pub fn with_port(mut self, name: impl Into<String>, port: BodyPort) -> Self {
        self.ports.push((name.into(), port));
        self
    }

    /// Builds the subsystem.
    ///
    /// # Errors
    /// A number that is not finite, a direction of length zero, or a name given twice.
    pub fn build(self) -> Result<FreeBody, MechanismError> {
        let refuse = |reason: String| MechanismError::Parameter { subsystem: self.name.clone(), reason };
        if !(self.start.0.is_finite() && self.start.1.is_finite()) {
            return Err(refuse("the initial state is not finite".to_owned()));
        }
        let mut specs = Vec::with_capacity(self.ports.len());
        let mut rows = Vec::with_capacity(self.ports.len());
        for (name, port) in &self.ports {
            rows.push(port.checked().map_err(|reason| refuse(format!("port `{name}`: {reason}")))?);
            specs.push(match port {
                BodyPort::Along { .. } => PortSpec::new(name, 1),
                BodyPort::Point { .. } => PortSpec::new(name, 3),
                BodyPort::Frame { .. } => PortSpec::frame(name),
            });
        }
        let quantity = |(name, unit): (&str, &str)| Quantity { name: name.to_owned(), unit: unit.to_owned() };
        let description = Description {
            name: self.name.clone(),
            ports: specs,
            contacts: Vec::new(),
            quantities: QUANTITIES.map(quantity).to_vec(),
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: false,
                can_roll_back: true,
                takes_impulses: true,
                takes_jumps: false,
                has_variable_step: true,
                takes_moves: true,
                lacks_momenta: false,
                captures_impacts: false,
                keeps_impacts: false,
                is_strain_free: true,
            },
            rule: "theta 0.5".to_owned(),
            appearance: self.appearance(),
            ..Description::default()
        };
        description.validate()?;
        Ok(RigidMotion::new(description, self.body, PortRows::new(rows), self.start))
    }
}
