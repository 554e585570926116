//! A pool of a model: its bodies found, its numbers checked.

use super::SpatialModelError;
use super::contact::{ContactPool, ContactShape, PlacedPool};
use super::joint::{Frame, Marker};
use super::model::{Places, SpatialModel};
use super::system::initial_position;

/// What the ground is called.
const GROUND: &str = "ground";

impl SpatialModel {
    /// The pool with its bodies.
    pub(super) fn place_pool(
        &self,
        pool: &ContactPool,
        places: &Places<'_>,
    ) -> Result<PlacedPool, SpatialModelError> {
        let owner = format!("contact `{}`", pool.name);
        check_numbers(&owner, pool)?;
        let member = |frame: &Frame| -> Result<(Marker, String), SpatialModelError> {
            let name = frame.body.clone().unwrap_or_else(|| GROUND.to_owned());
            Ok((self.marker(&owner, frame, places)?, name))
        };
        let [firsts, seconds] =
            [&pool.firsts, &pool.seconds].map(|side| side.iter().map(member).collect::<Result<Vec<_>, _>>());
        let placed = PlacedPool::new(&pool.name, &pool.shape, [firsts?, seconds?], pool.capacity);
        let Some(placed) = placed else { return Err(SpatialModelError::NoSpheres { owner }) };
        if placed.pairs().next().is_none() {
            return Err(SpatialModelError::SameOwner { owner });
        }
        let found = placed.nested(&initial_position(&self.bodies));
        let Some((first, second, distance)) = found else { return Ok(placed) };
        let [first, second] = [first, second].map(str::to_owned);
        Err(SpatialModelError::Nested { owner, first, second, distance })
    }
}

/// Refuses numbers outside their range.
fn check_numbers(owner: &str, pool: &ContactPool) -> Result<(), SpatialModelError> {
    let refuse = |quantity, found, rule| {
        Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule })
    };
    if let Some((quantity, found, rule)) = pool.shape.broken_rule() {
        return refuse(quantity, found, rule);
    }
    if let ContactShape::SphereSphere { radii: [a, b] } = pool.shape
        && a + b == 0.0
    {
        return refuse("sum of the radii", 0.0, "positive: points do not touch");
    }
    if pool.capacity == 0 { refuse("capacity", 0.0, "at least 1") } else { Ok(()) }
}
