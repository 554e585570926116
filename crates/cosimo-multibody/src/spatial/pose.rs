//! Poses of two bodies, and what is derived by them.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Parts of the way of a step; bodies turn by less than half a turn each.
const MOST_PARTS: f64 = 8.0;

/// Position of the centre of mass in world axes (m), and the rotation matrix that turns body vectors into world vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position.
    pub position: Vector3<f64>,
    /// Rotation matrix.
    pub rotation: Matrix3<f64>,
}

/// Velocity of the centre of mass in world axes (m/s), and angular velocity in body axes (rad/s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// Velocity.
    pub velocity: Vector3<f64>,
    /// Angular velocity.
    pub spin: Vector3<f64>,
}

/// Orientation of body `body` among positions of seven numbers each, if they are as many.
pub(crate) fn orientation(q: &[f64], body: usize) -> Option<UnitQuaternion<f64>> {
    let x = q.get(7 * body + 3..7 * body + 7)?;
    Some(UnitQuaternion::new_unchecked(Quaternion::new(x[0], x[1], x[2], x[3])))
}

impl Pose {
    /// The ground: world axes at the origin.
    pub const GROUND: Self = Self {
        position: Vector3::new(0.0, 0.0, 0.0),
        rotation: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    };

    /// The pose of body `body` among positions of seven numbers each; the ground for `None`.
    pub(crate) fn read(q: &[f64], body: Option<usize>) -> Self {
        let Some(body) = body else { return Self::GROUND };
        let (Some(x), Some(turn)) = (q.get(7 * body..7 * body + 3), orientation(q, body)) else {
            return Self::GROUND;
        };
        let rotation = turn.to_rotation_matrix().into_inner();
        Self { position: Vector3::new(x[0], x[1], x[2]), rotation }
    }

    /// A body point, by its arm from the centre of mass in body axes (m).
    #[must_use]
    pub fn point(&self, arm: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.rotation * arm
    }
}

impl Twist {
    /// The velocity of body `body` among velocities of six numbers each; zero for `None`.
    pub(crate) fn read(v: &[f64], body: Option<usize>) -> Self {
        let Some(x) = body.and_then(|body| v.get(6 * body..6 * body + 6)) else { return Self::default() };
        Self { velocity: Vector3::new(x[0], x[1], x[2]), spin: Vector3::new(x[3], x[4], x[5]) }
    }
}

/// Two bodies: poses and velocities of the first and the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Poses.
    pub poses: [Pose; 2],
    /// Velocities.
    pub twists: [Twist; 2],
}

impl Pair {
    /// Reads two bodies; `v` may be empty where velocities do not matter.
    pub(crate) fn read(q: &[f64], v: &[f64], bodies: [Option<usize>; 2]) -> Self {
        Self {
            poses: bodies.map(|body| Pose::read(q, body)),
            twists: bodies.map(|body| Twist::read(v, body)),
        }
    }

    /// Poses on the way of a step, at equal shares of it, the last one at its end: of a pair whose velocities are the increments.
    /// Between two of them both bodies together turn by an eighth of a turn at most.
    pub(crate) fn displacement(&self) -> impl ExactSizeIterator<Item = Self> + '_ {
        let turn: f64 = self.twists.iter().map(|twist| twist.spin.norm()).sum();
        let parts = (turn / std::f64::consts::FRAC_PI_4).ceil().clamp(1.0, MOST_PARTS) as u16;
        (1..=parts).map(move |part| self.moved(f64::from(part) / f64::from(parts)))
    }

    /// The pair after this share of its increments.
    pub(crate) fn moved(&self, share: f64) -> Self {
        let moved = |k: usize| {
            let (Pose { position, rotation }, Twist { velocity, spin }) = (self.poses[k], self.twists[k]);
            let turn = Rotation3::from_scaled_axis(spin * share).into_inner();
            Pose { position: position + velocity * share, rotation: rotation * turn }
        };
        Self { poses: [moved(0), moved(1)], twists: self.twists }
    }
}

/// Derivative of a number by the increments of two bodies: translation and turn of the first, then of the second.
/// Translations are in world axes, turns in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gradient(pub [Vector3<f64>; 4]);

impl Default for Gradient {
    fn default() -> Self {
        Self([Vector3::zeros(); 4])
    }
}

impl Gradient {
    /// Product with velocities, `Σ g · v`.
    #[must_use]
    pub fn rate(&self, twists: &[Twist; 2]) -> f64 {
        let parts = [&twists[0].velocity, &twists[0].spin, &twists[1].velocity, &twists[1].spin];
        self.0.iter().zip(parts).map(|(g, v)| g.dot(v)).sum()
    }

    /// What a load, whose negative this is, does to the second body: force (N), and moment (N m) about a point of the arm `arm` there,
    /// in world axes. The first body feels the opposite, which serves where the second is the ground.
    pub(crate) fn felt_by_second(
        &self,
        pair: &Pair,
        bodies: [Option<usize>; 2],
        arm: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        let (k, sign) = if bodies[1].is_some() { (1, -1.0) } else { (0, 1.0) };
        let force = self.0[2 * k] * sign;
        let of_centre = pair.poses[k].rotation * self.0[2 * k + 1] * sign;
        let arm = pair.poses[1].point(arm) - pair.poses[k].position;
        [force, of_centre - arm.cross(&force)]
    }

    /// Adds `factor` times another.
    pub(crate) fn add(&mut self, factor: f64, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, g)| *own += g * factor);
    }
}

/// Derivative of a [`Gradient`] by the same increments: block `(i, j)` is the derivative of part `i` by increment `j`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hessian(pub [[Matrix3<f64>; 4]; 4]);

impl Default for Hessian {
    fn default() -> Self {
        Self([[Matrix3::zeros(); 4]; 4])
    }
}

impl Hessian {
    /// Adds `factor · g hᵀ`.
    pub(crate) fn add_product(&mut self, factor: f64, g: &Gradient, h: &Gradient) {
        for (own, g) in self.0.iter_mut().zip(&g.0) {
            own.iter_mut().zip(&h.0).for_each(|(own, h)| *own += g * h.transpose() * factor);
        }
    }

    /// `vᵀ H`: how the rate of the number changes with the increments.
    #[must_use]
    pub fn rate_gradient(&self, twists: &[Twist; 2]) -> Gradient {
        let parts = [&twists[0].velocity, &twists[0].spin, &twists[1].velocity, &twists[1].spin];
        let mut out = Gradient::default();
        for (blocks, v) in self.0.iter().zip(parts) {
            out.0.iter_mut().zip(blocks).for_each(|(own, block)| *own += block.tr_mul(v));
        }
        out
    }

    /// The 6 × 6 block of bodies `i` and `j`, by columns.
    pub(crate) fn block(&self, i: usize, j: usize) -> [f64; 36] {
        let mut out = [0.0; 36];
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let part = &self.0[2 * i + a][2 * j + b];
            for (row, column) in (0..9).map(|k| (k % 3, k / 3)) {
                out[(3 * b + column) * 6 + 3 * a + row] = part[(row, column)];
            }
        }
        out
    }
}
