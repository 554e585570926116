//! A point fixed to a body or to the ground, and its derivatives.

use nalgebra::{Matrix2x3, Vector2, Vector3};

/// A point P of body B, or of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Attachment {
    /// Number of the body, which has the coordinates `3 body`, …; `None` for the ground.
    pub(super) body: Option<usize>,
    /// `p_bp` (m, body axes); for the ground `p_wp` (m, world axes).
    pub(super) point: Vector2<f64>,
}

impl Attachment {
    /// `p_bp_w` (m), world axes; zero for the ground, which does not turn.
    pub(super) fn arm(&self, q: &[f64]) -> Vector2<f64> {
        if self.body.is_none() || self.point == Vector2::zeros() {
            return Vector2::zeros();
        }
        let (sin, cos) = self.part(q).z.sin_cos();
        Vector2::new(cos * self.point.x - sin * self.point.y, sin * self.point.x + cos * self.point.y)
    }

    /// `p_wp` (m), world axes.
    pub(super) fn position(&self, q: &[f64]) -> Vector2<f64> {
        match self.body {
            Some(_) => self.part(q).xy() + self.arm(q),
            None => self.point,
        }
    }

    /// `v_wp` (m/s), world axes; `∂p_wp/∂q v`.
    pub(super) fn velocity(&self, q: &[f64], v: &[f64]) -> Vector2<f64> {
        let own = self.part(v);
        own.xy() + own.z * perpendicular(self.arm(q))
    }

    /// `∂v_wp/∂θ` (m/s), world axes.
    pub(super) fn velocity_gradient(&self, q: &[f64], v: &[f64]) -> Vector2<f64> {
        -self.part(v).z * self.arm(q)
    }

    /// Acceleration of P where those of the coordinates are zero, `−ω² p_bp_w` (m/s²), world axes.
    pub(super) fn centripetal(&self, q: &[f64], v: &[f64]) -> Vector2<f64> {
        self.part(v).z * self.velocity_gradient(q, v)
    }

    /// `∂p_wp/∂(x, y, θ)` of the body's coordinates; meaningless for the ground, which has none.
    pub(super) fn tangent(&self, q: &[f64]) -> Matrix2x3<f64> {
        let turned = perpendicular(self.arm(q));
        Matrix2x3::new(1.0, 0.0, turned.x, 0.0, 1.0, turned.y)
    }

    /// Adds the generalised force of a force (N) at P, world axes.
    pub(super) fn add_force(&self, q: &[f64], force: &Vector2<f64>, out: &mut [f64]) {
        let Some(body) = self.body else { return };
        let moment = perpendicular(self.arm(q)).dot(force);
        let own = out[3 * body..].iter_mut();
        own.zip([force.x, force.y, moment]).for_each(|(sum, part)| *sum += part);
    }

    /// Derivative of that by the body's coordinates, by columns: `∂²p_wp/∂θ² = −p_bp_w`.
    pub(super) fn stiffness(&self, q: &[f64], force: &Vector2<f64>) -> [f64; 9] {
        let mut block = [0.0; 9];
        block[8] = -self.arm(q).dot(force);
        block
    }

    /// The body's three entries of `x`; zeros for the ground.
    pub(super) fn part(&self, x: &[f64]) -> Vector3<f64> {
        match self.body {
            Some(body) => Vector3::new(x[3 * body], x[3 * body + 1], x[3 * body + 2]),
            None => Vector3::zeros(),
        }
    }
}

/// The vector turned by a quarter turn counter-clockwise, `dr/dθ` of a vector that turns with `θ`.
pub(super) fn perpendicular(r: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-r.y, r.x)
}
