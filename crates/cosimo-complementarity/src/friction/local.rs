//! The friction problem of a single contact, solved exactly.
//!
//! With the block `W` (`D × D`) and the velocity `b` that all else gives the contact, find `r` in the Coulomb cone with
//!
//! ```text
//!   u = W r + b      r_N = 0, u_N ≥ 0                          (open)
//!                    u = 0, ‖r_T‖ ≤ μ r_N                      (stick)
//!                    u_N = 0, ‖r_T‖ = μ r_N, u_T = −α r_T, α > 0   (slip)
//! ```
//!
//! In slip `u_N = 0` gives the normal impulse, `r_N = −(b_N + W_NT r_T)/W_NN`, and what is left,
//! `(S + α) r_T = −s` with `S = W_TT − W_TN W_NT/W_NN` and `s = b_T − W_TN b_N/W_NN`, is diagonal in the axes of `S`, but
//! for its skew part: the answer of a subsystem that gyroscopic forces turn, or of one that is not known exactly, is not
//! symmetric.
//! The slip rate `α` is the root of `‖r_T(α)‖ = μ r_N(α)`: the left is larger at `α = 0`, where the contact would
//! stick, and zero far out. The open case is tried first, so that there is an answer for every
//! positive definite `W`. A singular one may have none (a slip whose friction presses ever harder): a sweep then gives the
//! contact the normal impulse without friction, and the residual of the whole problem tells.

use nalgebra::{SMatrix, SVector};

/// Rounds of the root search; bisection alone would need about as many as there are bits.
const MAX_ROUNDS: usize = 100;

/// Entries of a block below this share of its largest are round-off of what it was made from.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// Share of the slip rate of an uncoupled contact below which there is none.
const SMALLEST_RATE: f64 = 1e-12;

/// Share of the velocity that round-off may leave of a slip.
const AT_REST: f64 = 1e-9;

/// The friction problem of a single contact, solved exactly and without a workspace: the impulse `r` (N s), normal first,
/// for the block `W` (1/kg) and the velocity `b` (m/s) without it. `None` where there is none: `W_NN` is not positive, so that
/// no impulse opens the contact, or `W` is singular and friction presses it ever harder.
///
/// ```
/// use cosimo_complementarity::friction::solve_contact;
/// use nalgebra::{Matrix2, vector};
/// // A mass of 1 kg that strikes the ground obliquely, μ = ½: it slides on.
/// let r = solve_contact(&Matrix2::identity(), &vector![-1.0, 2.0], 0.5).unwrap();
/// assert!((r - vector![1.0, -0.5]).norm() < 1e-15);
/// // A mass that can only move along a slope of 45°: with μ > 1 what slides down it is stopped by no impulse.
/// let slope = Matrix2::repeat(1.0);
/// assert!(solve_contact(&slope, &vector![-1.2, -1.0], 1.5).is_none());
/// ```
#[must_use]
pub fn solve_contact<const D: usize>(
    block: &SMatrix<f64, D, D>,
    velocity: &SVector<f64, D>,
    friction: f64,
) -> Option<SVector<f64, D>> {
    LocalProblem::new(block, friction)?.solve_or_refuse(velocity)
}

/// Everything of one contact that does not change with `b`. The axes of `S` are those of the tangents turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LocalProblem {
    friction: f64,
    normal: f64,
    /// `W_NT` in the axes of `S`.
    coupling: [f64; 2],
    /// `W_TN` in these axes.
    lift: [f64; 2],
    /// Eigenvalues of the symmetric part of `S`, not negative.
    stiffness: [f64; 2],
    /// What the skew part of `S` has below the diagonal, whatever the axes.
    skew: f64,
    /// Cosine and sine from the tangents to the axes of `S`.
    turn: (f64, f64),
    /// Slip rate found last, where the next search begins.
    rate: f64,
}

