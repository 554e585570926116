//! The node: a point mass, or a rolling sphere, in space with moving planes as obstacles.

use cosimo_dynamics::{Kinematics, LinearSystem, SystemError};
use nalgebra::{DMatrix, Rotation3, Vector3};
use thiserror::Error;

use crate::{ContactLaw, ContactLaws};

/// Motion of a plane: its point `p(t)` and its normal `n(t)`, in the world frame.
///
/// ```text
///   p(t) = p₀ + v t + A sin(ω t + φ)      n(t) = exp(Ω× t) n₀
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneMotion {
    /// `p₀` (m).
    pub point: Vector3<f64>,
    /// `n₀`, unit vector, from the plane towards the node.
    pub normal: Vector3<f64>,
    /// `v` (m/s).
    pub velocity: Vector3<f64>,
    /// `A` (m).
    pub amplitude: Vector3<f64>,
    /// `ω` (rad/s).
    pub frequency: f64,
    /// `φ` (rad).
    pub phase: f64,
    /// `Ω` (rad/s).
    pub angular_velocity: Vector3<f64>,
}

impl PlaneMotion {
    /// A plane at rest through `point` (m) with this normal, of any length but zero.
    #[must_use]
    pub fn at_rest(point: Vector3<f64>, normal: Vector3<f64>) -> Self {
        let zero = Vector3::zeros();
        Self {
            point,
            normal: normal.normalize(),
            velocity: zero,
            amplitude: zero,
            frequency: 0.0,
            phase: 0.0,
            angular_velocity: zero,
        }
    }

    /// Two unit vectors along the plane at t = 0: the x axis as it lies in the plane, or the y axis where that is nearly
    /// normal to it, and the one that makes a right-handed frame `(t₁, t₂, n)`.
    #[must_use]
    pub fn tangents(&self) -> [Vector3<f64>; 2] {
        let n = self.normal;
        let axis = if n.x.abs() < NEARLY_NORMAL { Vector3::x() } else { Vector3::y() };
        let first = (axis - n * n.dot(&axis)).normalize();
        [first, n.cross(&first)]
    }

    fn turned(&self, vector: &Vector3<f64>, t: f64) -> Vector3<f64> {
        if self.turns() { Rotation3::from_scaled_axis(self.angular_velocity * t) * vector } else { *vector }
    }

    fn point_at(&self, t: f64) -> Vector3<f64> {
        let steady = self.point + self.velocity * t;
        if self.vibrates() {
            steady + self.amplitude * (self.frequency * t + self.phase).sin()
        } else {
            steady
        }
    }

    fn point_velocity_at(&self, t: f64) -> Vector3<f64> {
        if !self.vibrates() {
            return self.velocity;
        }
        self.velocity + self.amplitude * (self.frequency * (self.frequency * t + self.phase).cos())
    }

    fn normal_at(&self, t: f64) -> Vector3<f64> {
        self.turned(&self.normal, t)
    }

    fn moves(&self) -> bool {
        self.turns() || self.vibrates() || self.velocity != Vector3::zeros()
    }

    fn vibrates(&self) -> bool {
        self.amplitude != Vector3::zeros()
    }

    fn turns(&self) -> bool {
        self.angular_velocity != Vector3::zeros()
    }

    fn is_finite(&self) -> bool {
        let vectors = [self.point, self.normal, self.velocity, self.amplitude, self.angular_velocity];
        vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
            && self.frequency.is_finite()
            && self.phase.is_finite()
    }
}

/// Component of the normal above which an axis does not lie well in the plane.
const NEARLY_NORMAL: f64 = 0.9;

/// A named plane with its contact law.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlane {
    /// Name, unique at the node.
    pub name: String,
    /// Motion.
    pub motion: PlaneMotion,
    /// Restitution and friction.
    pub law: ContactLaw,
}

impl MovingPlane {
    /// Number of its slip rows: two with friction, else none.
    #[must_use]
    pub fn tangents(&self) -> usize {
        if self.law.friction > 0.0 { 2 } else { 0 }
    }
}

