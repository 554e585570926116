//! Screws: rigid motions, their logarithm, and the inverse tangent of their exponential with its derivatives.
//!
//! A screw `d = (u, w)` is a translation (m) before a rotation vector (rad). With
//!
//! ```text
//!   ad(d) = [ w×  u× ]        T(d) = Σ (−1)ᵏ ad(d)ᵏ/(k + 1)!        T⁻¹(d) = 1 + ½ ad + (κ − t κ') ad² − κ' ad⁴
//!           [ 0   w× ]
//!   t = |w|²        κ(t) = (1 − (θ/2) cot(θ/2))/θ²,  θ = |w|
//! ```
//!
//! `T` is what Sonneville, Cardona and Brüls call the tangent application: with increments `h` in the axes of a frame `H`, the
//! logarithm of `H_A⁻¹ H_B` changes by `T⁻¹(d) h_B − T⁻¹(−d) h_A`. The polynomial is exact: even powers of `ad` beyond the
//! fourth are combinations of these two, as `ad (ad² + t)² = 0`.
//!
//! Reference: V. Sonneville, A. Cardona, O. Brüls, *Geometrically exact beam finite element formulated on the special
//! Euclidean group SE(3)*, CMAME 268 (2014), 451–474.

use cosimo_dynamics::rotation::{inverse_left_jacobian, left_jacobian};
use nalgebra::{Matrix3, Matrix6, Rotation3, UnitQuaternion, Vector3, Vector6};

/// Position of a frame, and the rotation matrix that takes its axes into those of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    pub(super) position: Vector3<f64>,
    pub(super) rotation: Matrix3<f64>,
}

impl Placement {
    /// The frame after a screw in its own axes, `H exp(d)`.
    pub(super) fn moved(&self, d: &Vector6<f64>) -> Self {
        let (u, w) = parts(d);
        Self {
            position: self.position + self.rotation * (left_jacobian(&w) * u),
            rotation: self.rotation * Rotation3::from_scaled_axis(w).into_inner(),
        }
    }

    /// The screw `d` with `H exp(d)` the other frame; its turn is less than half a turn.
    pub(super) fn screw_to(&self, other: &Self) -> Vector6<f64> {
        let relative = Rotation3::from_matrix_unchecked(self.rotation.tr_mul(&other.rotation));
        let w = UnitQuaternion::from_rotation_matrix(&relative).scaled_axis();
        let u = inverse_left_jacobian(&w) * self.rotation.tr_mul(&(other.position - self.position));
        join(&u, &w)
    }
}

/// Translation and rotation vector of a screw; force and moment of a wrench.
pub(super) fn parts(d: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (d.fixed_rows::<3>(0).into_owned(), d.fixed_rows::<3>(3).into_owned())
}

pub(super) fn join(u: &Vector3<f64>, w: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(u.x, u.y, u.z, w.x, w.y, w.z)
}

/// `ad(d)`, with `ad(d) x = −ad(x) d`.
fn adjoint(d: &Vector6<f64>) -> Matrix6<f64> {
    let (u, w) = parts(d);
    blocks([[w.cross_matrix(), u.cross_matrix()], [Matrix3::zeros(), w.cross_matrix()]])
}

/// The matrix `X(s)` with `ad(x)ᵀ s = X(s) x`.
fn coadjoint(s: &Vector6<f64>) -> Matrix6<f64> {
    let (f, m) = parts(s);
    blocks([[Matrix3::zeros(), f.cross_matrix()], [f.cross_matrix(), m.cross_matrix()]])
}

/// A matrix of four blocks.
pub(super) fn blocks(parts: [[Matrix3<f64>; 2]; 2]) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| parts[i / 3][j / 3][(i % 3, j % 3)])
}

/// `κ = 2/(4π² − t) + Σ κₖ tᵏ⁻¹` and its first two derivatives by `t`: the pole at a whole turn apart, the series converges
/// beyond it, by 1/16 a term at half a turn.
fn kappa(t: f64) -> [f64; 3] {
    /// `2 (ζ(2k) − 1)/(2π)²ᵏ`.
    const SERIES: [f64; 16] = [
        0.032_672_741_512_164_45,
        0.000_105_641_107_053_347,
        5.637_370_282_876_845e-7,
        3.357_141_926_657_451e-9,
        2.074_287_290_416_604_5e-11,
        1.300_048_213_869_897_5e-13,
        8.196_052_055_691_008e-16,
        5.180_118_196_169_724e-18,
        3.277_539_174_701_792e-20,
        2.074_740_187_859_360_4e-22,
        1.313_624_180_716_653_4e-24,
        8.318_003_195_189_264e-27,
        5.267_262_996_834_231e-29,
        3.335_484_298_822_144_3e-31,
        2.112_206_332_318_388_5e-33,
        1.337_566_409_321_524_4e-35,
    ];
    let horner =
        |[sum, slope, bend]: [f64; 3], c: &f64| [sum * t + c, slope * t + sum, bend * t + 2.0 * slope];
    let [sum, slope, bend] = SERIES.iter().rev().fold([0.0; 3], horner);
    let pole = 1.0 / (4.0 * std::f64::consts::PI * std::f64::consts::PI - t);
    [2.0 * pole + sum, 2.0 * pole * pole + slope, 4.0 * pole * pole * pole + bend]
}

/// `T⁻¹(d)` and `T⁻¹(−d)` of one screw, with their derivatives.
#[derive(Debug, Clone, Copy)]
pub(super) struct InverseTangent {
    adjoint: Matrix6<f64>,
    turn: Vector3<f64>,
    /// Factors of `ad²` and `ad⁴`, and their derivatives by `t`.
    factors: [f64; 4],
    /// `T⁻¹(d)`.
    pub(super) ahead: Matrix6<f64>,
    /// `T⁻¹(−d)`.
    pub(super) back: Matrix6<f64>,
}