impl LocalProblem {
    /// Prepares a contact; `None` where `W_NN` is not positive, so that no impulse opens it.
    pub(crate) fn new<const D: usize>(block: &SMatrix<f64, D, D>, friction: f64) -> Option<Self> {
        let normal = block[(0, 0)];
        if !(normal > 0.0) {
            return None;
        }
        let w = |k: usize| if k < D { (block[(0, k)], block[(k, 0)]) } else { (0.0, 0.0) };
        let s = |k: usize, l: usize| {
            if k < D && l < D { block[(k, l)] - block[(k, 0)] * block[(0, l)] / normal } else { 0.0 }
        };
        let (a, b, d) = (s(1, 1), 0.5 * (s(1, 2) + s(2, 1)), s(2, 2));
        let (c, z) = axes(a, b, d);
        let first = c * c * a + 2.0 * c * z * b + z * z * d;
        let second = z * z * a - 2.0 * c * z * b + c * c * d;
        // Spheres couple nothing and prefer no direction, but for round-off, and then slip is had without a search.
        let round_off = ROUND_OFF * normal.max(first).max(second);
        let drop = |w: f64| if w.abs() <= round_off { 0.0 } else { w };
        let turned = |(x, y): (f64, f64)| [c * x + z * y, -z * x + c * y].map(drop);
        let (first_tangent, second_tangent) = (w(1), w(2));
        let is_isotropic = (first - second).abs() <= round_off;
        // What is left of tangents that follow from the normal is the difference of equal numbers.
        let least = ROUND_OFF * (1..D).map(|k| block[(k, k)]).sum::<f64>();
        let settle = |s: f64| if s <= least { 0.0 } else { s };
        Some(Self {
            friction,
            normal,
            coupling: turned((first_tangent.0, second_tangent.0)),
            lift: turned((first_tangent.1, second_tangent.1)),
            skew: drop(0.5 * (s(2, 1) - s(1, 2))),
            stiffness: [settle(first), settle(if is_isotropic { first } else { second })],
            turn: (c, z),
            rate: 0.0,
        })
    }

    /// The impulse for the velocity `b` without it; the normal one alone where nothing meets the law.
    #[inline]
    pub(crate) fn solve<const D: usize>(&mut self, b: &SVector<f64, D>) -> SVector<f64, D> {
        self.solve_or_refuse(b).unwrap_or_else(|| {
            let mut out = SVector::zeros();
            out[0] = -b[0] / self.normal;
            out
        })
    }

    /// The impulse for the velocity `b` without it, `None` where nothing meets the law.
    #[inline]
    fn solve_or_refuse<const D: usize>(&mut self, b: &SVector<f64, D>) -> Option<SVector<f64, D>> {
        let mut out = SVector::zeros();
        if b[0] >= 0.0 {
            return Some(out);
        }
        let (c, z) = self.turn;
        let (t1, t2) = (if D > 1 { b[1] } else { 0.0 }, if D > 2 { b[2] } else { 0.0 });
        let ratio = b[0] / self.normal;
        let load = [c * t1 + z * t2 - self.lift[0] * ratio, -z * t1 + c * t2 - self.lift[1] * ratio];
        let (normal, tangent) = match self.impulse(b[0], load) {
            Some(found) => found,
            // What would slide is round-off of a contact at rest.
            None if norm(load) <= AT_REST * b.norm() => (-ratio, [0.0; 2]),
            None => return None,
        };
        out[0] = normal;
        if D > 1 {
            out[1] = c * tangent[0] - z * tangent[1];
        }
        if D > 2 {
            out[2] = z * tangent[0] + c * tangent[1];
        }
        Some(out)
    }

    /// Normal and tangential impulse, the latter in the axes of `S`, for `b_N < 0` and `s`; `None` where there are none.
    fn impulse(&mut self, b: f64, s: [f64; 2]) -> Option<(f64, [f64; 2])> {
        if self.friction == 0.0 {
            return Some((-b / self.normal, [0.0; 2]));
        }
        let (normal, tangent) = self.at(0.0, b, s);
        let length = norm(tangent);
        if length <= self.friction * normal && length.is_finite() {
            self.rate = 0.0;
            return Some((normal, tangent));
        }
        if let Some(found) = self.isotropic_slip(b, s) {
            return Some(found);
        }
        let rate = self.slip_rate(b, s)?;
        self.rate = rate;
        let (normal, tangent) = self.at(rate, b, s);
        // On the cone to the last bit, whatever is left of the root search.
        let length = norm(tangent);
        let normal = normal.max(0.0);
        let scale = if length > 0.0 { self.friction * normal / length } else { 0.0 };
        Some((normal, tangent.map(|t| scale * t)))
    }

    /// `−(S + α)⁻¹ s`; infinite where nothing resists at `α = 0`.
    #[inline]
    fn resist(&self, rate: f64, s: [f64; 2]) -> [f64; 2] {
        let (first, second, skew) = (self.stiffness[0] + rate, self.stiffness[1] + rate, self.skew);
        if skew != 0.0 {
            let determinant = first * second + skew * skew;
            return [
                -(second * s[0] + skew * s[1]) / determinant,
                (skew * s[0] - first * s[1]) / determinant,
            ];
        }
        let part = |s: f64, resistance: f64| if s == 0.0 { 0.0 } else { -s / resistance };
        [part(s[0], first), part(s[1], second)]
    }