/// Why a node is refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum NodeError {
    /// A parameter outside its range.
    #[error("{quantity} is {found}, must be {rule}")]
    OutOfRange {
        /// Name of the parameter.
        quantity: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A plane whose normal or motion is not a proper one.
    #[error("plane `{plane}`: {reason}")]
    BadPlane {
        /// Name of the plane.
        plane: String,
        /// The rule broken.
        reason: &'static str,
    },
    /// The equations of motion cannot be set up.
    #[error(transparent)]
    System(#[from] SystemError),
}

/// The planes around a node as contact rows: gap `y = n(t)·(x − p(t)) − R` (m), positive when open, and for each plane
/// with friction two slips, the velocity of the node's surface over the plane along its tangents `t₁, t₂`.
///
/// ```text
///   ẏ   = n·(v − ṗ) + (Ω × n)·(x − p)
///   U_T = t·(v − ṗ) + (Ω × t)·(x − p − R n) − R (n × t)·ω
/// ```
///
/// Coordinates: the centre `x` (m) and, with spin, the integral of the angular velocity `ω` (rad), which is all that the
/// rotation of a sphere needs.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlanes {
    planes: Vec<MovingPlane>,
    radius: f64,
    has_spin: bool,
    /// Planes at rest as rows `n·x − d`, with `d = n·p + R`; `None` where the plane moves.
    at_rest: Vec<Option<(Vector3<f64>, f64)>>,
    slips: Vec<SlipRow>,
}

/// A slip row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SlipRow {
    plane: usize,
    /// Tangent at t = 0.
    tangent: Vector3<f64>,
    /// `R (n × t)` at t = 0 (m): lever of the spin.
    lever: Vector3<f64>,
}

impl MovingPlanes {
    /// Planes around a sphere of this radius (m) that does not turn.
    ///
    /// # Errors
    /// See [`NodeError`].
    pub fn new(planes: Vec<MovingPlane>, radius: f64) -> Result<Self, NodeError> {
        Self::with_spin(planes, radius, false)
    }

    /// Planes around a sphere of this radius (m), that turns if `has_spin`.
    ///
    /// # Errors
    /// See [`NodeError`]; a plane with friction that turns while the sphere does is refused as well.
    pub fn with_spin(planes: Vec<MovingPlane>, radius: f64, has_spin: bool) -> Result<Self, NodeError> {
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NodeError::OutOfRange {
                quantity: "radius",
                found: radius,
                rule: "finite and not negative",
            });
        }
        for plane in &planes {
            check_plane(plane, has_spin)
                .map_err(|reason| NodeError::BadPlane { plane: plane.name.clone(), reason })?;
        }
        let row = |motion: &PlaneMotion| (motion.normal, motion.normal.dot(&motion.point) + radius);
        let at_rest = planes.iter().map(|p| (!p.motion.moves()).then(|| row(&p.motion))).collect();
        let slip = |(plane, moving): (usize, &MovingPlane)| {
            let (normal, count) = (moving.motion.normal, moving.tangents());
            moving.motion.tangents().into_iter().take(count).map(move |tangent| SlipRow {
                plane,
                tangent,
                lever: normal.cross(&tangent) * radius,
            })
        };
        let slips = planes.iter().enumerate().flat_map(slip).collect();
        Ok(Self { planes, radius, has_spin, at_rest, slips })
    }

    /// The laws of the planes, with the place of their slips.
    #[must_use]
    pub fn laws(&self) -> ContactLaws {
        ContactLaws::new(self.planes.iter().map(|plane| (plane.law, plane.tangents())))
    }

    /// The planes.
    #[must_use]
    pub fn planes(&self) -> &[MovingPlane] {
        &self.planes
    }

    /// The equations of motion of a free point mass (kg) under a constant force (N): three coordinates.
    ///
    /// # Errors
    /// The mass is not positive, or a number is not finite.
    pub fn point_mass(mass: f64, force: Vector3<f64>) -> Result<LinearSystem, NodeError> {
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(NodeError::OutOfRange { quantity: "mass", found: mass, rule: "positive and finite" });
        }
        let system = LinearSystem::new(DMatrix::from_diagonal_element(3, 3, mass))?;
        Ok(system.with_force(force.as_slice().to_vec())?)
    }
}

