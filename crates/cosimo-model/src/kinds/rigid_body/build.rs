//! Builds a rigid body.

use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_native::{BodyPort, FreeBody, FreeBodyBuilder, MechanismError};

use super::{BodyPortShape, RigidBodySpec};
use crate::build_error::BuildError;
use crate::kinds::inertia::inertia;
use crate::kinds::shape::ShapeSpec;
use crate::kinds::{Frame, rotation, unit};

/// Builds the subsystem.
pub(super) fn build(spec: &RigidBodySpec, frame: &Frame<'_>) -> Result<FreeBody, BuildError> {
    let refuse = |error: cosimo_multibody::spatial::SpatialError| MechanismError::Parameter {
        subsystem: frame.name.to_owned(),
        reason: error.to_string(),
    };
    let body = RigidBody::new(spec.mass, inertia(&spec.inertia)).map_err(refuse)?.with_gravity(spec.gravity);
    let orientation = rotation(spec.orientation);
    let start = BodyState {
        position: spec.position.into(),
        orientation,
        velocity: spec.velocity.into(),
        angular_velocity: orientation.inverse() * nalgebra::Vector3::from(spec.angular_velocity),
    };
    let mut builder =
        FreeBodyBuilder::new(frame.name, body).with_initial_time(frame.start_time).with_initial_state(start);
    builder = spec.shapes.iter().map(ShapeSpec::build).fold(builder, FreeBodyBuilder::with_shape);
    for port in &spec.ports {
        builder = builder.with_port(&port.name, port_at(port.point, &port.shape));
    }
    Ok(builder.build()?)
}

fn port_at(point: [f64; 3], shape: &BodyPortShape) -> BodyPort {
    let arm = point.into();
    match *shape {
        BodyPortShape::Along(direction) => BodyPort::Along { arm, direction: unit(direction).into() },
        BodyPortShape::Point => BodyPort::Point { arm },
        BodyPortShape::Frame(turned) => BodyPort::Frame { arm, orientation: rotation(turned) },
    }
}
