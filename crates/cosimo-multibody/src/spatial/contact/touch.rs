//! Point and axes of two surfaces that may touch.

use nalgebra::{Matrix3, Vector3};

use crate::spatial::joint::Marker;
use crate::spatial::pose::{Pair, Pose, Twist};

/// Where two surfaces touch: the point `c` (m) and the axes `n, t₁, t₂` as columns, in world axes; or the rates of both.
///
/// | | `n` | `c` | tangents |
/// |---|---|---|---|
/// | sphere `j` of radius `r` on a plane of `i` | normal of the plane | `p_j − r n` | fixed to `i` |
/// | spheres of radii `r_i, r_j` | `(p_j − p_i)/|p_j − p_i|` | `p_i + r_i n` | those at the start, turned in the axes of `i` by the shortest way to `n` |
///
/// The tangents of two spheres have no direction where the second one is at the side of the first that is opposite to the
/// start, as in a trial step that leads one through the other along the line of centres: there they are those at the start.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touch {
    pub(super) point: Vector3<f64>,
    pub(super) axes: Matrix3<f64>,
}

/// Two surfaces; arms from the centres of mass, in body axes (m).
#[derive(Debug, Clone)]
pub(super) enum Surfaces {
    SpherePlane(Plane),
    Spheres(Spheres),
}

impl Surfaces {
    /// How far they are apart (m).
    pub(super) fn gap(&self, pair: &Pair) -> f64 {
        match self {
            Self::SpherePlane(plane) => plane.gap(pair),
            Self::Spheres(spheres) => spheres.displacement(pair).norm() - spheres.radii[0] - spheres.radii[1],
        }
    }

    /// Arms of the points that they are placed by (m).
    pub(super) fn arms(&self) -> [Vector3<f64>; 2] {
        match self {
            Self::SpherePlane(plane) => plane.arms,
            Self::Spheres(spheres) => spheres.arms,
        }
    }

    /// The largest radius (m).
    pub(super) fn radius(&self) -> f64 {
        match self {
            Self::SpherePlane(plane) => plane.radius,
            Self::Spheres(spheres) => spheres.radii[0].max(spheres.radii[1]),
        }
    }

    /// Where they touch.
    pub(super) fn touch(&self, pair: &Pair) -> Touch {
        match self {
            Self::SpherePlane(plane) => plane.touch(pair),
            Self::Spheres(spheres) => spheres.touch(pair),
        }
    }

    /// Rates with these velocities, or changes with these increments.
    pub(super) fn rates(&self, pair: &Pair, twists: &[Twist; 2]) -> Touch {
        match self {
            Self::SpherePlane(plane) => plane.rates(pair, twists),
            Self::Spheres(spheres) => spheres.rates(pair, twists),
        }
    }
}

/// Rate of a body point.
fn rate_of_point(pose: &Pose, twist: &Twist, arm: &Vector3<f64>) -> Vector3<f64> {
    twist.velocity + pose.rotation * twist.spin.cross(arm)
}

/// A plane of the first body and a sphere of the second.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    /// Normal and tangents in the axes of the first body.
    axes: Matrix3<f64>,
    arms: [Vector3<f64>; 2],
    radius: f64,
}

impl Plane {
    pub(super) fn new(plane: &Marker, centre: Vector3<f64>, radius: f64) -> Self {
        let [x, y, z] = plane.axes;
        Self { axes: Matrix3::from_columns(&[z, x, y]), arms: [plane.arm, centre], radius }
    }

    fn gap(&self, pair: &Pair) -> f64 {
        let [i, j] = &pair.poses;
        let normal = i.rotation * self.axes.column(0);
        normal.dot(&(j.point(&self.arms[1]) - i.point(&self.arms[0]))) - self.radius
    }

    fn touch(&self, pair: &Pair) -> Touch {
        let axes = pair.poses[0].rotation * self.axes;
        Touch { point: pair.poses[1].point(&self.arms[1]) - axes.column(0) * self.radius, axes }
    }