impl MovingPlanes {
    /// The equations of motion of a free sphere that turns, under a constant force (N): six coordinates, `inertia` its
    /// moment of inertia about any axis through the centre (kg m²).
    ///
    /// # Errors
    /// Mass or inertia are not positive, or a number is not finite.
    pub fn sphere(mass: f64, inertia: f64, force: Vector3<f64>) -> Result<LinearSystem, NodeError> {
        for (quantity, found) in [("mass", mass), ("inertia", inertia)] {
            if !(found > 0.0 && found.is_finite()) {
                return Err(NodeError::OutOfRange { quantity, found, rule: "positive and finite" });
            }
        }
        let diagonal = [mass, mass, mass, inertia, inertia, inertia];
        let system = LinearSystem::new(DMatrix::from_diagonal(&diagonal.to_vec().into()))?;
        Ok(system.with_force(vec![force.x, force.y, force.z, 0.0, 0.0, 0.0])?)
    }

    /// Angles or angular velocities among coordinates or velocities; zero without spin.
    fn spin(&self, x: &[f64]) -> Vector3<f64> {
        if self.has_spin { Vector3::new(x[3], x[4], x[5]) } else { Vector3::zeros() }
    }

    fn slip_positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let (x, angles) = (Vector3::new(q[0], q[1], q[2]), self.spin(q));
        for (z, slip) in out.iter_mut().zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let tangent = motion.turned(&slip.tangent, t);
            // `(Ω × t)·R n = −Ω·R (n × t)` is the same at all times.
            let turned = motion.angular_velocity.dot(&slip.lever) * t;
            *z = tangent.dot(&(x - motion.point_at(t))) + turned - slip.lever.dot(&angles);
        }
    }

    fn slip_velocities(&self, t: f64, (q, v): (&[f64], &[f64]), out: &mut [f64]) {
        let (x, spin) = (Vector3::new(q[0], q[1], q[2]), self.spin(v));
        let v = Vector3::new(v[0], v[1], v[2]);
        for (rate, slip) in out.iter_mut().zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let tangent = motion.turned(&slip.tangent, t);
            *rate = tangent.dot(&(v - motion.point_velocity_at(t))) - slip.lever.dot(&spin);
            if motion.turns() {
                let arm = x - motion.point_at(t);
                *rate += motion.angular_velocity.cross(&tangent).dot(&arm)
                    + motion.angular_velocity.dot(&slip.lever);
            }
        }
    }
}

/// The first rule that a plane breaks.
fn check_plane(plane: &MovingPlane, has_spin: bool) -> Result<(), &'static str> {
    if !plane.motion.is_finite() {
        return Err("its normal is zero or a number is not finite");
    }
    if (plane.motion.normal.norm() - 1.0).abs() > 1e-12 {
        return Err("its normal is not a unit vector");
    }
    if has_spin && plane.motion.turns() && plane.law.friction > 0.0 {
        return Err("it has friction and turns, which a node with spin cannot follow");
    }
    plane.law.broken_rule().map_or(Ok(()), Err)
}

impl Kinematics for MovingPlanes {
    fn rows(&self) -> usize {
        self.planes.len() + self.slips.len()
    }

    fn is_constant(&self) -> bool {
        !self.planes.iter().any(|plane| plane.motion.turns())
    }

    fn depends_on_time(&self) -> bool {
        self.planes.iter().any(|plane| plane.motion.moves())
    }

    fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let (out, slips) = out.split_at_mut(self.planes.len());
        if !slips.is_empty() {
            self.slip_positions(t, q, slips);
        }
        let x = Vector3::new(q[0], q[1], q[2]);
        for ((gap, plane), at_rest) in out.iter_mut().zip(&self.planes).zip(&self.at_rest) {
            if let Some((n, distance)) = at_rest {
                *gap = n.dot(&x) - distance;
                continue;
            }
            *gap = plane.motion.normal_at(t).dot(&(x - plane.motion.point_at(t))) - self.radius;
        }
    }

    fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (out, slips) = out.split_at_mut(self.planes.len());
        if !slips.is_empty() {
            self.slip_velocities(t, (q, v), slips);
        }
        let (x, v) = (Vector3::new(q[0], q[1], q[2]), Vector3::new(v[0], v[1], v[2]));
        for ((rate, plane), at_rest) in out.iter_mut().zip(&self.planes).zip(&self.at_rest) {
            if let Some((n, _)) = at_rest {
                *rate = n.dot(&v);
                continue;
            }
            let motion = &plane.motion;
            let n = motion.normal_at(t);
            *rate = n.dot(&(v - motion.point_velocity_at(t)));
            if motion.turns() {
                *rate += motion.angular_velocity.cross(&n).dot(&(x - motion.point_at(t)));
            }
        }
    }

    fn observe(&self, t: f64, (q, v): (&[f64], &[f64]), (positions, velocities): (&mut [f64], &mut [f64])) {
        if positions.len() > self.planes.len() || self.at_rest.iter().any(Option::is_none) {
            self.positions(t, q, positions);
            self.velocities(t, q, v, velocities);
            return;
        }
        let (x, v) = (Vector3::new(q[0], q[1], q[2]), Vector3::new(v[0], v[1], v[2]));
        for ((gap, rate), (n, distance)) in
            positions.iter_mut().zip(velocities).zip(self.at_rest.iter().flatten())
        {
            (*gap, *rate) = (n.dot(&x) - distance, n.dot(&v));
        }
    }

    fn jacobian(&self, t: f64, _q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, plane) in self.planes.iter().enumerate() {
            write_row(first + i, (&plane.motion.normal_at(t), None), out);
        }
        for (row, slip) in (first + self.planes.len()..).zip(&self.slips) {
            let tangent = self.planes[slip.plane].motion.turned(&slip.tangent, t);
            write_row(row, (&tangent, Some(slip.lever)), out);
        }
    }

    fn velocity_gradient(&self, t: f64, _q: &[f64], _v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, plane) in self.planes.iter().enumerate() {
            let motion = &plane.motion;
            write_row(first + i, (&motion.angular_velocity.cross(&motion.normal_at(t)), None), out);
        }
        for (row, slip) in (first + self.planes.len()..).zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let turning = motion.angular_velocity.cross(&motion.turned(&slip.tangent, t));
            write_row(row, (&turning, None), out);
        }
    }
}

