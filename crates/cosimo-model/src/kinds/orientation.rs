//! Orientations of bodies, frames and shapes.

use crate::toml::{Entry, Reader, Value};

/// The quaternion that does not turn.
pub(crate) const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Deviation from unit length that a quaternion may have: that of numbers with a few digits.
const UNIT_TOLERANCE: f64 = 1e-6;

/// `orientation`: a unit quaternion, or an axis with an angle.
pub(crate) fn read_orientation(reader: &Reader<'_>) -> [f64; 4] {
    orientation(reader).or(UPRIGHT)
}

/// The same of a body in space, where the instance stands that it belongs to.
pub(crate) fn read_placed_orientation(reader: &Reader<'_>) -> [f64; 4] {
    let placed =
        orientation(reader).placed(|placement, turn| placement.orientation(turn, placement.mirror()));
    let own = reader.placement();
    placed.or(own.orientation(UPRIGHT, own.mirror()))
}

/// The same of a frame in the axes of the body that the table belongs to.
pub(crate) fn read_orientation_in_body(reader: &Reader<'_>) -> [f64; 4] {
    orientation(reader).placed(|placement, turn| placement.mirror().orientation(turn)).or(UPRIGHT)
}

/// `orientation`, not yet placed.
pub(crate) fn orientation<'r, 'a>(reader: &'r Reader<'a>) -> Entry<'r, 'a, [f64; 4]> {
    let expected = "a unit quaternion [w, x, y, z], or { axis = [x, y, z], angle = … }";
    let read = |value: &Value<'_>| {
        if value.as_table().is_some() { turn_about(value) } else { unit_quaternion(value, expected) }
    };
    reader.entry("orientation", expected, read)
}

fn turn_about(value: &Value<'_>) -> Option<[f64; 4]> {
    let reader = value.reader(&value.label)?;
    let axis = reader.vector("axis").nonzero().required_option();
    let angle = reader.number("angle").required_option();
    reader.finish();
    let ([x, y, z], (sine, cosine)) = (crate::kinds::unit(axis?), (0.5 * angle?).sin_cos());
    Some([cosine, sine * x, sine * y, sine * z])
}

fn unit_quaternion(value: &Value<'_>, expected: &str) -> Option<[f64; 4]> {
    if value.as_list().is_none() {
        return value.mismatch(expected);
    }
    let found: [f64; 4] = value.vector()?;
    let length = found.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return Some(found);
    }
    let message = format!("{} is a quaternion of length {length}, must be of length 1", value.label);
    if length > 0.0 && length.is_finite() {
        let [w, x, y, z] = crate::kinds::unit(found).map(|part| (part * 1e8).round() / 1e8 + 0.0);
        let help = format!("the rotation that it stands for is [{w:?}, {x:?}, {y:?}, {z:?}]");
        value.log.error_with_help(&value.span(), message, help);
    } else {
        value.log.error(&value.span(), message);
    }
    None
}
