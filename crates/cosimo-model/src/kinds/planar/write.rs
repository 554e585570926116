//! Writes rigid bodies in a plane.

use super::{BodyRef, GROUND, PlanarSpec, PointSpec};
use crate::kinds::contact_law::write_law;
use crate::write::{Literal, Writer};

/// Writes the keys of a planar subsystem, then its tables.
pub(super) fn write(planar: &PlanarSpec, writer: &mut Writer) {
    writer.entry("gravity", planar.gravity);
    write_bodies(planar, writer);
    for pin in &planar.pins {
        writer.section("[[subsystem.pin]]");
        writer.entry("name", &pin.name);
        writer.raw("between", &points(planar, &pin.between));
    }
    for spring in &planar.springs {
        writer.section("[[subsystem.spring]]");
        writer.raw("between", &points(planar, &spring.between));
        writer.entry("stiffness", spring.stiffness);
        writer.entry("damping", spring.damping);
        writer.entry("length", spring.length);
    }
    for contact in &planar.contacts {
        writer.section("[[subsystem.contact]]");
        writer.entry("name", &contact.name);
        writer.entry("body", body_name(planar, BodyRef::Body(contact.body)));
        writer.entry("point", contact.point);
        writer.entry("plane", contact.plane);
        writer.entry("normal", contact.normal);
        write_law(&contact.law, writer);
    }
    for port in &planar.ports {
        writer.section("[[subsystem.port]]");
        writer.entry("name", &port.name);
        writer.entry("body", body_name(planar, BodyRef::Body(port.body)));
        writer.entry("point", port.point);
        if let Some(direction) = port.direction {
            writer.entry("direction", direction);
        }
    }
}

fn write_bodies(planar: &PlanarSpec, writer: &mut Writer) {
    for body in &planar.bodies {
        writer.section("[[subsystem.body]]");
        writer.entry("name", &body.name);
        writer.entry("mass", body.mass);
        writer.entry("inertia", body.inertia);
        writer.entry("position", body.position);
        writer.entry("angle", body.angle);
        writer.entry("velocity", body.velocity);
        writer.entry("angular_velocity", body.angular_velocity);
    }
}

fn points(planar: &PlanarSpec, between: &[PointSpec; 2]) -> String {
    let [a, b] = between.map(|end| {
        let body = body_name(planar, end.body);
        format!("{{ body = {}, point = {} }}", body.literal(), end.point.literal())
    });
    format!("[{a}, {b}]")
}

fn body_name(planar: &PlanarSpec, body: BodyRef) -> &str {
    match body {
        BodyRef::Ground => GROUND,
        BodyRef::Body(index) => planar.bodies.get(index).map_or("", |body| body.name.as_str()),
    }
}
