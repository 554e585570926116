//! Reads rigid bodies in a plane.

use super::{
    BodyRef, BodySpec, GROUND, PinSpec, PlanarContactSpec, PlanarPortSpec, PlanarSpec, PlanarSpringSpec,
    PointSpec,
};
use crate::kinds::contact_law::{forbid_facets_on_a_line, read_law};
use crate::kinds::{Draft, Start};
use crate::read::{Names, Reader, Value, find};

/// Reads the keys of a planar subsystem.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> Draft<PlanarSpec> {
    let bodies = Bodies { list: read_bodies(reader) };
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
        bodies: bodies.list,
    };
    let has_all_names = planar.bodies.iter().all(|body| !body.name.is_empty())
        && planar.pins.iter().all(|pin| !pin.name.is_empty())
        && planar.contacts.iter().all(|contact| !contact.name.is_empty())
        && planar.ports.iter().all(|port| !port.name.is_empty());
    Draft { kind: planar, has_all_names }
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
    });
    if let Some(span) = names.span_of(GROUND) {
        reader.log().error(span, "the name `ground` stands for the world, a body must have another");
    }
    if bodies.is_empty() {
        let message = format!("{} has no body", reader.what());
        reader.log().error_with_help(&reader.header(), message, "add at least one [[subsystem.body]]");
    }
    bodies
}

fn read_pins(reader: &Reader<'_>, bodies: &Bodies) -> Vec<PinSpec> {
    let mut names = Names::new();
    reader.tables("pin", |pin| PinSpec { name: pin.name(&mut names), between: bodies.points(pin) })
}

fn read_contacts(reader: &Reader<'_>, bodies: &Bodies) -> Vec<PlanarContactSpec> {
    let mut names = Names::new();
    reader.tables("contact", |contact| {
        let law = read_law(contact);
        forbid_facets_on_a_line(contact, &law);
        PlanarContactSpec {
            name: contact.name(&mut names),
            body: bodies.moving_body(contact),
            point: contact.vector("point").or([0.0; 2]),
            plane: contact.vector("plane").or([0.0; 2]),
            normal: contact.vector("normal").nonzero().required(),
            law,
        }
    })
}

fn read_ports(reader: &Reader<'_>, bodies: &Bodies) -> Vec<PlanarPortSpec> {
    let mut names = Names::new();
    reader.tables("port", |port| PlanarPortSpec {
        name: port.name(&mut names),
        body: bodies.moving_body(port),
        point: port.vector("point").or([0.0; 2]),
        direction: port.has("direction").then(|| port.vector("direction").nonzero().required()),
    })
}

/// The bodies that points may belong to.
struct Bodies {
    list: Vec<BodySpec>,
}

impl Bodies {
    /// The index of the body named by `body`, which must not be the ground.
    fn moving_body(&self, reader: &Reader<'_>) -> usize {
        let body =
            reader.entry("body", "the name of a body", |value| self.index(value, &[])).required_option();
        match body {
            Some(BodyRef::Body(index)) => index,
            Some(BodyRef::Ground) | None => 0,
        }
    }

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
        let body =
            reader.entry("body", "the name of a body, or \"ground\"", |value| self.index(value, &[GROUND]));
        let body = body.required_option();
        let point = reader.vector("point").or([0.0; 2]);
        reader.finish();
        Some(PointSpec { body: body?, point })
    }

    fn index(&self, value: &Value<'_>, others: &[&str]) -> Option<BodyRef> {
        let text = value.text()?;
        let names: Vec<&str> =
            self.list.iter().map(|body| body.name.as_str()).chain(others.iter().copied()).collect();
        let index = find(value.log, &value.span(), "body", text, &names)?;
        Some(if index < self.list.len() { BodyRef::Body(index) } else { BodyRef::Ground })
    }
}
