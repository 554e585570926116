//! Planes that move.

use nalgebra::{Rotation3, Vector3};

use cosimo_mechanics::ContactLaw;

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
    pub fn at_rest(point: impl Into<Vector3<f64>>, normal: impl Into<Vector3<f64>>) -> Self {
        let zero = Vector3::zeros();
        Self {
            point: point.into(),
            normal: normal.into().normalize(),
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

    /// The point (m) and the axes `n, t₁, t₂` at time `t` (s), the tangents turned with the plane from those at t = 0.
    #[must_use]
    pub fn at(&self, t: f64) -> (Vector3<f64>, [Vector3<f64>; 3]) {
        let [first, second] = self.tangents();
        (self.point_at(t), [self.normal, first, second].map(|axis| self.with_orientation(&axis, t)))
    }

    pub(crate) fn with_orientation(&self, vector: &Vector3<f64>, t: f64) -> Vector3<f64> {
        if self.turns() { Rotation3::from_scaled_axis(self.angular_velocity * t) * vector } else { *vector }
    }

    pub(crate) fn point_at(&self, t: f64) -> Vector3<f64> {
        let steady = self.point + self.velocity * t;
        if self.vibrates() {
            steady + self.amplitude * (self.frequency * t + self.phase).sin()
        } else {
            steady
        }
    }

    pub(crate) fn point_velocity_at(&self, t: f64) -> Vector3<f64> {
        if !self.vibrates() {
            return self.velocity;
        }
        self.velocity + self.amplitude * (self.frequency * (self.frequency * t + self.phase).cos())
    }

    pub(crate) fn normal_at(&self, t: f64) -> Vector3<f64> {
        self.with_orientation(&self.normal, t)
    }

    /// Whether it moves at all.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.turns() || self.vibrates() || self.velocity != Vector3::zeros()
    }

    pub(crate) fn vibrates(&self) -> bool {
        self.amplitude != Vector3::zeros()
    }

    pub(crate) fn turns(&self) -> bool {
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
    /// A plane at rest through `point` (m) with this normal, of any length but zero, towards the node.
    #[must_use]
    pub fn at_rest(
        name: impl Into<String>,
        point: impl Into<Vector3<f64>>,
        normal: impl Into<Vector3<f64>>,
        law: ContactLaw,
    ) -> Self {
        Self { name: name.into(), motion: PlaneMotion::at_rest(point, normal), law }
    }

    /// Number of its slip rows: two with friction, else none.
    #[must_use]
    pub fn tangents(&self) -> usize {
        if self.law.friction > 0.0 { 2 } else { 0 }
    }
}

/// The first rule that the motion of a plane breaks.
pub(crate) fn check_motion(motion: &PlaneMotion) -> Result<(), &'static str> {
    if !motion.is_finite() {
        return Err("its normal is zero or a number is not finite");
    }
    if (motion.normal.norm() - 1.0).abs() > 1e-12 {
        return Err("its normal is not a unit vector");
    }
    Ok(())
}
