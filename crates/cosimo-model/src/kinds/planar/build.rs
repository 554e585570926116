//! Builds rigid bodies in a plane.

use cosimo_dynamics::Kinematics;
use cosimo_multibody::StackedRows;
use cosimo_multibody::planar::{
    Body, Pin, PlanarError, PlanarModel, PlanarSystem, PlaneContact, PlaneContactRows, Point, PointRows,
    SpringDamper,
};
use cosimo_native::{Channel, Mechanism, MechanismBuilder, NativeContact};

use super::{BodyRef, BodySpec, PlanarContactSpec, PlanarPortSpec, PlanarSpec, PointSpec};
use crate::build::{BuildError, Frame};

/// Builds the subsystem.
pub(super) fn build(planar: &PlanarSpec, frame: &Frame<'_>) -> Result<Mechanism, BuildError> {
    let refuse = |source| BuildError::Planar { subsystem: frame.name.to_owned(), source };
    let system = equations(planar).map_err(refuse)?;
    let (position, velocity) = (system.initial_position().to_vec(), system.initial_velocity().to_vec());
    let port_rows = planar.ports.iter().map(|port| port_rows(planar, &system, port));
    let port_rows: Vec<Box<dyn Kinematics>> = port_rows.collect::<Result<_, _>>().map_err(refuse)?;
    let ports: Vec<_> = planar.ports.iter().map(|port| (port.name.as_str(), port.size())).collect();
    let contact =
        |contact: &PlanarContactSpec| NativeContact::new(&contact.name, contact.law, contact.slips());
    let contacts = planar.contacts.iter().map(contact).collect();
    let gaps = gaps(planar, &system).map_err(refuse)?;
    let mut builder = MechanismBuilder::new(frame.name, Box::new(system), frame.rule()?)
        .with_ports(&ports, Box::new(StackedRows::new(port_rows)))
        .with_contact_laws(contacts, Box::new(gaps))
        .with_initial_state(frame.start_time, position, velocity);
    for (index, body) in planar.bodies.iter().enumerate() {
        builder = with_body_quantities(builder, &body.name, 3 * index);
    }
    for (index, pin) in planar.pins.iter().enumerate() {
        for (k, axis) in ["x", "y"].into_iter().enumerate() {
            let name = format!("{}.residual_{axis}", pin.name);
            builder = builder.with_quantity(name, "m", Channel::Residual(2 * index + k));
        }
    }
    Ok(builder.build()?)
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
    Body::new(&body.name, body.mass, body.inertia)
        .at(body.position, body.angle)
        .moving(body.velocity, body.angular_velocity)
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

fn port_rows(
    planar: &PlanarSpec,
    system: &PlanarSystem,
    port: &PlanarPortSpec,
) -> Result<Box<dyn Kinematics>, PlanarError> {
    let point = point(planar, BodyRef::Body(port.body), port.point);
    Ok(Box::new(match port.direction {
        Some(direction) => PointRows::along(system, &point, direction)?,
        None => PointRows::spatial(system, &point)?,
    }))
}

fn gaps(planar: &PlanarSpec, system: &PlanarSystem) -> Result<PlaneContactRows, PlanarError> {
    let contact = |contact: &PlanarContactSpec| PlaneContact {
        name: contact.name.clone(),
        point: point(planar, BodyRef::Body(contact.body), contact.point),
        plane: contact.plane,
        normal: contact.normal,
    };
    let rows = PlaneContactRows::new(system, &planar.contacts.iter().map(contact).collect::<Vec<_>>())?;
    let sliding = planar.contacts.iter().enumerate().filter(|(_, contact)| contact.slips() > 0);
    Ok(rows.with_slips(sliding.map(|(index, _)| index)))
}

/// Coordinates and velocities of the body whose coordinates start at `first`.
fn with_body_quantities(mut builder: MechanismBuilder, body: &str, first: usize) -> MechanismBuilder {
    for (k, (name, unit)) in [("x", "m"), ("y", "m"), ("angle", "rad")].into_iter().enumerate() {
        builder = builder.with_quantity(format!("{body}.{name}"), unit, Channel::Position(first + k));
    }
    for (k, (name, unit)) in [("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s")].into_iter().enumerate() {
        builder = builder.with_quantity(format!("{body}.{name}"), unit, Channel::Velocity(first + k));
    }
    builder
}
