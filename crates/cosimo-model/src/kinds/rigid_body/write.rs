//! Writes a rigid body.

use super::{BodyPortShape, RigidBodySpec};
use crate::write::{Writer, matrix};

/// Writes the keys of a rigid body, then its ports.
pub(super) fn write(body: &RigidBodySpec, writer: &mut Writer) {
    writer.entry("mass", body.mass);
    writer.raw("inertia", &matrix(&body.inertia));
    writer.entry("gravity", body.gravity);
    writer.entry("position", body.position);
    writer.entry("orientation", body.orientation);
    writer.entry("velocity", body.velocity);
    writer.entry("angular_velocity", body.angular_velocity);
    if body.ports.is_empty() {
        writer.raw("port", "[]");
    }
    for port in &body.ports {
        writer.section("[[subsystem.port]]");
        writer.entry("name", &port.name);
        writer.entry("point", port.point);
        port.shape.write(writer);
    }
}

impl BodyPortShape {
    /// Writes the keys that define the shape.
    pub(crate) fn write(self, writer: &mut Writer) {
        match self {
            Self::Along(direction) => writer.entry("direction", direction),
            Self::Point => writer.entry("coordinates", 3_u32),
            Self::Frame(orientation) => {
                writer.entry("coordinates", 6_u32);
                writer.entry("orientation", orientation);
            }
        }
    }
}
