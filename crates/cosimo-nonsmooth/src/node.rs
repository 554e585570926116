//! The node: a point mass in space with moving planes as obstacles.

use cosimo_dynamics::{Kinematics, LinearSystem, SystemError};
use nalgebra::{DMatrix, Rotation3, Vector3};
use thiserror::Error;

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
        if self.turns() {
            Rotation3::from_scaled_axis(self.angular_velocity * t) * self.normal
        } else {
            self.normal
        }
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

/// A named plane with its restitution.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlane {
    /// Name, unique at the node.
    pub name: String,
    /// Motion.
    pub motion: PlaneMotion,
    /// Newton's coefficient of restitution in \[0, 1\] (–).
    pub restitution: f64,
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

/// The planes around a node as contact rows: gap `y = n(t)·(x − p(t)) − R` (m), positive when open.
///
/// ```text
///   ẏ = n·(v − ṗ) + (Ω × n)·(x − p)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MovingPlanes {
    planes: Vec<MovingPlane>,
    radius: f64,
    /// Planes at rest as rows `n·x − d`, with `d = n·p + R`; `None` where the plane moves.
    at_rest: Vec<Option<(Vector3<f64>, f64)>>,
}

impl MovingPlanes {
    /// Planes around a sphere of this radius (m).
    ///
    /// # Errors
    /// See [`NodeError`].
    pub fn new(planes: Vec<MovingPlane>, radius: f64) -> Result<Self, NodeError> {
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NodeError::OutOfRange {
                quantity: "radius",
                found: radius,
                rule: "finite and not negative",
            });
        }
        for plane in &planes {
            let bad = |reason| Err(NodeError::BadPlane { plane: plane.name.clone(), reason });
            if !plane.motion.is_finite() {
                return bad("its normal is zero or a number is not finite");
            }
            if (plane.motion.normal.norm() - 1.0).abs() > 1e-12 {
                return bad("its normal is not a unit vector");
            }
            if !(0.0..=1.0).contains(&plane.restitution) {
                return bad("its restitution is not in [0, 1]");
            }
        }
        let row = |motion: &PlaneMotion| (motion.normal, motion.normal.dot(&motion.point) + radius);
        let at_rest = planes.iter().map(|p| (!p.motion.moves()).then(|| row(&p.motion))).collect();
        Ok(Self { planes, radius, at_rest })
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

impl Kinematics for MovingPlanes {
    fn rows(&self) -> usize {
        self.planes.len()
    }

    fn is_constant(&self) -> bool {
        !self.planes.iter().any(|plane| plane.motion.turns())
    }

    fn depends_on_time(&self) -> bool {
        self.planes.iter().any(|plane| plane.motion.moves())
    }

    fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
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
            out.row_mut(first + i).tr_copy_from(&plane.motion.normal_at(t));
        }
    }

    fn velocity_gradient(&self, t: f64, _q: &[f64], _v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, plane) in self.planes.iter().enumerate() {
            let motion = &plane.motion;
            out.row_mut(first + i).tr_copy_from(&motion.angular_velocity.cross(&motion.normal_at(t)));
        }
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
        MovingPlanes::new(vec![MovingPlane { name: "stop".into(), motion, restitution: 0.5 }], 0.1).unwrap()
    }

    #[test]
    fn rates_are_the_derivative_of_gaps() {
        let planes = turning_plane();
        let (q, v, t, d) = ([0.5, -0.3, 0.8], [1.0, 2.0, -0.7], 0.37, 1e-6);
        let gap = |t: f64, shift: f64| {
            let moved: Vec<f64> = q.iter().zip(v).map(|(x, v)| x + shift * v).collect();
            let mut out = [0.0];
            planes.positions(t, &moved, &mut out);
            out[0]
        };
        let mut rate = [0.0];
        planes.velocities(t, &q, &v, &mut rate);
        let difference = (gap(t + d, d) - gap(t - d, -d)) / (2.0 * d);
        assert!((rate[0] - difference).abs() < 1e-8, "{} {difference}", rate[0]);
    }

    #[test]
    fn jacobian_and_gradient_agree_with_differences() {
        let planes = turning_plane();
        let (q, v, t, d) = ([0.5, -0.3, 0.8], [1.0, 2.0, -0.7], 0.37, 1e-6);
        let (mut jacobian, mut gradient) = (DMatrix::zeros(1, 3), DMatrix::zeros(1, 3));
        planes.jacobian(t, &q, 0, &mut jacobian);
        planes.velocity_gradient(t, &q, &v, 0, &mut gradient);
        for j in 0..3 {
            let at = |shift: f64| {
                let mut moved = q;
                moved[j] += shift;
                let (mut gap, mut rate) = ([0.0], [0.0]);
                planes.positions(t, &moved, &mut gap);
                planes.velocities(t, &moved, &v, &mut rate);
                (gap[0], rate[0])
            };
            let (plus, minus) = (at(d), at(-d));
            assert!((jacobian[j] - (plus.0 - minus.0) / (2.0 * d)).abs() < 1e-8);
            assert!((gradient[j] - (plus.1 - minus.1) / (2.0 * d)).abs() < 1e-8);
        }
    }

    #[test]
    fn bad_nodes_are_refused() {
        let plane = |normal| MovingPlane {
            name: "p".into(),
            motion: PlaneMotion::at_rest(Vector3::zeros(), normal),
            restitution: 0.5,
        };
        assert!(MovingPlanes::new(vec![plane(Vector3::zeros())], 0.0).is_err());
        assert!(MovingPlanes::new(vec![plane(Vector3::z())], -1.0).is_err());
        assert!(MovingPlanes::point_mass(0.0, Vector3::zeros()).is_err());
        assert!(
            MovingPlanes::new(vec![MovingPlane { restitution: 1.1, ..plane(Vector3::z()) }], 0.0).is_err()
        );
    }
}