impl InverseTangent {
    pub(super) fn at(d: &Vector6<f64>) -> Self {
        let (adjoint, turn) = (adjoint(d), parts(d).1);
        let t = turn.norm_squared();
        let [kappa, slope, bend] = kappa(t);
        let factors = [kappa - t * slope, -slope, -t * bend, -bend];
        let square = adjoint * adjoint;
        let even = Matrix6::identity() + square * factors[0] + square * square * factors[1];
        let odd = adjoint * 0.5;
        Self { adjoint, turn, factors, ahead: even + odd, back: even - odd }
    }

    /// `∂(T⁻¹(d) x)/∂d`, or with `sign` −1 `∂(T⁻¹(−d) x)/∂d`.
    pub(super) fn gradient(&self, sign: f64, x: &Vector6<f64>) -> Matrix6<f64> {
        self.by_powers(sign, &self.adjoint, x, |x| -adjoint(x))
    }

    /// `∂(T⁻ᵀ(d) s)/∂d`, or with `sign` −1 `∂(T⁻ᵀ(−d) s)/∂d`.
    pub(super) fn transposed_gradient(&self, sign: f64, s: &Vector6<f64>) -> Matrix6<f64> {
        self.by_powers(sign, &self.adjoint.transpose(), s, coadjoint)
    }

    /// Derivative of `(1 ± ½ A + f₂ A² + f₄ A⁴) x` by `d`, where that of `A x` is `own(x)`.
    fn by_powers(
        &self,
        sign: f64,
        a: &Matrix6<f64>,
        x: &Vector6<f64>,
        own: impl Fn(&Vector6<f64>) -> Matrix6<f64>,
    ) -> Matrix6<f64> {
        let [second, fourth, of_second, of_fourth] = self.factors;
        let (first, x1) = (own(x), a * x);
        let x2 = a * x1;
        let x3 = a * x2;
        let square = own(&x1) + a * first;
        let fourth_power = own(&x3) + a * (own(&x2) + a * square);
        let turn = join(&Vector3::zeros(), &(self.turn * 2.0));
        first * (0.5 * sign)
            + square * second
            + fourth_power * fourth
            + (x2 * of_second + a * x3 * of_fourth) * turn.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screws() -> Vec<Vector6<f64>> {
        let direction = Vector3::new(0.3, -0.5, 0.8).normalize();
        let u = Vector3::new(0.7, -0.2, 1.1);
        [0.0, 1e-9, 1e-4, 1e-3, 0.5, 2.0, 3.1].map(|angle| join(&u, &(direction * angle))).to_vec()
    }

    fn frame() -> Placement {
        let rotation = Rotation3::from_scaled_axis(Vector3::new(0.4, 1.0, -2.0)).into_inner();
        Placement { position: Vector3::new(1.0, -2.0, 0.5), rotation }
    }

    /// Central differences of order 4.
    fn differences(f: impl Fn(&Vector6<f64>) -> Vector6<f64>) -> Matrix6<f64> {
        let h = 1e-3;
        let column = |j: usize| {
            let at = |x: f64| f(&Vector6::ith(j, x));
            ((at(h) - at(-h)) * 8.0 - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
        };
        Matrix6::from_columns(&[0, 1, 2, 3, 4, 5].map(column))
    }

    #[test]
    fn logarithm_undoes_the_exponential() {
        for d in screws() {
            let back = frame().screw_to(&frame().moved(&d));
            assert!((back - d).amax() < 2e-14, "{d} {back}");
        }
    }

    #[test]
    fn kappa_is_the_closed_form() {
        for angle in [0.3_f64, 1.0, 2.0, 3.1] {
            let closed = (1.0 - 0.5 * angle / (0.5 * angle).tan()) / (angle * angle);
            let [value, slope, bend] = kappa(angle * angle);
            assert!((value - closed).abs() < 4e-15, "{angle}");
            let (h, t) = (1e-3, angle * angle);
            assert!((slope - (kappa(t + h)[0] - kappa(t - h)[0]) / (2.0 * h)).abs() < 1e-8);
            assert!((bend - (kappa(t + h)[1] - kappa(t - h)[1]) / (2.0 * h)).abs() < 1e-8);
        }
    }

    #[test]
    fn inverse_tangents_are_derivatives_of_the_logarithm() {
        for d in screws() {
            let (first, second) = (frame(), frame().moved(&d));
            let inverse = InverseTangent::at(&d);
            let ahead = differences(|h| first.screw_to(&second.moved(h)));
            let back = differences(|h| first.moved(h).screw_to(&second));
            assert!((ahead - inverse.ahead).amax() < 1e-9, "{d} {ahead} {}", inverse.ahead);
            assert!((back + inverse.back).amax() < 1e-9, "{d}");
        }
    }

    #[test]
    fn gradients_are_those_of_differences() {
        let x = Vector6::new(0.3, -1.0, 0.5, 2.0, 0.7, -0.4);
        for d in screws() {
            let inverse = InverseTangent::at(&d);
            let at = |h: &Vector6<f64>| InverseTangent::at(&(d + h));
            let pairs = [
                (inverse.gradient(1.0, &x), differences(|h| at(h).ahead * x)),
                (inverse.gradient(-1.0, &x), differences(|h| at(h).back * x)),
                (inverse.transposed_gradient(1.0, &x), differences(|h| at(h).ahead.tr_mul(&x))),
                (inverse.transposed_gradient(-1.0, &x), differences(|h| at(h).back.tr_mul(&x))),
            ];
            for (stated, found) in pairs {
                assert!((stated - found).amax() < 1e-9, "{d} {stated} {found}");
            }
        }
    }
}
