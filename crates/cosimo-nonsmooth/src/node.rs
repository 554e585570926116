//! The node: a point mass, or a rolling sphere, in space with moving planes as obstacles.

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, RowMap, SystemError};
use cosimo_mechanics::ContactLawError;
use nalgebra::{DMatrix, Vector3};
use thiserror::Error;

use crate::plane::check_motion;
use crate::{ContactLaws, MovingPlane, PlaneMotion};

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
    /// A plane whose contact law breaks a rule.
    #[error("plane `{plane}`: {source}")]
    BadLaw {
        /// Name of the plane.
        plane: String,
        /// The rule broken.
        source: ContactLawError,
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
/// rotation of a sphere needs. The rows turn with their plane. No coordinate has `U_T` for its rate where the sphere turns as
/// well, since rolling is not holonomic: the position of a slip row then has a meaning at one instant alone.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlanes {
    planes: Vec<MovingPlane>,
    radius: f64,
    has_spin: bool,
    /// Planes at rest as rows `n·x − d`, with `d = n·p + R`; `None` where the plane moves.
    at_rest: Vec<Option<(Vector3<f64>, f64)>>,
    slips: Vec<SlipRow>,
    /// The rows, if all planes are at rest.
    linear: Option<LinearRows>,
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
    /// See [`NodeError`].
    pub fn with_spin(planes: Vec<MovingPlane>, radius: f64, has_spin: bool) -> Result<Self, NodeError> {
        check(&planes, radius)?;
        let row = |motion: &PlaneMotion| (motion.normal, motion.normal.dot(&motion.point) + radius);
        let at_rest: Vec<_> = planes.iter().map(|p| (!p.motion.moves()).then(|| row(&p.motion))).collect();
        let slip = |(plane, moving): (usize, &MovingPlane)| {
            let (normal, count) = (moving.motion.normal, moving.tangents());
            moving.motion.tangents().into_iter().take(count).map(move |tangent| SlipRow {
                plane,
                tangent,
                lever: normal.cross(&tangent) * radius,
            })
        };
        let slips: Vec<SlipRow> = planes.iter().enumerate().flat_map(slip).collect();
        let linear = rows_at_rest(&planes, &at_rest, &slips, has_spin);
        Ok(Self { planes, radius, has_spin, at_rest, slips, linear })
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
            let tangent = motion.with_orientation(&slip.tangent, t);
            // `(Ω × t)·R n = −Ω·R (n × t)` is the same at all times.
            let turned = motion.angular_velocity.dot(&slip.lever) * t;
            *z = tangent.dot(&(x - motion.point_at(t))) + turned
                - motion.with_orientation(&slip.lever, t).dot(&angles);
        }
    }

    fn slip_velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (x, spin) = (Vector3::new(q[0], q[1], q[2]), self.spin(v));
        let v = Vector3::new(v[0], v[1], v[2]);
        for (rate, slip) in out.iter_mut().zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let tangent = motion.with_orientation(&slip.tangent, t);
            let lever = motion.with_orientation(&slip.lever, t);
            *rate = tangent.dot(&(v - motion.point_velocity_at(t))) - lever.dot(&spin);
            if motion.turns() {
                let arm = x - motion.point_at(t);
                *rate += motion.angular_velocity.cross(&tangent).dot(&arm)
                    + motion.angular_velocity.dot(&slip.lever);
            }
        }
    }
}

impl RowMap for MovingPlanes {
    fn rows(&self) -> usize {
        self.planes.len() + self.slips.len()
    }

    fn as_linear(&self) -> Option<&LinearRows> {
        self.linear.as_ref()
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
            self.slip_velocities(t, q, v, slips);
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

    fn jacobian(&self, t: f64, _q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, plane) in self.planes.iter().enumerate() {
            write_row(first + i, (&plane.motion.normal_at(t), None), out);
        }
        for (row, slip) in (first + self.planes.len()..).zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let [tangent, lever] =
                [&slip.tangent, &slip.lever].map(|vector| motion.with_orientation(vector, t));
            write_row(row, (&tangent, Some(lever)), out);
        }
    }

    fn velocity_gradient(&self, t: f64, _q: &[f64], _v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, plane) in self.planes.iter().enumerate() {
            let motion = &plane.motion;
            write_row(first + i, (&motion.angular_velocity.cross(&motion.normal_at(t)), None), out);
        }
        for (row, slip) in (first + self.planes.len()..).zip(&self.slips) {
            let motion = &self.planes[slip.plane].motion;
            let turning = motion.angular_velocity.cross(&motion.with_orientation(&slip.tangent, t));
            write_row(row, (&turning, None), out);
        }
    }
}

/// Gaps and slips over planes that are all at rest: rows of constant weights.
fn rows_at_rest(
    planes: &[MovingPlane],
    at_rest: &[Option<(Vector3<f64>, f64)>],
    slips: &[SlipRow],
    has_spin: bool,
) -> Option<LinearRows> {
    let gap = |row: &Option<(Vector3<f64>, f64)>| {
        row.map(|(normal, distance)| LinearRow::dense(normal.as_slice(), distance))
    };
    let slip = |slip: &SlipRow| {
        let (tangent, lever) = (&slip.tangent, -slip.lever);
        let weights = [tangent.as_slice(), if has_spin { lever.as_slice() } else { &[] }].concat();
        Some(LinearRow::dense(&weights, tangent.dot(&planes[slip.plane].motion.point)))
    };
    at_rest.iter().map(gap).chain(slips.iter().map(slip)).collect::<Option<Vec<_>>>().map(LinearRows)
}

/// Writes a row: the weights of the centre and, with spin, `−lever` of the angles.
fn write_row(row: usize, (direction, lever): (&Vector3<f64>, Option<Vector3<f64>>), out: &mut DMatrix<f64>) {
    let lever = lever.unwrap_or_default();
    for (k, entry) in out.row_mut(row).iter_mut().enumerate() {
        *entry = if k < 3 { direction[k] } else { -lever[k - 3] };
    }
}

fn check(planes: &[MovingPlane], radius: f64) -> Result<(), NodeError> {
    if !(radius >= 0.0 && radius.is_finite()) {
        return Err(NodeError::OutOfRange {
            quantity: "radius",
            found: radius,
            rule: "finite and not negative",
        });
    }
    for plane in planes {
        let name = || plane.name.clone();
        check_motion(&plane.motion).map_err(|reason| NodeError::BadPlane { plane: name(), reason })?;
        plane.law.check().map_err(|source| NodeError::BadLaw { plane: name(), source })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
