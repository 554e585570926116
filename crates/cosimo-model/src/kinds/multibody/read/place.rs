//! Reads the frames that a joint, force or sensor joins.

use std::cell::Cell;

use super::bodies::Bodies;
use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::geometry::default_x;
use crate::kinds::multibody::spec::{BodyFrameSpec, PlaceSpec, UP};
use crate::toml::{Mirror, Placement, Reader, Value, every};

/// What of the frames matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    /// The origins alone.
    None,
    /// The origins alone; `axis` is not that of the frames.
    Elsewhere,
    /// `axis`, required.
    Axis,
    /// `axis` of the first frame, required; of the second the origin alone.
    FirstAxis,
    /// `axis`, required, and `x`, optional.
    AxisAndX,
    /// Both, required.
    Both,
    /// Both, optional.
    Optional,
}

/// What happens about an axis, which a mirror turns round or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// Something turns about it by an angle that counts.
    Turn,
    /// It is a direction.
    Slide,
}

/// What numbers of a frame are given in.
enum Home {
    Space(Placement),
    Body(Mirror),
}

impl Home {
    fn point(&self, point: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Space(placement) => placement.point(point),
            Self::Body(mirror) => mirror.direction(point),
        }
    }

    fn direction(&self, direction: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Space(placement) => placement.direction(direction),
            Self::Body(mirror) => mirror.direction(direction),
        }
    }

    /// The first axis of a frame for which none is given, where it is another one than that of the placed `axis`.
    fn default_x(&self, axis: [f64; 3]) -> Option<[f64; 3]> {
        let stays = match self {
            Self::Space(placement) => placement.keeps_directions(),
            Self::Body(mirror) => *mirror == Mirror::NONE,
        };
        (!stays).then(|| self.direction(default_x(axis)))
    }

    fn axis(&self, axis: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Space(placement) => placement.axis(axis),
            Self::Body(mirror) => mirror.axis(axis),
        }
    }
}

/// Cosine that two axes at right angles may have: that of numbers with a few digits.
const RIGHT_ANGLE: f64 = 1e-6;

/// Reads `bodies` with `at`, or `first` with `second`; `None` after a mistake.
pub(super) fn read_place(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    (axes, sense): (Axes, Sense),
) -> Option<PlaceSpec> {
    // All four are known, whichever there are.
    let [has_frames, has_start] =
        [["first", "second"], ["bodies", "at"]].map(|keys| keys.map(|key| reader.has(key)).contains(&true));
    match (has_start, has_frames) {
        (true, false) => read_at_start(reader, bodies, (axes, sense)),
        (false, true) => {
            let reason = "belongs to `bodies` and `at`; give the axes in `first` and `second`";
            if axes != Axes::Elsewhere {
                reader.forbid("axis", reason);
            }
            reader.forbid("x", reason);
            read_frames(reader, bodies, (axes, sense))
        }
        _ => {
            let message =
                format!("{} must have either `bodies` and `at`, or `first` and `second`", reader.what());
            let help = "bodies = [\"ground\", \"NAME\"], at = [x, y, z] in the world at the start";
            reader.log().error_with_help(&reader.header(), message, help);
            read_axes(reader, (Axes::Optional, sense), Home::Space);
            None
        }
    }
}

fn read_at_start(reader: &Reader<'_>, bodies: &Bodies<'_>, axes: (Axes, Sense)) -> Option<PlaceSpec> {
    let found = bodies.two(reader);
    let expected = "a point [x, y, z] of the world, or two of them, one per body";
    let at = reader.entry("at", expected, |value| read_points(value, expected)).required_option();
    let axes = read_axes(reader, axes, Home::Space);
    let [axis, x] = axes?;
    Some(PlaceSpec::AtStart { bodies: found?, at: at?, axis, x })
}

/// A point of space.
fn placed(value: &Value<'_>) -> Option<[f64; 3]> {
    value.vector().map(|point| value.log.placement(&value.span()).point(point))
}

/// One point for both frames, or two.
fn read_points(value: &Value<'_>, expected: &str) -> Option<[[f64; 3]; 2]> {
    let items = value.items(expected)?;
    if !items.iter().any(|item| item.as_list().is_some()) {
        return placed(value).map(|point| [point; 2]);
    }
    if items.len() != 2 {
        value.wrong_length(items.len(), 2, ", two points, or must be one point");
        return None;
    }
    every(items.iter().map(placed))?.try_into().ok()
}

