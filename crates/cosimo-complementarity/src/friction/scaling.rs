//! The scaling of Nesterov and Todd for one contact.
//!
//! In `x = (μ r_N, r_T)` and `y = (ũ_N/μ, ũ_T)` the Coulomb cone and its dual both are `L = { x₀ ≥ ‖x₁‖ }`, with the
//! product `x ∘ y = (xᵀy, x₀ y₁ + y₀ x₁)` and its unit `e = (1, 0, 0)`. The scaling `Z` is the symmetric matrix with
//!
//! ```text
//!   Z y = Z⁻¹ x = λ        Z = η ( w₀  w₁ᵀ ; w₁  1 + w₁w₁ᵀ/(1 + w₀) )        Z² = η² (2 w wᵀ − J)
//! ```
//!
//! Its eigenvectors are the directions along and across the cone, `(1, ±ŵ)/√2`, and the tangent between them; their
//! eigenvalues `η (w₀ ± ‖w₁‖)^{±1}` and `η` differ by as many orders of magnitude as the contact is near to sliding.
//!
//! Without friction only the normal components are left, and `L` is the half-line.
//!
//! Reference: L. Vandenberghe, *The CVXOPT linear and quadratic cone program solvers*, 2010, §4.

use nalgebra::{SMatrix, SVector};

use crate::friction::cone::tangential_norm;

#[derive(Debug, Clone, Copy)]
pub(super) struct Scaling<const D: usize> {
    friction: f64,
    /// Eigenvectors of `Z`, by columns, and eigenvalues.
    pub(super) axes: SMatrix<f64, D, D>,
    sizes: SVector<f64, D>,
    /// `λ`.
    pub(super) lambda: SVector<f64, D>,
}

impl<const D: usize> Scaling<D> {
    /// Of an impulse and a velocity inside their cones.
    pub(super) fn new(friction: f64, r: &SVector<f64, D>, u: &SVector<f64, D>) -> Self {
        let (x, y) = (of_impulse(friction, r), of_velocity(friction, u));
        let (dx, dy) = (determinant(&x).sqrt(), determinant(&y).sqrt());
        let (x, unit) = (x / dx, y / dy);
        let gamma = (0.5 * (1.0 + x.dot(&unit))).sqrt();
        let weight = (x + mirror(&unit)) / (2.0 * gamma);
        let eta = (dx / dy).sqrt();
        let (axes, sizes) = eigen(&weight, eta);
        Self { friction, axes, sizes, lambda: turn(&weight, &y) * eta }
    }

    /// `S⁻¹ Z Q` with `S = diag(μ, 1, 1)` and the axes `Q`: impulses by their scaled ones, these by the axes.
    pub(super) fn impulses(&self) -> SMatrix<f64, D, D> {
        let mut out = self.axes;
        for (mut column, size) in out.column_iter_mut().zip(self.sizes.iter()) {
            column *= *size;
        }
        if self.friction > 0.0 {
            out.row_mut(0).unscale_mut(self.friction);
            return out;
        }
        let mut normal = SMatrix::<f64, D, D>::zeros();
        normal.set_row(0, &out.row(0));
        normal
    }

    /// The velocity whose `Z y` is given.
    pub(super) fn velocity(&self, scaled: &SVector<f64, D>) -> SVector<f64, D> {
        let mut u = self.axes * self.axes.tr_mul(scaled).component_div(&self.sizes);
        if self.friction > 0.0 {
            u[0] *= self.friction;
            return u;
        }
        normal_part(&u)
    }

    /// Largest step `α ≤ limit` for which `λ + α d` stays in the cone, `d` being scaled.
    pub(super) fn largest_step(&self, d: &SVector<f64, D>, limit: f64) -> f64 {
        // In units of λ the bound is that on the smallest eigenvalue of a turned d.
        let size = determinant(&self.lambda).sqrt();
        let unit = self.lambda / size;
        let turned = turn(&mirror(&unit), d) / size;
        let smallest = turned[0] - tangential_norm(&turned);
        if smallest < -1.0 / limit { -1.0 / smallest } else { limit }
    }
}

/// `x = (μ r_N, r_T)`.
fn of_impulse<const D: usize>(friction: f64, r: &SVector<f64, D>) -> SVector<f64, D> {
    let mut x = *r;
    if friction > 0.0 {
        x[0] *= friction;
        return x;
    }
    normal_part(r)
}

/// `y = (ũ_N/μ, ũ_T)`.
fn of_velocity<const D: usize>(friction: f64, u: &SVector<f64, D>) -> SVector<f64, D> {
    let mut y = *u;
    if friction > 0.0 {
        y[0] /= friction;
        return y;
    }
    normal_part(u)
}