    /// Impulse at a slip rate `α` (1/kg).
    #[inline]
    fn at(&self, rate: f64, b: f64, s: [f64; 2]) -> (f64, [f64; 2]) {
        let tangent = self.resist(rate, s);
        let pull = self.coupling[0] * tangent[0] + self.coupling[1] * tangent[1];
        (-(b + pull) / self.normal, tangent)
    }

    /// The impulse of a slip where nothing couples and no direction is preferred: against `s`, at its bound.
    fn isotropic_slip(&self, b: f64, s: [f64; 2]) -> Option<(f64, [f64; 2])> {
        let is_isotropic = self.coupling == [0.0; 2]
            && self.skew == 0.0
            && (self.stiffness[0] == self.stiffness[1] || s[1] == 0.0);
        is_isotropic.then(|| {
            let normal = -b / self.normal;
            let scale = -self.friction * normal / norm(s);
            (normal, s.map(|s| scale * s))
        })
    }

    /// The root of `μ r_N(α) = ‖r_T(α)‖` by Newton's method on their quotient, which is nearly straight, kept inside a
    /// bracket; `None` where there is none but at zero.
    fn slip_rate(&self, b: f64, s: [f64; 2]) -> Option<f64> {
        let (mut low, mut high) = (0.0_f64, f64::INFINITY);
        let strength = norm(s);
        // Where r_N is that of b alone.
        let guess = strength * self.normal / (self.friction * -b);
        // From zero, where the contact would stick, a single Newton step is exact for equal stiffnesses.
        let can_stick = self.skew != 0.0 || (0..2).all(|k| self.stiffness[k] > 0.0 || s[k] == 0.0);
        let mut rate = match (self.rate > 0.0, can_stick) {
            (true, _) => self.rate,
            (false, true) => 0.0,
            (false, false) => guess,
        };
        for _ in 0..MAX_ROUNDS {
            let (normal, tangent) = self.at(rate, b, s);
            let length = norm(tangent);
            let excess = length - self.friction * normal;
            if excess > 0.0 {
                low = rate;
            } else {
                high = rate;
            }
            let change = self.resist(rate, tangent);
            let length_slope = (tangent[0] * change[0] + tangent[1] * change[1]) / length;
            let normal_slope = -(self.coupling[0] * change[0] + self.coupling[1] * change[1]) / self.normal;
            let bound = self.friction * normal;
            let next = if bound > 0.0 {
                let quotient = bound / length;
                let slope = (self.friction * normal_slope - quotient * length_slope) / length;
                rate + (1.0 - quotient) / slope
            } else {
                f64::NAN
            };
            let is_inside = next > low && next < high;
            let next = match (is_inside, high.is_finite()) {
                (true, _) => next,
                (false, true) if low > 0.0 => (low * high).sqrt(),
                (false, true) => 0.5 * high,
                (false, false) => (4.0 * rate).max(guess).max(f64::MIN_POSITIVE),
            };
            if high <= SMALLEST_RATE * guess {
                return None;
            }
            // Newton's next step would be about the square of this one.
            let small = if is_inside { 1e-9 } else { 4.0 * f64::EPSILON };
            if (next - rate).abs() <= small * next {
                return Some(next);
            }
            rate = next;
        }
        Some(rate)
    }
}

