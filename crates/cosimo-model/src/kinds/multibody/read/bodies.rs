//! Reads the bodies, and what refers to them.

use super::array::read_array;
use crate::kinds::body_ref::{BodyNames, BodyRef, check_bodies};
use crate::kinds::inertia::read_inertia;
use crate::kinds::multibody::spec::SpatialBodySpec;
use crate::kinds::orientation::read_placed_orientation;
use crate::kinds::shape::read_shapes;
use crate::toml::{Mirror, Names, Placement, Reader, Value, every};

/// Reads every `[[subsystem.body]]`.
pub(super) fn read_bodies(reader: &Reader<'_>, names: &mut Names) -> (Vec<SpatialBodySpec>, Vec<Mirror>) {
    let mut mirrors = Vec::new();
    let arrays = reader.tables("body", |body| {
        let first = SpatialBodySpec {
            name: body.name(names),
            mass: body.number("mass").positive_normal().required(),
            inertia: read_inertia(body),
            centre_of_mass: body.in_body("centre_of_mass").or([0.0; 3]),
            position: body.point("position"),
            orientation: read_placed_orientation(body),
            velocity: body.direction("velocity").or([0.0; 3]),
            angular_velocity: body.axis("angular_velocity").or([0.0; 3]),
            shapes: read_shapes(body),
        };
        let bodies = read_array(body, names, first);
        mirrors.extend(bodies.iter().map(|_| body.placement().mirror()));
        bodies
    });
    let bodies: Vec<SpatialBodySpec> = arrays.into_iter().flatten().collect();
    check_bodies(reader, names, !bodies.is_empty() || reader.length("beam") > 0);
    (bodies, mirrors)
}

/// The bodies that points may belong to.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'b> {
    /// All of them.
    pub(super) list: &'b [SpatialBodySpec],
    /// How the axes of each are mirrored, of bodies of mirrored instances.
    pub(super) mirrors: &'b [Mirror],
    /// Whether they were read without mistakes, so that they stand where they should.
    pub(super) are_right: bool,
}

impl Bodies<'_> {
    /// Their names.
    pub(super) fn names(&self) -> BodyNames<'_> {
        BodyNames(self.list.iter().map(|body| body.name.as_str()).collect())
    }

    /// How what an instance says in the axes of a body is mirrored: as the body, if both are.
    pub(super) fn mirror(&self, body: usize, placement: &Placement) -> Mirror {
        if placement.mirror().is_some() {
            self.mirrors.get(body).copied().unwrap_or(Mirror::NONE)
        } else {
            Mirror::NONE
        }
    }

    /// A point or direction in the axes of a body.
    pub(super) fn in_body(&self, reader: &Reader<'_>, body: usize, key: &'static str) -> Option<[f64; 3]> {
        let placed = |placement: Placement, vector| self.mirror(body, &placement).direction(vector);
        reader.vector(key).placed(placed).optional()
    }

    /// The two bodies named by `bodies`, which must differ.
    pub(super) fn two(&self, reader: &Reader<'_>) -> Option<[BodyRef; 2]> {
        let expected = "two bodies, [\"ground\", \"NAME\"]";
        let names = self.names();
        let read = |value: &Value<'_>| {
            let items = value.items(expected)?;
            if items.len() != 2 {
                value.wrong_length(items.len(), 2, ", two bodies");
                return None;
            }
            let found: [BodyRef; 2] =
                every(items.iter().map(|item| names.any_named(item)))?.try_into().ok()?;
            if found[0] == found[1] {
                value.error("joins a body to itself");
                return None;
            }
            Some(found)
        };
        reader.entry("bodies", expected, read).required_option()
    }
}
