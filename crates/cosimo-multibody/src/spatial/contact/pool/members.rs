//! The members of a pool: what touches, and which pairs there are.

use nalgebra::Vector3;

use crate::spatial::contact::placed::{PlacedContact, Rows};
use crate::spatial::contact::shape::ContactShape;
use crate::spatial::contact::touch::{Plane, Spheres, Surfaces};
use crate::spatial::joint::Marker;
use crate::spatial::pose::Pair;

/// A pair of members, by their places among the first and the second ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Partners {
    pub(super) first: usize,
    pub(super) second: usize,
}

/// What the surfaces of all pairs are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Surface {
    /// Spheres of the second members on planes of the first, of this radius (m).
    OnPlane(f64),
    /// Spheres of the first and of the second members, of these radii (m).
    OnSphere([f64; 2]),
}

/// A pool whose bodies are found.
#[derive(Debug, Clone)]
pub(crate) struct PlacedPool {
    pub(crate) name: String,
    pub(super) surface: Surface,
    /// First and second members.
    pub(super) members: [Vec<Member>; 2],
    pub(super) capacity: usize,
}

/// A frame on a body or the ground.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) marker: Marker,
    /// Name of its body.
    pub(super) name: String,
    /// Whether its body is among the members of the other side as well.
    is_on_both_sides: bool,
}

impl PlacedPool {
    /// Of these members, each a frame with the name of its body; `None` of a shape that is not of spheres.
    pub(crate) fn new(
        name: &str,
        shape: &ContactShape,
        [firsts, seconds]: [Vec<(Marker, String)>; 2],
        capacity: usize,
    ) -> Option<Self> {
        let surface = match *shape {
            ContactShape::SpherePlane { radius } => Surface::OnPlane(radius),
            ContactShape::SphereSphere { radii } => Surface::OnSphere(radii),
            ContactShape::Custom(_) => return None,
        };
        let sorted = |side: &[(Marker, String)]| {
            let mut bodies: Vec<_> = side.iter().map(|(marker, _)| marker.body).collect();
            bodies.sort_unstable();
            bodies
        };
        let others = [sorted(&seconds), sorted(&firsts)];
        let member = |others: &[Option<usize>], (marker, name): (Marker, String)| Member {
            is_on_both_sides: others.binary_search(&marker.body).is_ok(),
            marker,
            name,
        };
        let members = [
            firsts.into_iter().map(|own| member(&others[0], own)).collect(),
            seconds.into_iter().map(|own| member(&others[1], own)).collect(),
        ];
        Some(Self { name: name.to_owned(), surface, members, capacity })
    }

    pub(super) fn first(&self, pair: Partners) -> &Member {
        &self.members[0][pair.first]
    }

    pub(super) fn second(&self, pair: Partners) -> &Member {
        &self.members[1][pair.second]
    }

    /// Whether two members may touch: they are on different bodies, and what both orders give is one pair.
    pub(super) fn are_partners(&self, pair: Partners) -> bool {
        let (first, second) = (self.first(pair), self.second(pair));
        let is_twin =
            second.marker.body < first.marker.body && first.is_on_both_sides && second.is_on_both_sides;
        first.marker.body != second.marker.body && !is_twin
    }

    /// Every pair that may touch, in their order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let all = (0..self.members[0].len())
            .flat_map(|first| (0..self.members[1].len()).map(move |second| Partners { first, second }));
        all.filter(|pair| self.are_partners(*pair)).map(|pair| [pair.first, pair.second])
    }

    /// The contact of two members that are here; its tangents are taken from where they are.
    pub(super) fn contact(&self, pair: Partners, q: &[f64]) -> PlacedContact {
        let [first, second] = [&self.first(pair).marker, &self.second(pair).marker];
        let bodies = [first.body, second.body];
        let surfaces = match self.surface {
            Surface::OnPlane(radius) => Surfaces::SpherePlane(Plane::new(first, second.arm, radius)),
            Surface::OnSphere(radii) => {
                let present = Pair::read(q, &[], bodies);
                Surfaces::Spheres(Spheres::new([first.arm, second.arm], radii, &present))
            }
        };
        PlacedContact { bodies, rows: Rows::Surfaces(surfaces) }
    }

    /// The same contact whose tangents belong to this normal in the axes of the first body.
    pub(super) fn contact_along(&self, pair: Partners, normal: Vector3<f64>) -> PlacedContact {
        let [first, second] = [&self.first(pair).marker, &self.second(pair).marker];
        let surfaces = match self.surface {
            Surface::OnPlane(radius) => Surfaces::SpherePlane(Plane::new(first, second.arm, radius)),
            Surface::OnSphere(radii) => {
                Surfaces::Spheres(Spheres::along([first.arm, second.arm], radii, normal))
            }
        };
        PlacedContact { bodies: [first.body, second.body], rows: Rows::Surfaces(surfaces) }
    }

    /// Two spheres of which one is wholly inside the other at these positions, with the distance of their centres (m).
    pub(crate) fn nested(&self, q: &[f64]) -> Option<(&str, &str, f64)> {
        let Surface::OnSphere(radii) = self.surface else { return None };
        let points = [0, 1].map(|side| -> Vec<Vector3<f64>> {
            let point = |member: &Member| {
                Pair::read(q, &[], [member.marker.body, None]).poses[0].point(&member.marker.arm)
            };
            self.members[side].iter().map(point).collect()
        });
        let distance = |[i, j]: [usize; 2]| ([i, j], (points[1][j] - points[0][i]).norm());
        let mut nested = self.pairs().map(distance);
        let ([i, j], distance) = nested.find(|(_, distance)| *distance <= (radii[0] - radii[1]).abs())?;
        Some((&self.members[0][i].name, &self.members[1][j].name, distance))
    }
}
