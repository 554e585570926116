//! Builds rigid bodies in a plane.

use cosimo_multibody::planar::{
    Body, Pin, PlanarError, PlanarModel, PlanarSystem, PlaneContact, Point, SpringDamper,
};
use cosimo_native::{Planar, PlanarBuilder, PlanarPort};

use super::{BodyRef, BodySpec, PlanarContactSpec, PlanarSpec, PointSpec};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::kinds::shape::ShapeSpec;

/// Builds the subsystem.
pub(super) fn build(planar: &PlanarSpec, frame: &Frame<'_>) -> Result<Planar, BuildError> {
    if frame.solver.is_for_multibody_only() {
        return Err(frame.refuse_solver());
    }
    let refuse = BuildError::part::<PlanarError>(frame.name);
    let mut builder = PlanarBuilder::new(frame.name, equations(planar).map_err(refuse)?)
        .with_method(frame.method()?)
        .with_initial_time(frame.start_time);
    for port in &planar.ports {
        let point = point(planar, BodyRef::Body(port.body), port.point);
        let port_of = port.direction.map_or_else(
            || PlanarPort::point(point.clone()),
            |direction| PlanarPort::along(point.clone(), direction),
        );
        builder = builder.with_port(&port.name, port_of);
    }
    let contacts = planar.contacts.iter();
    builder = contacts.fold(builder, |builder, spec| builder.with_contact(contact(planar, spec), spec.law));
    Ok(builder.build()?)
}

fn contact(planar: &PlanarSpec, contact: &PlanarContactSpec) -> PlaneContact {
    PlaneContact {
        name: contact.name.clone(),
        point: point(planar, BodyRef::Body(contact.body), contact.point),
        plane: contact.plane,
        normal: contact.normal,
    }
}

/// The equations of motion, with the initial state.
pub(super) fn equations(planar: &PlanarSpec) -> Result<PlanarSystem, PlanarError> {
    let between = |ends: &[PointSpec; 2]| ends.map(|end| point(planar, end.body, end.point));
    PlanarModel {
        gravity: planar.gravity,
        bodies: planar.bodies.iter().map(body).collect(),
        pins: planar
            .pins
            .iter()
            .map(|pin| Pin { name: pin.name.clone(), between: between(&pin.between) })
            .collect(),
        springs: planar
            .springs
            .iter()
            .map(|spring| SpringDamper {
                between: between(&spring.between),
                stiffness: spring.stiffness,
                damping: spring.damping,
                length: spring.length,
            })
            .collect(),
    }
    .build()
}

fn body(body: &BodySpec) -> Body {
    let built = Body::new(&body.name, body.mass, body.inertia)
        .with_pose(body.position, body.angle)
        .with_velocity(body.velocity, body.angular_velocity);
    body.shapes.iter().map(ShapeSpec::build).fold(built, Body::with_shape)
}

fn point(planar: &PlanarSpec, body: BodyRef, position: [f64; 2]) -> Point {
    match body {
        BodyRef::Ground => Point::ground(position),
        // An index out of range gives an empty name, which the model refuses.
        BodyRef::Body(index) => {
            Point::on(planar.bodies.get(index).map_or("", |body| body.name.as_str()), position)
        }
    }
}
