//! Builds a node.

use cosimo_dynamics::LinearRow;
use cosimo_native::{Mechanism, PointMassBuilder, PointMassPort};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use nalgebra::Vector3;

use super::{NodeSpec, PlaneSpec};
use crate::build_error::BuildError;
use crate::kinds::shape::ShapeSpec;
use crate::kinds::{Frame, unit};

/// Builds the subsystem.
pub(super) fn build(node: &NodeSpec, frame: &Frame<'_>) -> Result<Mechanism, BuildError> {
    let mut builder = PointMassBuilder::new(frame.name, node.mass)
        .with_radius(node.radius)
        .with_gravity(node.gravity)
        .with_force(node.force)
        .with_initial_time(frame.start_time)
        .with_initial_state(node.position, node.velocity)
        .with_rule(frame.rule()?);
    if let Some(inertia) = node.inertia {
        builder = builder.with_spin(inertia, node.angular_velocity);
    }
    builder = node.shapes.iter().map(ShapeSpec::build).fold(builder, PointMassBuilder::with_shape);
    for port in &node.ports {
        let along = |direction| PointMassPort::Along(Vector3::from(unit(direction)));
        builder = builder.with_port(&port.name, port.direction.map_or(PointMassPort::Centre, along));
    }
    for plane in &node.planes {
        builder = builder.with_plane(moving_plane(plane));
    }
    for load in &node.loads {
        let direction = LinearRow::dense(&unit(load.direction), 0.0);
        builder = builder.with_load(frame.load(direction, &load.size)?);
    }
    Ok(builder.build()?)
}

fn moving_plane(plane: &PlaneSpec) -> MovingPlane {
    MovingPlane {
        name: plane.name.clone(),
        motion: PlaneMotion {
            point: plane.point.into(),
            normal: unit(plane.normal).into(),
            velocity: plane.velocity.into(),
            amplitude: plane.amplitude.into(),
            frequency: plane.frequency,
            phase: plane.phase,
            angular_velocity: plane.angular_velocity.into(),
        },
        law: plane.law,
    }
}