/// Length; impulses whose squares underflow have none. `hypot` would take a third of the time of a contact.
#[inline]
fn norm(x: [f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

/// Cosine and sine of the turn to the axes of the symmetric matrix `[a b; b d]`, by Jacobi's rotation.
#[inline]
fn axes(a: f64, b: f64, d: f64) -> (f64, f64) {
    if b == 0.0 {
        return (1.0, 0.0);
    }
    let ratio = (d - a) / (2.0 * b);
    let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    (cosine, -tangent * cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
    use proptest::prelude::*;

    fn check(u: &[f64], r: &[f64], mu: f64, scale: f64) -> Result<(), TestCaseError> {
        let tangent = |x: &[f64]| x[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
        let eps = 1e-9 * scale;
        prop_assert!(r[0] >= 0.0 && u[0] >= -eps && (r[0] * u[0]).abs() <= eps * scale, "{u:?} {r:?}");
        prop_assert!(tangent(r) <= mu * r[0] * (1.0 + 1e-12));
        if tangent(u) > eps && r[0] > 0.0 {
            let work: f64 = u[1..].iter().zip(&r[1..]).map(|(u, r)| u * r).sum();
            prop_assert!((work + mu * r[0] * tangent(u)).abs() <= eps * scale, "{u:?} {r:?}");
        }
        Ok(())
    }

    /// Spheres: round-off in their blocks must not send every slip into a search, nor may more than round-off be dropped.
    #[test]
    fn round_off_is_no_coupling() {
        let block = |coupling: f64, turn: f64, other: f64| {
            Matrix3::new(2.0, coupling, 0.0, coupling, 7.0, turn, 0.0, turn, 7.0 + other)
        };
        let sphere = LocalProblem::new(&block(3e-17, 2e-16, 9e-16), 0.3).unwrap();
        assert_eq!((sphere.coupling, sphere.stiffness[0]), ([0.0; 2], sphere.stiffness[1]));
        let other = LocalProblem::new(&block(1e-12, 0.0, 1e-12), 0.3).unwrap();
        assert!(other.coupling != [0.0; 2] && other.stiffness[0] != other.stiffness[1]);
    }

    proptest! {
        #[test]
        fn law_holds_in_space(m in prop::array::uniform9(-1.0_f64..1.0), b in prop::array::uniform3(-1.0_f64..1.0), mu in 0.0_f64..1.5) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() * 0.05;
            let mut local = LocalProblem::new(&w, mu).unwrap();
            let b = Vector3::from(b);
            let r = local.solve(&b);
            let u = w * r + b;
            check(u.as_slice(), r.as_slice(), mu, 1.0 + r.amax())?;
            // Again, from where the first search ended.
            prop_assert!((local.solve(&b) - r).amax() <= 1e-9 * (1.0 + r.amax()));
        }

        #[test]
        fn law_holds_where_the_block_is_not_symmetric(m in prop::array::uniform9(-1.0_f64..1.0), skew in prop::array::uniform3(-0.5_f64..0.5), b in prop::array::uniform3(-1.0_f64..1.0), mu in 0.0_f64..0.7) {
            let m = Matrix3::from_row_slice(&m);
            let w = m * m.transpose() + Matrix3::identity() + Vector3::from(skew).cross_matrix();
            let b = Vector3::from(b);
            let r = LocalProblem::new(&w, mu).unwrap().solve(&b);
            let u = w * r + b;
            check(u.as_slice(), r.as_slice(), mu, 1.0 + r.amax())?;
        }

        #[test]
        fn law_holds_in_the_plane(m in prop::array::uniform4(-1.0_f64..1.0), b in prop::array::uniform2(-1.0_f64..1.0), mu in 0.0_f64..1.5) {
            let m = Matrix2::from_row_slice(&m);
            let w = m * m.transpose() + Matrix2::identity() * 0.05;
            let b = Vector2::from(b);
            let r = LocalProblem::new(&w, mu).unwrap().solve(&b);
            check((w * r + b).as_slice(), r.as_slice(), mu, 1.0 + r.amax())?;
        }

        /// A body with one degree of freedom slides if it moves at all, and has no impulse where its friction presses it more
        /// than it holds: where `σ μ k ≥ 1` for the tangent `k` of the motion and the direction `σ` of the slip.
        #[test]
        fn one_degree_of_freedom_has_an_impulse_or_none(size in 0.1_f64..10.0, k in -3.0_f64..3.0, b in prop::array::uniform2(-1.0_f64..1.0), mu in 0.05_f64..3.0) {
            let x = Vector2::new(1.0, k) * size;
            let (w, b) = (x * x.transpose(), Vector2::new(-b[0].abs() - 0.01, b[1]));
            let slip = b[1] - k * b[0];
            let pressed = slip.signum() * mu * k;
            prop_assume!(slip.abs() > 1e-6 && (pressed - 1.0).abs() > 1e-6);
            match solve_contact(&w, &b, mu) {
                Some(r) => {
                    prop_assert!(pressed < 1.0, "{r}");
                    let normal = -b[0] / (size * size * (1.0 - pressed));
                    prop_assert!((r - Vector2::new(1.0, -slip.signum() * mu) * normal).amax() < 1e-6 * normal * (1.0 + mu), "{r} {normal}");
                }
                None => prop_assert!(pressed > 1.0),
            }
        }

        #[test]
        fn blocks_of_deficient_rank_are_no_trouble(x in prop::array::uniform3(-1.0_f64..1.0), b in prop::array::uniform3(-1.0_f64..1.0), mu in 0.0_f64..1.5) {
            let x = Vector3::new(x[0].abs() + 0.3, x[1], x[2]);
            let r = LocalProblem::new(&(x * x.transpose()), mu).unwrap().solve(&Vector3::from(b));
            prop_assert!(r.iter().all(|r| r.is_finite()));
            prop_assert!(r[1].hypot(r[2]) <= mu * r[0] * (1.0 + 1e-12));
        }
    }
}
