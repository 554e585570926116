//! Reads the air on a rotor of the system.

use cosimo_subsystem::is_like;

use super::bodies::Bodies;
use crate::kinds::multibody::spec::{AerodynamicsSpec, CarriedFrameSpec, RotorFramesSpec};
use crate::kinds::orientation::read_orientation;
use crate::kinds::rotor_aerodynamics::read::read_rotor;
use crate::toml::{Names, Reader, Value, every};

/// Name where none is given.
const NAME: &str = "air";

/// Reads `[subsystem.aerodynamics]`; `None` where there is none, and after a mistake.
pub(super) fn read_aerodynamics(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    names: &mut Names,
) -> Option<AerodynamicsSpec> {
    reader.section("aerodynamics", |table| read_air(table, bodies, names))?
}

fn read_air(reader: &Reader<'_>, bodies: &Bodies<'_>, names: &mut Names) -> Option<AerodynamicsSpec> {
    let mistakes = reader.log().error_count();
    let name = if reader.has("name") { reader.name(names) } else { NAME.to_owned() };
    if !reader.has("name") {
        names.claim(reader.log(), &name, &reader.header());
    }
    let of_hub = "the name of a body, or { body = …, point = [x, y, z] }";
    let of_blades = "a list with an entry for every blade: a pattern of bodies, or a list of frames";
    let hub = reader.entry("hub", of_hub, |value| read_frame(value, bodies)).required_option();
    let read =
        |value: &Value<'_>| every(value.items(of_blades)?.iter().map(|blade| read_blade(blade, bodies)));
    let blades = reader.entry("frames", of_blades, read).required_option();
    let rotor = read_rotor(reader);
    let frames = RotorFramesSpec { hub: hub?, blades: blades? };
    if reader.log().error_count() > mistakes {
        return None;
    }
    match AerodynamicsSpec::new(&name, rotor, frames) {
        Ok(air) => Some(air),
        Err(error) => {
            reader.log().error(&reader.header(), format!("{}: {error}", reader.what()));
            None
        }
    }
}

/// The frames of a blade: those of the bodies that a pattern matches, in their order, or one by one.
fn read_blade(value: &Value<'_>, bodies: &Bodies<'_>) -> Option<Vec<CarriedFrameSpec>> {
    let Some(pattern) = value.as_text() else {
        let expected = "a pattern of bodies, \"blade_1.*\", or a list of frames";
        return every(value.items(expected)?.iter().map(|frame| read_frame(frame, bodies)));
    };
    let fits = |(index, body): (usize, &crate::kinds::multibody::SpatialBodySpec)| {
        is_like(pattern, &body.name).then_some(CarriedFrameSpec::of(index))
    };
    let found: Vec<_> = bodies.list.iter().enumerate().filter_map(fits).collect();
    if found.is_empty() {
        value.error("matches no body");
        return None;
    }
    Some(found)
}

/// The frame of a body by its name, or one on it.
fn read_frame(value: &Value<'_>, bodies: &Bodies<'_>) -> Option<CarriedFrameSpec> {
    if value.as_text().is_some() {
        return Some(CarriedFrameSpec::of(bodies.names().moving_named(value)?));
    }
    let frame = value.reader(&value.label)?;
    let found = CarriedFrameSpec {
        body: bodies.names().moving(&frame),
        point: frame.vector("point").or([0.0; 3]),
        orientation: read_orientation(&frame),
    };
    frame.finish();
    Some(found)
}