fn read_frames(reader: &Reader<'_>, bodies: &Bodies<'_>, (axes, sense): (Axes, Sense)) -> Option<PlaceSpec> {
    let expected = "a frame, { body = …, point = [x, y, z] } in the axes of the body";
    let read = |key, axes| {
        let read = |value: &Value<'_>| read_frame(value, reader.what(), bodies, (axes, sense));
        reader.entry(key, expected, read).required_option()
    };
    let [of_first, of_second] = match axes {
        Axes::FirstAxis => [axes, Axes::None],
        Axes::Elsewhere => [Axes::None; 2],
        _ => [axes; 2],
    };
    let (first, second) = (read("first", of_first), read("second", of_second));
    let (first, second) = (first?, second?);
    if first.body == second.body {
        reader.log().error(&reader.span("second"), format!("{} joins a body to itself", reader.what()));
        return None;
    }
    Some(PlaceSpec::Frames([first, second]))
}

/// Reads `first` alone.
pub(super) fn read_first_frame(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    axes: (Axes, Sense),
) -> Option<BodyFrameSpec> {
    let expected = "a frame, { body = …, point = [x, y, z] } in the axes of the body";
    let read = |value: &Value<'_>| read_frame(value, reader.what(), bodies, axes);
    reader.entry("first", expected, read).required_option()
}

fn read_frame(
    value: &Value<'_>,
    of: &str,
    bodies: &Bodies<'_>,
    axes: (Axes, Sense),
) -> Option<BodyFrameSpec> {
    let frame = value.reader(format!("{} of {of}", value.label))?;
    let body = bodies.names().any(&frame);
    let home = |placement: Placement| match body {
        Some(BodyRef::Body(index)) => Home::Body(bodies.mirror(index, &placement)),
        _ => Home::Space(placement),
    };
    let point = frame.vector("point").placed(|placement, point| home(placement).point(point));
    let point = point.or(home(frame.placement()).point([0.0; 3]));
    let axes = read_axes(&frame, axes, home);
    frame.finish();
    let [axis, x] = axes?;
    Some(BodyFrameSpec { body: body?, point, axis, x })
}

/// Reads `axis` and `x`, each where it has an effect.
fn read_axes(
    reader: &Reader<'_>,
    (axes, sense): (Axes, Sense),
    home: impl Fn(Placement) -> Home,
) -> Option<[Option<[f64; 3]>; 2]> {
    // The first axis of a frame for which none is given goes with the instance, too.
    let x_of_axis = Cell::new(None);
    let placed = |home: Home, axis| {
        x_of_axis.set(home.default_x(axis));
        match sense {
            Sense::Turn => home.axis(axis),
            Sense::Slide => home.direction(axis),
        }
    };
    let axis_of = || reader.vector("axis").nonzero().placed(|placement, axis| placed(home(placement), axis));
    let x_of = || reader.vector("x").nonzero().placed(|placement, x| home(placement).direction(x));
    let no_effect = |key| reader.forbid(key, &format!("has no effect on {}", reader.what()));
    let axis = match axes {
        Axes::None => {
            no_effect("axis");
            Some(None)
        }
        Axes::Elsewhere => Some(None),
        Axes::Optional => {
            Some(Some(axis_of().optional().unwrap_or_else(|| placed(home(reader.placement()), UP))))
        }
        Axes::Axis | Axes::FirstAxis | Axes::AxisAndX | Axes::Both => axis_of().required_option().map(Some),
    };
    let x = match axes {
        Axes::None | Axes::Elsewhere | Axes::Axis | Axes::FirstAxis => {
            no_effect("x");
            None
        }
        Axes::AxisAndX | Axes::Optional => match reader.has("x") {
            true => Some(x_of().required_option()),
            false => x_of_axis.get().map(Some),
        },
        Axes::Both => Some(x_of().required_option()),
    };
    let axis = axis?;
    let Some(x) = x else { return Some([axis, None]) };
    check_right_angle(reader, axis.unwrap_or(UP), x?)?;
    Some([axis, x])
}

/// Refuses an `x` that is not at right angles to the axis.
fn check_right_angle(reader: &Reader<'_>, axis: [f64; 3], x: [f64; 3]) -> Option<()> {
    let (z, x) = (crate::kinds::unit(axis), crate::kinds::unit(x));
    let cosine: f64 = z.iter().zip(x).map(|(z, x)| z * x).sum();
    if cosine.abs() <= RIGHT_ANGLE {
        return Some(());
    }
    let message = format!("x is not at right angles to the axis, the cosine between them is {cosine:.3e}");
    let across = [0, 1, 2].map(|k| ((x[k] - cosine * z[k]) * 1e8).round() / 1e8 + 0.0);
    let help = if across.iter().any(|part| part.abs() > 1e-6) {
        format!("the next direction that is has x = {across:?}")
    } else {
        "give a direction that is not that of the axis".to_owned()
    };
    reader.log().error_with_help(&reader.span("x"), message, help);
    None
}
