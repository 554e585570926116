//! Where the bodies of a linear system are.

use cosimo_dynamics::LinearRow;
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_subsystem::scene::{Appearance, Body, ContactForce, Geometry, Pose, Role, Shape, Sight};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// The bodies of a system by its coordinates, and the places of its contacts.
pub trait Seen: std::fmt::Debug + Send {
    /// Appends the poses of the bodies of the appearance at time `t` (s) and positions `q`.
    fn add_poses(&self, t: f64, q: &[f64], out: &mut Vec<Pose>);

    /// Point (m) and axes `n, t₁, t₂` of a contact in world axes, by its number; `None` of one that has no place. Default: they have none.
    fn place(&self, _contact: usize, _t: f64, _q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        None
    }
}

/// An appearance with what tells where its bodies are.
pub(crate) type SeenBodies = Option<Box<dyn Seen>>;

/// Writes what is to be seen at this time and these positions under these loads of the contacts.
pub(crate) fn look(
    seen: &SeenBodies,
    t: f64,
    q: &[f64],
    loads: impl Iterator<Item = (usize, [f64; 3])>,
    out: &mut Sight,
) {
    out.clear();
    let Some(seen) = seen else { return };
    seen.add_poses(t, q, &mut out.poses);
    for (contact, loads) in loads.filter(|(_, loads)| *loads != [0.0; 3]) {
        let place = seen.place(contact, t, q);
        out.forces.extend(place.and_then(|place| ContactForce::of(contact, place, loads)));
    }
}

/// A sphere, its first three coordinates those of the centre and the next three, if there are any, its angles; and planes about it.
#[derive(Debug, Clone)]
pub(crate) struct SeenNode {
    pub(crate) radius: f64,
    pub(crate) planes: Vec<MovingPlane>,
}

/// Radius of a node without a size of its own, as a share of its distance from planes (–).
const POINT: f64 = 0.02;

/// Edge of the square that stands for a plane as a share of that distance (–), at least in radii of the node.
const PLANE: [f64; 2] = [4.0, 12.0];

impl SeenNode {
    /// What it looks like from this place at the start (m): the shapes given, or a sphere.
    pub(crate) fn appearance(
        &self,
        start: &Vector3<f64>,
        shapes: Vec<Shape>,
        gravity: &Vector3<f64>,
    ) -> Appearance {
        let displacement = |plane: &MovingPlane| (start - plane.motion.point).norm();
        let distance = self.planes.iter().map(displacement).fold(0.0, f64::max).max(self.radius);
        let distance = if distance > 0.0 { distance } else { 1.0 };
        let radius = if self.radius > 0.0 { self.radius } else { POINT * distance };
        let mut node = Body { name: "node".to_owned(), shapes };
        if node.shapes.is_empty() {
            node.add(Shape::new(Geometry::Sphere { radius }).standing_for(Role::Contact));
        }
        let plane = |plane: &MovingPlane| {
            let square = Shape::new(Geometry::Plane { size: (PLANE[0] * distance).max(PLANE[1] * radius) });
            let role = if plane.motion.moves() { Role::Contact } else { Role::Ground };
            Body::new(&plane.name).with_shape(square.standing_for(role))
        };
        let contacts = self.planes.iter().map(|plane| plane.name.clone()).collect();
        let bodies = std::iter::once(node).chain(self.planes.iter().map(plane)).collect();
        let up = (gravity.norm() > 0.0).then(|| -gravity.normalize());
        Appearance { bodies, contacts, up, ..Appearance::default() }
    }
}

fn centre(q: &[f64]) -> Vector3<f64> {
    Vector3::from_iterator(q.iter().copied().chain(std::iter::repeat(0.0)).take(3))
}

/// The pose of a plane whose `z` is the normal.
fn pose_of_plane(motion: &PlaneMotion, t: f64) -> Pose {
    let (position, axes) = motion.at(t);
    let axes = Matrix3::from_columns(&[axes[1], axes[2], axes[0]]);
    Pose {
        position,
        orientation: UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)),
    }
}

impl Seen for SeenNode {
    /// The node turns by the vector of its angles, which is exact about one axis.
    fn add_poses(&self, t: f64, q: &[f64], out: &mut Vec<Pose>) {
        let angles = q.get(3..6).map_or_else(Vector3::zeros, centre);
        out.push(Pose { position: centre(q), orientation: UnitQuaternion::from_scaled_axis(angles) });
        out.extend(self.planes.iter().map(|plane| pose_of_plane(&plane.motion, t)));
    }

    fn place(&self, contact: usize, t: f64, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let (_, axes) = self.planes.get(contact)?.motion.at(t);
        Some((centre(q) - axes[0] * self.radius, Matrix3::from_columns(&axes)))
    }
}

/// A body that a row of coordinates moves along a direction: `p = p₀ + e (row · q)`.
#[derive(Debug, Clone, PartialEq)]
pub struct SlidingBody {
    /// Name.
    pub name: String,
    /// Shapes.
    pub shapes: Vec<Shape>,
    /// `p₀` in world axes (m).
    pub origin: Vector3<f64>,
    /// `e` in world axes (–).
    pub direction: Vector3<f64>,
    /// Weights of the coordinates.
    pub row: LinearRow,
}

/// Bodies that slide.
#[derive(Debug, Clone)]
pub(crate) struct SlidingBodies(pub(crate) Vec<SlidingBody>);

impl SlidingBodies {
    /// What they look like.
    pub(crate) fn appearance(&self) -> Appearance {
        let body = |own: &SlidingBody| Body { name: own.name.clone(), shapes: own.shapes.clone() };
        Appearance { bodies: self.0.iter().map(body).collect(), ..Appearance::default() }
    }
}

impl Seen for SlidingBodies {
    fn add_poses(&self, _t: f64, q: &[f64], out: &mut Vec<Pose>) {
        out.extend(self.0.iter().map(|own| Pose::at(own.origin + own.direction * own.row.dot(q))));
    }
}
