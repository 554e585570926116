//! Where instances stand: a place, and rows and circles of them.

use crate::kinds::orientation::read_orientation;
use crate::kinds::unit;
use crate::toml::{Mirror, Placement, Reader};

/// Reads where the copy of this index of `count` stands.
pub(super) fn read_place(reader: &Reader<'_>, (index, count): (u32, u32)) -> Placement {
    let mirror =
        reader.entry("mirror", "\"x\", \"y\" or \"z\": the direction that is turned round", |value| {
            let axis = ["x", "y", "z"].iter().position(|own| Some(*own) == value.as_text());
            axis.or_else(|| value.mismatch("\"x\", \"y\" or \"z\""))
        });
    let mirror = mirror.optional().map_or(Mirror::NONE, Mirror::across);
    let orientation = read_orientation(reader);
    let position = reader.vector("position").or([0.0; 3]);
    let own = Placement::new(mirror, orientation, position);
    let along = reader.vector::<3>("along").optional();
    let around = reader.vector::<3>("around").nonzero().optional();
    let through = reader.vector::<3>("through").optional();
    let angle = reader.number("angle").optional();
    if around.is_none() {
        for key in ["through", "angle"] {
            reader.forbid(key, "belongs to `around`, the axis that the instances stand around");
        }
    }
    let k = f64::from(index);
    let shifted = along.map_or(own, |along| {
        Placement::new(Mirror::NONE, [1.0, 0.0, 0.0, 0.0], along.map(|part| k * part)).after(&own)
    });
    let Some(axis) = around else { return shifted };
    let angle = k * angle.unwrap_or(std::f64::consts::TAU / f64::from(count));
    about(axis, through.unwrap_or([0.0; 3]), angle).after(&shifted)
}

/// A turn about an axis through a point.
fn about(axis: [f64; 3], through: [f64; 3], angle: f64) -> Placement {
    let ([x, y, z], (sine, cosine)) = (unit(axis), (0.5 * angle).sin_cos());
    let turn = [cosine, sine * x, sine * y, sine * z];
    let moved = Placement::new(Mirror::NONE, turn, [0.0; 3]).point(through);
    Placement::new(Mirror::NONE, turn, [0, 1, 2].map(|k| through[k] - moved[k]))
}
