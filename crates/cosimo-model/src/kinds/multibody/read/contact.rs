//! Reads unilateral contacts.

use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::force::read_radii;
use super::joint::{check_line, nowhere};
use super::place::{Axes, read_place};
use super::port::read_scalar_sensor;
use crate::kinds::contact_law::read_law;
use crate::kinds::multibody::spec::{ContactShapeSpec, SensorSpec, Side, SpatialContactSpec};
use crate::read::{Names, Reader};

/// Type of a contact.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ContactType {
    #[default]
    SpherePlane,
    SphereSphere,
    Stop,
}

/// Reads every `[[subsystem.contact]]`; after a mistake it may have gaps.
pub(super) fn read_contacts(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    sensors: &[SensorSpec],
    names: &mut Names,
) -> Vec<SpatialContactSpec> {
    let contacts = reader.tables("contact", |contact| {
        let name = contact.name(names);
        let Some(kind) = contact.choice::<ContactType>("type").required_option() else {
            contact.abandon();
            return None;
        };
        let law = read_law(contact);
        let shape = match kind {
            ContactType::SpherePlane => ContactShapeSpec::SpherePlane {
                place: read_place(contact, bodies, Axes::FirstAxis).unwrap_or_else(nowhere),
                radius: contact.number("radius").not_negative().or(0.0),
            },
            ContactType::SphereSphere => {
                let place = read_place(contact, bodies, Axes::None);
                if let Some(place) = &place {
                    check_line(contact, bodies, place);
                }
                let radii = read_radii(contact);
                ContactShapeSpec::SphereSphere { place: place.unwrap_or_else(nowhere), radii }
            }
            ContactType::Stop => read_stop(contact, sensors),
        };
        Some(SpatialContactSpec { name, shape, law })
    });
    contacts.into_iter().flatten().collect()
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
