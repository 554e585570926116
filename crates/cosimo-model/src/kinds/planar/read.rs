//! Reads rigid bodies in a plane.

use super::{BodySpec, PinSpec, PlanarContactSpec, PlanarPortSpec, PlanarSpec, PlanarSpringSpec, PointSpec};
use crate::kinds::body_ref::{BodyNames, BodyRef, check_bodies};
use crate::kinds::contact_law::{forbid_facets_on_a_line, read_law};
use crate::kinds::shape::read_shapes;
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Names, Reader, Value};

/// Reads the keys of a planar subsystem.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<PlanarSpec> {
    let list = read_bodies(reader);
    let bodies = BodyNames(list.iter().map(|body| body.name.as_str()).collect());
    let planar = PlanarSpec {
        gravity: reader.vector("gravity").or([0.0; 2]),
        pins: read_pins(reader, &bodies),
        springs: reader.tables("spring", |spring| PlanarSpringSpec {
            between: bodies.points(spring),
            stiffness: spring.number("stiffness").not_negative().required(),
            damping: spring.number("damping").not_negative().or(0.0),
            length: spring.number("length").not_negative().required(),
        }),
        contacts: read_contacts(reader, &bodies),
        ports: read_ports(reader, &bodies),
        bodies: list,
    };
    let has_all_names = planar.bodies.iter().all(|body| !body.name.is_empty())
        && planar.pins.iter().all(|pin| !pin.name.is_empty())
        && planar.contacts.iter().all(|contact| !contact.name.is_empty())
        && planar.ports.iter().all(|port| !port.name.is_empty());
    ParsedModel { kind: planar, has_all_names }
}

fn read_bodies(reader: &Reader<'_>) -> Vec<BodySpec> {
    let mut names = Names::new();
    let bodies = reader.tables("body", |body| BodySpec {
        name: body.name(&mut names),
        mass: body.number("mass").positive().required(),
        inertia: body.number("inertia").positive().required(),
        position: body.vector("position").or([0.0; 2]),
        angle: body.number("angle").or(0.0),
        velocity: body.vector("velocity").or([0.0; 2]),
        angular_velocity: body.number("angular_velocity").or(0.0),
        shapes: read_shapes(body),
    });
    check_bodies(reader, &names, !bodies.is_empty());
    bodies
}

fn read_pins(reader: &Reader<'_>, bodies: &BodyNames<'_>) -> Vec<PinSpec> {
    let mut names = Names::new();
    reader.tables("pin", |pin| PinSpec { name: pin.name(&mut names), between: bodies.points(pin) })
}

fn read_contacts(reader: &Reader<'_>, bodies: &BodyNames<'_>) -> Vec<PlanarContactSpec> {
    let mut names = Names::new();
    reader.tables("contact", |contact| {
        let law = read_law(contact);
        forbid_facets_on_a_line(contact, &law);
        PlanarContactSpec {
            name: contact.name(&mut names),
            body: bodies.moving(contact),
            point: contact.vector("point").or([0.0; 2]),
            plane: contact.vector("plane").or([0.0; 2]),
            normal: contact.vector("normal").nonzero().required(),
            law,
        }
    })
}

fn read_ports(reader: &Reader<'_>, bodies: &BodyNames<'_>) -> Vec<PlanarPortSpec> {
    let mut names = Names::new();
    reader.tables("port", |port| PlanarPortSpec {
        name: port.name(&mut names),
        body: bodies.moving(port),
        point: port.vector("point").or([0.0; 2]),
        direction: port.has("direction").then(|| port.vector("direction").nonzero().required()),
    })
}

/// Points of these bodies.
impl BodyNames<'_> {
    /// The two points of `between`, which must belong to different bodies.
    fn points(&self, reader: &Reader<'_>) -> [PointSpec; 2] {
        let nowhere = [PointSpec { body: BodyRef::Ground, point: [0.0; 2] }; 2];
        let expected = "a list of two points, { body = …, point = [x, y] }";
        let read = |value: &Value<'_>| {
            let items = value.items(expected)?;
            let points: Vec<_> = items.iter().map(|item| self.point(item)).collect();
            let [a, b] = points[..] else {
                value.wrong_length(points.len(), 2, ", two points");
                return None;
            };
            let (a, b) = (a?, b?);
            if a.body == b.body {
                value.error("joins a body to itself");
            }
            Some([a, b])
        };
        reader.entry("between", expected, read).required_option().unwrap_or(nowhere)
    }

    fn point(&self, value: &Value<'_>) -> Option<PointSpec> {
        let reader = value.reader(&value.label)?;
        let body = self.any(&reader);
        let point = reader.vector("point").or([0.0; 2]);
        reader.finish();
        Some(PointSpec { body: body?, point })
    }
}
