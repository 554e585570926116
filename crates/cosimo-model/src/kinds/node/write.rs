//! Writes a node.

use super::NodeSpec;
use crate::kinds::contact_law::write_law;
use crate::write::{Writer, write_time_table};

/// Writes the keys of a node, then its tables.
pub(super) fn write(node: &NodeSpec, writer: &mut Writer) {
    writer.entry("mass", node.mass);
    writer.entry("radius", node.radius);
    if let Some(inertia) = node.inertia {
        writer.entry("inertia", inertia);
        writer.entry("angular_velocity", node.angular_velocity);
    }
    writer.entry("gravity", node.gravity);
    writer.entry("position", node.position);
    writer.entry("velocity", node.velocity);
    writer.entry("force", node.force);
    if node.ports.is_empty() {
        writer.raw("port", "[]");
    }
    for port in &node.ports {
        writer.section("[[subsystem.port]]");
        writer.entry("name", &port.name);
        if let Some(direction) = port.direction {
            writer.entry("direction", direction);
        }
    }
    for plane in &node.planes {
        writer.section("[[subsystem.plane]]");
        writer.entry("name", &plane.name);
        writer.entry("point", plane.point);
        writer.entry("normal", plane.normal);
        write_law(&plane.law, writer);
        writer.entry("velocity", plane.velocity);
        writer.entry("amplitude", plane.amplitude);
        writer.entry("frequency", plane.frequency);
        writer.entry("phase", plane.phase);
        writer.entry("angular_velocity", plane.angular_velocity);
    }
    for load in &node.loads {
        writer.section("[[subsystem.load]]");
        writer.entry("direction", load.direction);
        write_time_table(&load.table, writer);
    }
}
