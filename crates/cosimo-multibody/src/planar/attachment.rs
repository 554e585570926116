//! A point fixed to a body or to the ground, and its derivatives.

use nalgebra::{Matrix2x3, Vector2, Vector3};

/// A point P of body B, or of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Attachment {
    /// First of the body's three coordinates; `None` for the ground.
    pub(super) column: Option<usize>,
    /// `p_bp` (m, body axes); for the ground `p_wp` (m, world axes).
    pub(super) point: Vector2<f64>,
}

impl Attachment {
    /// `p_bp_w` (m), world axes; zero for the ground, which does not turn.
    pub(super) fn arm(&self, q: &[f64]) -> Vector2<f64> {
        let Some(c) = self.column else { return Vector2::zeros() };
        let (sin, cos) = q[c + 2].sin_cos();
        Vector2::new(cos * self.point.x - sin * self.point.y, sin * self.point.x + cos * self.point.y)
    }

    /// `p_wp` (m), world axes.
    pub(super) fn position(&self, q: &[f64]) -> Vector2<f64> {
        match self.column {
            Some(c) => Vector2::new(q[c], q[c + 1]) + self.arm(q),
            None => self.point,
        }
    }

    /// `v_wp` (m/s), world axes.
    pub(super) fn velocity(&self, q: &[f64], v: &[f64]) -> Vector2<f64> {
        match self.column {
            Some(c) => Vector2::new(v[c], v[c + 1]) + v[c + 2] * perpendicular(self.arm(q)),
            None => Vector2::zeros(),
        }
    }

    /// Acceleration of P where those of the coordinates are zero, `−ω² p_bp_w` (m/s²), world axes.
    pub(super) fn centripetal(&self, q: &[f64], v: &[f64]) -> Vector2<f64> {
        match self.column {
            Some(c) => -v[c + 2] * v[c + 2] * self.arm(q),
            None => Vector2::zeros(),
        }
    }

    /// `∂p_wp/∂(x, y, θ)` of the body's coordinates; meaningless for the ground, which has none.
    pub(super) fn tangent(&self, q: &[f64]) -> Matrix2x3<f64> {
        let turned = perpendicular(self.arm(q));
        Matrix2x3::new(1.0, 0.0, turned.x, 0.0, 1.0, turned.y)
    }

    /// The body's three entries of `x`; zeros for the ground.
    pub(super) fn part(&self, x: &[f64]) -> Vector3<f64> {
        match self.column {
            Some(c) => Vector3::new(x[c], x[c + 1], x[c + 2]),
            None => Vector3::zeros(),
        }
    }
}

/// The vector turned by a quarter turn counter-clockwise, `dr/dθ` of a vector that turns with `θ`.
pub(super) fn perpendicular(r: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-r.y, r.x)
}
