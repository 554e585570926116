//! Reads ropes.

use super::bodies::Bodies;
use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::geometry::point_at_start;
use crate::kinds::multibody::spec::{RopePointSpec, RopeSpec};
use crate::toml::{Names, Placement, Reader, Value, every};

const POINTS: &str = "two or more points, { body = …, point = [x, y, z] } in the axes of the body";

/// Reads every `[[subsystem.rope]]`.
pub(super) fn read_ropes(reader: &Reader<'_>, bodies: &Bodies<'_>, names: &mut Names) -> Vec<RopeSpec> {
    reader.tables("rope", |rope| {
        let name = rope.name(names);
        let read = |value: &Value<'_>| read_points(value, rope.what(), bodies);
        let points = rope.entry("points", POINTS, read).required_option().unwrap_or_default();
        let at_start = length_at_start(bodies, &points);
        RopeSpec {
            name,
            length: rope.number("length").positive().or(at_start),
            stiffness: rope.number("stiffness").positive().required(),
            damping: rope.number("damping").not_negative().or(0.0),
            points,
        }
    })
}

fn read_points(value: &Value<'_>, of: &str, bodies: &Bodies<'_>) -> Option<Vec<RopePointSpec>> {
    let items = value.items(POINTS)?;
    if items.len() < 2 {
        value.error("must have two points or more");
        return None;
    }
    let read = |item: &Value<'_>| {
        let point = item.reader(format!("{} of {of}", item.label))?;
        let body = bodies.names().any(&point);
        let placed = |placement: Placement, at| match body {
            Some(BodyRef::Body(index)) => bodies.mirror(index, &placement).direction(at),
            _ => placement.point(at),
        };
        let at = point.vector("point").placed(placed).or(placed(point.placement(), [0.0; 3]));
        point.finish();
        Some(RopePointSpec { body: body?, point: at })
    };
    let points: Vec<RopePointSpec> = every(items.iter().map(read))?;
    if points.iter().all(|point| point.body == points[0].body) {
        value.error("are all on the same body, or on the ground: the rope does nothing");
        return None;
    }
    let ends = points.windows(2).zip(&items[1..]);
    for (pair, item) in ends.filter(|_| bodies.are_right) {
        if length_at_start(bodies, pair) == 0.0 {
            item.error(
                "coincides with the point before at the start: the line between them has no direction",
            );
            return None;
        }
    }
    Some(points)
}

/// Length of the line through these points (m).
fn length_at_start(bodies: &Bodies<'_>, points: &[RopePointSpec]) -> f64 {
    let at = |point: &RopePointSpec| point_at_start(bodies.list, point.body, point.point);
    points.windows(2).map(|pair| (at(&pair[1]) - at(&pair[0])).norm()).sum()
}
