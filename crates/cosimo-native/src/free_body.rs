//! A rigid body in space as a ready-made subsystem.

use cosimo_multibody::spatial::{Body, BodyState, RigidBody, SpatialModel};
use cosimo_smooth::dae::{Formulation, Method};

use crate::{BodyPort, MechanismError, Multibody, MultibodyBuilder, MultibodyPort};

/// Name of the body in its system.
const BODY: &str = "body";

/// A rigid body of any inertia that flies and turns in space, joined to others at body points and frames.
///
/// ```
/// use cosimo_multibody::spatial::{BodyState, RigidBody};
/// use cosimo_native::{BodyPort, FreeBodyBuilder};
/// use nalgebra::{Matrix3, UnitQuaternion, Vector3};
///
/// let body = RigidBody::new(2.0, Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.2)))?;
/// let tip = BodyPort::Frame { arm: Vector3::x(), orientation: UnitQuaternion::identity() };
/// let subsystem = FreeBodyBuilder::new("rotor", body).with_port("tip", tip).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is a multibody system of one body, stepped by the [energy-momentum rule](Method::EnergyMomentum), and shows `x` … `wz` of it.
#[derive(Debug, Clone)]
pub struct FreeBodyBuilder {
    name: String,
    body: RigidBody,
    start: (f64, BodyState),
    ports: Vec<(String, BodyPort)>,
}

impl FreeBodyBuilder {
    /// This body at rest at the origin.
    #[must_use]
    pub fn new(name: impl Into<String>, body: RigidBody) -> Self {
        Self { name: name.into(), body, start: (0.0, BodyState::default()), ports: Vec::new() }
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
    pub fn build(self) -> Result<Multibody, MechanismError> {
        let (time, BodyState { position, orientation, velocity, angular_velocity }) = self.start;
        let body = Body::new(BODY, self.body)
            .at(position.into())
            .turned(orientation)
            .moving(velocity.into(), angular_velocity.into());
        let system = SpatialModel::new().with_body(body).build().map_err(|error| {
            MechanismError::Parameter { subsystem: self.name.clone(), reason: error.to_string() }
        })?;
        let builder = MultibodyBuilder::new(self.name, system)
            .with_method(Method::EnergyMomentum)
            .with_formulation(Formulation::Velocity)
            .with_initial_time(time)
            .showing_its_body();
        let ports = self.ports.into_iter();
        ports
            .fold(builder, |builder, (name, port)| {
                builder.with_port(name, MultibodyPort::of_body(BODY.to_owned(), port))
            })
            .build()
    }
}
