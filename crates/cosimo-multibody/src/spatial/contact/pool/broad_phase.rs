//! Boxes about the ways of members, and which of them overlap.

use std::fmt;

use nalgebra::Vector3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};

use super::foresight::{Foreseen, Horizon};

/// Share of the coordinates by which boxes are larger, so that rounding leaves out no pair.
const ROUNDING: f64 = 1e-12;

/// A tree of boxes, which is refitted as they move.
pub(super) struct BroadPhase {
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl fmt::Debug for BroadPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadPhase").finish_non_exhaustive()
    }
}

impl BroadPhase {
    pub(super) fn new() -> Self {
        Self { tree: Bvh::new(), workspace: BvhWorkspace::default() }
    }

    /// Takes these boxes, in an order that is always the same.
    pub(super) fn update(&mut self, boxes: impl Iterator<Item = Aabb>) {
        (0..).zip(boxes).for_each(|(leaf, aabb)| {
            self.tree.insert_or_update_partially(aabb, leaf, 0.0);
        });
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
    }

    /// The boxes that overlap this one, in any order.
    pub(super) fn overlapping<'a>(&'a self, own: &'a Aabb) -> impl Iterator<Item = usize> + 'a {
        self.tree.intersect_aabb(own).map(|leaf| leaf as usize)
    }
}

/// The box about the way of a sphere, as it is foreseen.
pub(super) fn box_about(sphere: &Foreseen, radius: f64, horizon: Horizon) -> Aabb {
    let end = sphere.point + sphere.velocity * horizon.step;
    let reach = radius + sphere.leeway;
    let reach = reach + ROUNDING * (reach + sphere.point.amax() + end.amax());
    let corner = |of: fn(f64, f64) -> f64, reach: f64| -> Vector {
        let corner: Vector3<f64> = sphere.point.zip_map(&end, of).add_scalar(reach);
        Vector::new(corner.x, corner.y, corner.z)
    };
    Aabb::new(corner(f64::min, -reach), corner(f64::max, reach))
}