    fn rates(&self, pair: &Pair, twists: &[Twist; 2]) -> Touch {
        let axes = pair.poses[0].rotation * (twists[0].spin.cross_matrix() * self.axes);
        let of_centre = rate_of_point(&pair.poses[1], &twists[1], &self.arms[1]);
        Touch { point: of_centre - axes.column(0) * self.radius, axes }
    }
}

/// Two spheres.
#[derive(Debug, Clone)]
pub(super) struct Spheres {
    arms: [Vector3<f64>; 2],
    radii: [f64; 2],
    /// Normal `e` and tangents `a₁, a₂` at the start in the axes of the first body.
    start: Matrix3<f64>,
}

impl Spheres {
    pub(super) fn new(arms: [Vector3<f64>; 2], radii: [f64; 2], at_start: &Pair) -> Self {
        let displacement = at_start.poses[1].point(&arms[1]) - at_start.poses[0].point(&arms[0]);
        Self::along(arms, radii, at_start.poses[0].rotation.tr_mul(&displacement.normalize()))
    }

    /// Two spheres that start with this normal in the axes of the first body.
    pub(super) fn along(arms: [Vector3<f64>; 2], radii: [f64; 2], normal: Vector3<f64>) -> Self {
        let across = Vector3::ith(normal.iamin(), 1.0);
        let first = (across - normal * normal.dot(&across)).normalize();
        Self { arms, radii, start: Matrix3::from_columns(&[normal, first, normal.cross(&first)]) }
    }

    /// The normal at the start, in the axes of the first body.
    pub(super) fn normal_at_start(&self) -> Vector3<f64> {
        self.start.column(0).into_owned()
    }

    /// Distance of the centres where the spheres touch (m).
    pub(super) fn reach(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// From the first centre to the second, in world axes (m).
    fn displacement(&self, pair: &Pair) -> Vector3<f64> {
        pair.poses[1].point(&self.arms[1]) - pair.poses[0].point(&self.arms[0])
    }

    fn touch(&self, pair: &Pair) -> Touch {
        let normal = self.displacement(pair).normalize();
        let rotation = &pair.poses[0].rotation;
        let own = rotation.tr_mul(&normal);
        let [first, second] = [1, 2].map(|k| rotation * self.tangent(k, &own));
        Touch {
            point: pair.poses[0].point(&self.arms[0]) + normal * self.radii[0],
            axes: Matrix3::from_columns(&[normal, first, second]),
        }
    }

    /// `a − (a·n)/(1 + e·n) (e + n)`.
    fn tangent(&self, k: usize, normal: &Vector3<f64>) -> Vector3<f64> {
        let (e, a) = (self.start.column(0), self.start.column(k));
        let below = 1.0 + e.dot(normal);
        if below == 0.0 { a.into_owned() } else { a - (e + normal) * (a.dot(normal) / below) }
    }

    fn rate_of_tangent(&self, k: usize, normal: &Vector3<f64>, rate: &Vector3<f64>) -> Vector3<f64> {
        let (e, a) = (self.start.column(0), self.start.column(k));
        let (share, below) = (a.dot(normal), 1.0 + e.dot(normal));
        if below == 0.0 {
            return Vector3::zeros();
        }
        let change = (a.dot(rate) - share * e.dot(rate) / below) / below;
        -(e + normal) * change - rate * (share / below)
    }

    fn rates(&self, pair: &Pair, twists: &[Twist; 2]) -> Touch {
        let displacement = self.displacement(pair);
        let (length, rotation) = (displacement.norm(), &pair.poses[0].rotation);
        let normal = displacement / length;
        let [of_first, of_second] = [0, 1].map(|k| rate_of_point(&pair.poses[k], &twists[k], &self.arms[k]));
        let apart = of_second - of_first;
        let rate = (apart - normal * normal.dot(&apart)) / length;
        let (own, spin) = (rotation.tr_mul(&normal), &twists[0].spin);
        let own_rate = rotation.tr_mul(&rate) - spin.cross(&own);
        let [first, second] = [1, 2].map(|k| {
            rotation * (spin.cross(&self.tangent(k, &own)) + self.rate_of_tangent(k, &own, &own_rate))
        });
        Touch { point: of_first + rate * self.radii[0], axes: Matrix3::from_columns(&[rate, first, second]) }
    }
}