/// Writes a row: the weights of the centre and, with spin, `−lever` of the angles.
fn write_row(row: usize, (direction, lever): (&Vector3<f64>, Option<Vector3<f64>>), out: &mut DMatrix<f64>) {
    let lever = lever.unwrap_or_default();
    for (k, entry) in out.row_mut(row).iter_mut().enumerate() {
        *entry = if k < 3 { direction[k] } else { -lever[k - 3] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turning_plane() -> MovingPlanes {
        let motion = PlaneMotion {
            velocity: Vector3::new(0.1, -0.2, 0.3),
            amplitude: Vector3::new(0.0, 0.05, 0.02),
            frequency: 7.0,
            phase: 0.3,
            angular_velocity: Vector3::new(0.4, -1.0, 0.2),
            ..PlaneMotion::at_rest(Vector3::new(0.0, 0.1, -1.0), Vector3::new(0.3, 0.1, 2.0))
        };
        MovingPlanes::new(
            vec![MovingPlane { name: "stop".into(), motion, law: ContactLaw::with_friction(0.5, 0.3) }],
            0.1,
        )
        .unwrap()
    }

    /// A sphere that turns over a plane in translation.
    fn spinning_sphere() -> MovingPlanes {
        let mut planes = turning_plane().planes;
        planes[0].motion.angular_velocity = Vector3::zeros();
        MovingPlanes::with_spin(planes, 0.1, true).unwrap()
    }

    const Q: [f64; 6] = [0.5, -0.3, 0.8, 0.2, -0.1, 0.4];
    const V: [f64; 6] = [1.0, 2.0, -0.7, 3.0, -2.0, 0.5];

    #[test]
    fn rates_are_the_derivative_of_gaps() {
        let (t, d) = (0.37, 1e-6);
        for (planes, n) in [(turning_plane(), 3), (spinning_sphere(), 6)] {
            let positions = |t: f64, shift: f64| {
                let moved: Vec<f64> = Q.iter().zip(V).take(n).map(|(x, v)| x + shift * v).collect();
                let mut out = [0.0; 3];
                planes.positions(t, &moved, &mut out);
                out
            };
            let mut rates = [0.0; 3];
            planes.velocities(t, &Q[..n], &V[..n], &mut rates);
            let (plus, minus) = (positions(t + d, d), positions(t - d, -d));
            for (k, rate) in rates.iter().enumerate() {
                let difference = (plus[k] - minus[k]) / (2.0 * d);
                assert!((rate - difference).abs() < 1e-8, "row {k}: {rate} {difference}");
            }
        }
    }

    /// The slip is the velocity of the sphere's lowest point over the point of the plane there.
    #[test]
    fn slips_are_velocities_of_the_surface_over_the_plane() {
        let (planes, t) = (turning_plane(), 0.37);
        let motion = &planes.planes[0].motion;
        let (n, x) = (motion.normal_at(t), Vector3::new(Q[0], Q[1], Q[2]));
        let arm = x - n * 0.1 - motion.point_at(t);
        let of_plane = motion.point_velocity_at(t) + motion.angular_velocity.cross(&arm);
        let over = Vector3::new(V[0], V[1], V[2]) - of_plane;
        let mut rates = [0.0; 3];
        planes.velocities(t, &Q[..3], &V[..3], &mut rates);
        for (rate, tangent) in rates[1..].iter().zip(motion.tangents()) {
            assert!((rate - motion.turned(&tangent, t).dot(&over)).abs() < 1e-14);
        }

        let sphere = spinning_sphere();
        let motion = &sphere.planes[0].motion;
        let surface =
            Vector3::new(V[0], V[1], V[2]) + Vector3::new(V[3], V[4], V[5]).cross(&(motion.normal * -0.1));
        sphere.velocities(t, &Q, &V, &mut rates);
        for (rate, tangent) in rates[1..].iter().zip(motion.tangents()) {
            assert!((rate - tangent.dot(&(surface - motion.point_velocity_at(t)))).abs() < 1e-14);
        }
    }

    #[test]
    fn jacobian_and_gradient_agree_with_differences() {
        let (t, d) = (0.37, 1e-6);
        for (planes, n) in [(turning_plane(), 3), (spinning_sphere(), 6)] {
            let (mut jacobian, mut gradient) = (DMatrix::zeros(3, n), DMatrix::zeros(3, n));
            planes.jacobian(t, &Q[..n], 0, &mut jacobian);
            planes.velocity_gradient(t, &Q[..n], &V[..n], 0, &mut gradient);
            for j in 0..n {
                let at = |shift: f64| {
                    let mut moved = Q;
                    moved[j] += shift;
                    let (mut positions, mut rates) = ([0.0; 3], [0.0; 3]);
                    planes.positions(t, &moved[..n], &mut positions);
                    planes.velocities(t, &moved[..n], &V[..n], &mut rates);
                    (positions, rates)
                };
                let (plus, minus) = (at(d), at(-d));
                for k in 0..3 {
                    assert!((jacobian[(k, j)] - (plus.0[k] - minus.0[k]) / (2.0 * d)).abs() < 1e-8);
                    assert!((gradient[(k, j)] - (plus.1[k] - minus.1[k]) / (2.0 * d)).abs() < 1e-8);
                }
            }
        }
    }

    #[test]
    fn a_frictional_plane_that_turns_under_spin_is_refused() {
        let planes = turning_plane().planes;
        assert!(MovingPlanes::with_spin(planes, 0.1, true).is_err());
    }

    #[test]
    fn bad_nodes_are_refused() {
        let plane = |normal| MovingPlane {
            name: "p".into(),
            motion: PlaneMotion::at_rest(Vector3::zeros(), normal),
            law: ContactLaw::frictionless(0.5),
        };
        assert!(MovingPlanes::new(vec![plane(Vector3::zeros())], 0.0).is_err());
        assert!(MovingPlanes::new(vec![plane(Vector3::z())], -1.0).is_err());
        assert!(MovingPlanes::point_mass(0.0, Vector3::zeros()).is_err());
        for law in [ContactLaw::frictionless(1.1), ContactLaw::with_friction(0.5, -0.1)] {
            assert!(MovingPlanes::new(vec![MovingPlane { law, ..plane(Vector3::z()) }], 0.0).is_err());
        }
    }
}
