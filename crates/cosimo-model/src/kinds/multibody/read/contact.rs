//! Reads unilateral contacts.

use cosimo_mechanics::ContactLaw;
use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::force::read_radii;
use super::joint::{check_line, nowhere};
use super::pattern::{is_pattern, read_between, read_on_plane, steps_itself};
use super::place::{Axes, Sense, read_place};
use super::port::read_scalar_sensor;
use crate::kinds::contact_law::read_law;
use crate::kinds::multibody::spec::{ContactShapeSpec, SensorSpec, Side, SpatialContactSpec};
use crate::toml::{Names, Reader};

/// Type of a contact.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ContactType {
    #[default]
    SpherePlane,
    SphereSphere,
    Stop,
}

/// Reads every `[[subsystem.contact]]`, and whether all could be read: after a mistake there may be gaps.
pub(super) fn read_contacts(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    sensors: &[SensorSpec],
    names: &mut Names,
) -> (Vec<SpatialContactSpec>, bool) {
    let steps_itself = steps_itself(reader);
    let contacts = reader.tables("contact", |contact| {
        let name = contact.name(names);
        let Some(kind) = contact.choice::<ContactType>("type").required_option() else {
            contact.abandon();
            return None;
        };
        let law = read_law(contact);
        if kind == ContactType::SpherePlane && is_pattern(contact) {
            let shapes = read_on_plane(contact, bodies, steps_itself);
            return expand(contact, names, (name, shapes?), law);
        }
        if kind == ContactType::SphereSphere && contact.has("between") {
            let radii = read_radii(contact);
            let shapes = read_between(contact, bodies, (radii, steps_itself));
            return expand(contact, names, (name, shapes?), law);
        }
        contact.forbid("capacity", "belongs to contacts of many bodies, given by patterns");
        let shape = match kind {
            ContactType::SpherePlane => ContactShapeSpec::SpherePlane {
                place: read_place(contact, bodies, (Axes::FirstAxis, Sense::Slide)).unwrap_or_else(nowhere),
                radius: contact.number("radius").not_negative().or(0.0),
            },
            ContactType::SphereSphere => {
                let place = read_place(contact, bodies, (Axes::None, Sense::Slide));
                if let Some(place) = &place {
                    check_line(contact, bodies, place);
                }
                let radii = read_radii(contact);
                ContactShapeSpec::SphereSphere { place: place.unwrap_or_else(nowhere), radii }
            }
            ContactType::Stop => read_stop(contact, sensors),
        };
        Some(vec![SpatialContactSpec { name, shape, law }])
    });
    let are_whole = contacts.iter().all(Option::is_some);
    (contacts.into_iter().flatten().flatten().collect(), are_whole)
}

/// The contacts that a table stands for, called by its name and the names of their bodies, or its pool.
fn expand(
    contact: &Reader<'_>,
    names: &mut Names,
    (name, shapes): (String, Vec<(ContactShapeSpec, String)>),
    law: ContactLaw,
) -> Option<Vec<SpatialContactSpec>> {
    let one = |(shape, of): (ContactShapeSpec, String)| {
        // A pool has the name of the table.
        if name.is_empty() || of.is_empty() {
            return SpatialContactSpec { name: name.clone(), shape, law };
        }
        let name = format!("{name}_{of}");
        names.claim(contact.log(), &name, &contact.span("name"));
        SpatialContactSpec { name, shape, law }
    };
    Some(shapes.into_iter().map(one).collect())
}

/// Reads a limit of what a sensor measures.
fn read_stop(contact: &Reader<'_>, sensors: &[SensorSpec]) -> ContactShapeSpec {
    contact.forbid("friction", "has no effect on a stop of a sensor: nothing slides there");
    ContactShapeSpec::Stop {
        sensor: read_scalar_sensor(contact, sensors),
        limit: contact.number("limit").required(),
        side: contact.choice("side").or(Side::Upper),
    }
}
