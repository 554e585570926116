//! Writes unilateral contacts.

use super::place::write_place;
use crate::kinds::contact_law::write_law;
use crate::kinds::multibody::spec::{ContactShapeSpec, MultibodySpec, SpatialContactSpec};
use crate::write::Writer;

/// Writes one contact.
pub(super) fn write_contact(system: &MultibodySpec, contact: &SpatialContactSpec, writer: &mut Writer) {
    writer.section("[[subsystem.contact]]");
    writer.entry("name", &contact.name);
    writer.entry("type", contact.shape.name());
    match &contact.shape {
        ContactShapeSpec::SpherePlane { place, radius } => {
            write_place(system, place, [true, false], writer);
            writer.entry("radius", *radius);
        }
        ContactShapeSpec::SphereSphere { place, radii } => {
            write_place(system, place, [false; 2], writer);
            writer.entry("radii", *radii);
        }
        ContactShapeSpec::Stop { sensor, limit, is_upper } => {
            let name = system.sensors.get(*sensor).map_or("", |sensor| &sensor.name);
            writer.entry("sensor", name);
            writer.entry("limit", *limit);
            writer.entry("side", if *is_upper { "upper" } else { "lower" });
            writer.entry("restitution", contact.law.restitution);
            writer.entry("impact_law", crate::named::Choice::name(&contact.law.impact));
            return;
        }
    }
    write_law(&contact.law, writer);
}