fn normal_part<const D: usize>(x: &SVector<f64, D>) -> SVector<f64, D> {
    let mut out = SVector::zeros();
    out[0] = x[0];
    out
}

/// `xᵀ J x = x₀² − ‖x₁‖²`.
fn determinant<const D: usize>(x: &SVector<f64, D>) -> f64 {
    let tangential = tangential_norm(x);
    // On the boundary but for round-off.
    (x[0] - tangential).max(f64::EPSILON * x[0].abs()) * (x[0] + tangential)
}

/// `J x`.
fn mirror<const D: usize>(x: &SVector<f64, D>) -> SVector<f64, D> {
    let mut out = -x;
    out[0] = x[0];
    out
}

/// `( w₀  w₁ᵀ ; w₁  1 + w₁w₁ᵀ/(1 + w₀) ) x` for `wᵀ J w = 1`.
fn turn<const D: usize>(w: &SVector<f64, D>, x: &SVector<f64, D>) -> SVector<f64, D> {
    let product = w.dot(x);
    let mut out = x + w * ((product - w[0] * x[0]) / (1.0 + w[0]) + x[0]);
    out[0] = product;
    out
}

/// Eigenvectors and eigenvalues of `Z`.
fn eigen<const D: usize>(weight: &SVector<f64, D>, eta: f64) -> (SMatrix<f64, D, D>, SVector<f64, D>) {
    let (mut axes, mut sizes) = (SMatrix::identity(), SVector::repeat(eta));
    let tangential = tangential_norm(weight);
    if tangential == 0.0 || D == 1 {
        return (axes, sizes);
    }
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let along = weight / tangential;
    for k in 1..D {
        (axes[(k, 0)], axes[(k, 1)]) = (half * along[k], -half * along[k]);
    }
    (axes[(0, 0)], axes[(0, 1)]) = (half, half);
    if D == 3 {
        (axes[(0, 2)], axes[(1, 2)], axes[(2, 2)]) = (0.0, -along[2], along[1]);
    }
    let ratio = weight[0] + tangential;
    (sizes[0], sizes[1]) = (eta * ratio, eta / ratio);
    (axes, sizes)
}

/// `λ ∘ d`.
pub(super) fn product<const D: usize>(a: &SVector<f64, D>, b: &SVector<f64, D>) -> SVector<f64, D> {
    let mut out = b * a[0] + a * b[0];
    out[0] = a.dot(b);
    out
}

/// The `x` with `λ ∘ x = d`.
pub(super) fn quotient<const D: usize>(lambda: &SVector<f64, D>, d: &SVector<f64, D>) -> SVector<f64, D> {
    let tangential = lambda.dot(d) - lambda[0] * d[0];
    let first = (lambda[0] * d[0] - tangential) / determinant(lambda);
    let mut out = (d - lambda * first) / lambda[0];
    out[0] = first;
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_sides_are_scaled_to_the_same_point(mu in 0.05_f64..2.0, a in -0.99..0.99_f64, b in -0.6..0.6_f64, c in -0.6..0.6_f64, size in 1e-6..1e3_f64) {
            let r = vector![1.0, mu * 0.7 * a, mu * 0.7 * b] * size;
            let u = vector![mu, 0.7 * b, 0.7 * c];
            let s = Scaling::new(mu, &r, &u);
            prop_assert!((s.impulses() * s.axes.transpose() * s.lambda - r).amax() < 1e-12 * size);
            prop_assert!((s.velocity(&s.lambda) - u).amax() < 1e-12);
            prop_assert!((s.axes.transpose() * s.axes - SMatrix::identity()).amax() < 1e-14);
            let d = vector![a, b, c];
            prop_assert!((product(&s.lambda, &quotient(&s.lambda, &d)) - d).amax() < 1e-9);
            // The step leads to the boundary.
            let change = vector![-1.0, a, c] * 3.0 * size;
            let scaled = s.axes * s.impulses().try_inverse().unwrap() * change;
            let step = s.largest_step(&scaled, 1.0);
            let end = r + change * step;
            prop_assert!(step == 1.0 || (mu * end[0] - tangential_norm(&end)).abs() < 1e-9 * size);
        }
    }

    #[test]
    fn without_friction_there_is_a_half_line() {
        let s = Scaling::new(0.0, &vector![4.0, 0.0, 0.0], &vector![1.0, 5.0, 6.0]);
        assert_eq!(s.lambda, vector![2.0, 0.0, 0.0]);
        assert_eq!(s.impulses(), SMatrix::from_diagonal(&vector![2.0, 0.0, 0.0]));
        assert_eq!(s.largest_step(&vector![-4.0, 0.0, 0.0], 1.0), 0.5);
    }
}
