//! Writes where joints, forces, contacts and sensors are on bodies.

use crate::kinds::multibody::spec::{BodyFrameSpec, MultibodySpec, PlaceSpec};
use crate::kinds::planar::{BodyRef, GROUND};
use crate::write::{Literal, Writer};

/// Writes two frames; the axis of each only where it has an effect.
pub(super) fn write_place(
    system: &MultibodySpec,
    place: &PlaceSpec,
    has_axes: [bool; 2],
    writer: &mut Writer,
) {
    match place {
        PlaceSpec::AtStart { bodies, at, axis, x } => {
            writer.entry("bodies", bodies.map(|body| body_name(system, body)));
            if at[0] == at[1] {
                writer.entry("at", at[0])
            } else {
                writer.entry("at", *at)
            }
            if has_axes[0] {
                writer.entry("axis", *axis);
            }
            if let Some(x) = x {
                writer.entry("x", *x);
            }
        }
        PlaceSpec::Frames([first, second]) => {
            writer.raw("first", &frame(system, first, has_axes[0]));
            writer.raw("second", &frame(system, second, has_axes[1]));
        }
    }
}

fn frame(system: &MultibodySpec, frame: &BodyFrameSpec, has_axis: bool) -> String {
    let mut text =
        format!("{{ body = {}, point = {}", body_name(system, frame.body).literal(), frame.point.literal());
    if has_axis {
        text += &format!(", axis = {}", frame.axis.literal());
    }
    if let Some(x) = frame.x {
        text += &format!(", x = {}", x.literal());
    }
    text + " }"
}

/// Name of a body in the file.
pub(super) fn body_name(system: &MultibodySpec, body: BodyRef) -> &str {
    match body {
        BodyRef::Ground => GROUND,
        BodyRef::Body(index) => system.bodies.get(index).map_or("", |body| body.name.as_str()),
    }
}
