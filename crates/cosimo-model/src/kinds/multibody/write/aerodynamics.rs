//! Writes the air on a rotor of the system.

use crate::kinds::multibody::spec::{CarriedFrameSpec, MultibodySpec};
use crate::kinds::rotor_aerodynamics::write::write as write_rotor;
use crate::write::{Literal, Writer};

/// Writes `[subsystem.aerodynamics]`.
pub(super) fn write_aerodynamics(system: &MultibodySpec, writer: &mut Writer) {
    let Some(air) = &system.aerodynamics else { return };
    let frame = |own: &CarriedFrameSpec| frame(system, own);
    let blade = |own: &Vec<CarriedFrameSpec>| {
        let frames: Vec<String> = own.iter().map(frame).collect();
        format!("[{}]", frames.join(", "))
    };
    let blades: Vec<String> = air.frames().blades.iter().map(blade).collect();
    writer.section("[subsystem.aerodynamics]");
    writer.entry("name", air.name());
    writer.raw("hub", &frame(&air.frames().hub));
    writer.raw("frames", &format!("[{}]", blades.join(", ")));
    write_rotor(air.rotor(), writer);
}

/// A frame on one line; where it is that of its body, the name of the body.
fn frame(system: &MultibodySpec, own: &CarriedFrameSpec) -> String {
    let body = system.bodies.get(own.body).map_or("", |body| body.name.as_str()).literal();
    if *own == CarriedFrameSpec::of(own.body) {
        return body;
    }
    format!(
        "{{ body = {body}, point = {}, orientation = {} }}",
        own.point.literal(),
        own.orientation.literal()
    )
}
