//! A spring and damper between two points, by the derivatives of their distance.

use cosimo_dynamics::{MatrixSink, Motion};
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use super::attachment::Attachment;

/// Square of `ε` (m²): see [`SpringDamper`](super::SpringDamper).
const SQUARED_FLOOR: f64 = 1e-18;

/// A spring-damper whose ends are found; fields as in [`SpringDamper`](super::SpringDamper).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spring {
    pub(super) ends: [Attachment; 2],
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) length: f64,
}

/// The distance `ℓ(q)`, where `ℓ² = d·d + ε²`, `d = p_wp₂ − p_wp₁`.
struct Distance {
    /// `ℓ` (m).
    length: f64,
    /// `u = ∂ℓ/∂d = d / ℓ`, a unit vector but for `ε`.
    direction: Vector2<f64>,
}

/// Sign with which an end enters `d`.
const SIGNS: [f64; 2] = [-1.0, 1.0];

impl Spring {
    /// Adds the force, `−(∂ℓ/∂q)ᵀ F`, times `factor` to `out`.
    pub(super) fn add_force(&self, motion: Motion<'_>, factor: f64, out: &mut [f64]) {
        let (q, v) = (motion.q, motion.v);
        let distance = self.distance(q);
        let tension = self.tension(&distance, self.rate(&distance, q, v));
        for (end, sign) in self.ends.iter().zip(SIGNS) {
            end.add_force(q, &(-sign * factor * tension * distance.direction), out);
        }
    }

    /// Gives `−∂f/∂q` and `−∂f/∂v`. With `g = ∂ℓ/∂q`, `H = ∂²ℓ/∂q²`:
    ///
    /// ```text
    ///   −∂f/∂q = g (k g + c H v)ᵀ + F H        −∂f/∂v = c g gᵀ
    /// ```
    pub(super) fn give_tangents(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        let (q, v) = (motion.q, motion.v);
        let distance = self.distance(q);
        let tension = self.tension(&distance, self.rate(&distance, q, v));
        let hessian = self.hessian(&distance, q);
        let gradient = [self.gradient(&distance, q, 0), self.gradient(&distance, q, 1)];
        let speeds = [self.ends[0].part(v), self.ends[1].part(v)];
        for b in 0..2 {
            let rate_gradient = hessian[b][0] * speeds[0] + hessian[b][1] * speeds[1];
            let force_gradient = self.stiffness * gradient[b] + self.damping * rate_gradient;
            for a in 0..2 {
                let (Some(row), Some(column)) = (self.ends[a].body, self.ends[b].body) else { continue };
                let k = gradient[a] * force_gradient.transpose() + tension * hessian[a][b];
                let c = self.damping * gradient[a] * gradient[b].transpose();
                sink.stiffness(row, column, k.as_slice());
                sink.damping(row, column, c.as_slice());
            }
        }
    }

    /// `½ k (ℓ − l₀)²` (J).
    pub(super) fn potential(&self, q: &[f64]) -> f64 {
        let stretch = self.distance(q).length - self.length;
        0.5 * self.stiffness * stretch * stretch
    }

    /// `c ℓ̇²` (W).
    pub(super) fn dissipated_power(&self, q: &[f64], v: &[f64]) -> f64 {
        let rate = self.rate(&self.distance(q), q, v);
        self.damping * rate * rate
    }

    fn distance(&self, q: &[f64]) -> Distance {
        let d = self.ends[1].position(q) - self.ends[0].position(q);
        let length = (d.norm_squared() + SQUARED_FLOOR).sqrt();
        Distance { length, direction: d / length }
    }

    /// `ℓ̇` (m/s).
    fn rate(&self, distance: &Distance, q: &[f64], v: &[f64]) -> f64 {
        distance.direction.dot(&(self.ends[1].velocity(q, v) - self.ends[0].velocity(q, v)))
    }

    /// `F` (N), positive when it pulls the points together.
    fn tension(&self, distance: &Distance, rate: f64) -> f64 {
        self.stiffness * (distance.length - self.length) + self.damping * rate
    }

    /// `∂ℓ/∂(x, y, θ)` of the body at this end.
    fn gradient(&self, distance: &Distance, q: &[f64], end: usize) -> Vector3<f64> {
        SIGNS[end] * self.ends[end].tangent(q).tr_mul(&distance.direction)
    }

    /// Blocks `∂²ℓ/∂(x, y, θ)ₐ ∂(x, y, θ)_b` of the bodies at the ends `a`, `b`.
    fn hessian(&self, distance: &Distance, q: &[f64]) -> [[Matrix3<f64>; 2]; 2] {
        let u = distance.direction;
        let transverse = (Matrix2::identity() - u * u.transpose()) / distance.length;
        let tangents = [self.ends[0].tangent(q), self.ends[1].tangent(q)];
        let mut blocks = [[Matrix3::zeros(); 2]; 2];
        for a in 0..2 {
            for b in 0..2 {
                blocks[a][b] = SIGNS[a] * SIGNS[b] * tangents[a].transpose() * transverse * tangents[b];
            }
            // ∂²p_wp/∂θ² = −p_bp_w.
            blocks[a][a][(2, 2)] -= SIGNS[a] * u.dot(&self.ends[a].arm(q));
        }
        blocks
    }
}
