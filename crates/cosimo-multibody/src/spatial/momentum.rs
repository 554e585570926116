//! Inertial moments of a body as the change of its angular momentum over a step.
//!
//! With `θ = h ω/2` in the middle of a step of size `h`, and the angular velocities `ω ± h ω̇/2` at its ends,
//!
//! ```text
//!   (exp(θ) J w₁ − exp(−θ) J w₀)/h = (1 + b [θ]×²) J ω̇ + (sin θ/θ) ω × J ω        b = (1 − cos θ)/θ²
//! ```

use cosimo_dynamics::rotation::{even_part, odd_part};
use nalgebra::{Matrix3, Vector3};

/// What that is more than `J ω̇ + ω × J ω`, of `[ω, ω̇]`.
pub(super) fn added(inertia: &Matrix3<f64>, h: f64, [spin, rate]: [Vector3<f64>; 2]) -> Vector3<f64> {
    let theta = spin * (0.5 * h);
    even_part(&theta, &(inertia * rate)).0 + spin.cross(&(inertia * spin)) * odd_part(&theta).0
}

/// Its derivatives by `ω̇` and by `ω`.
pub(super) fn tangents(inertia: &Matrix3<f64>, h: f64, [spin, rate]: [Vector3<f64>; 2]) -> [Matrix3<f64>; 2] {
    let theta = spin * (0.5 * h);
    let (less, slope) = odd_part(&theta);
    let by_theta = even_part(&theta, &(inertia * rate)).1 + spin.cross(&(inertia * spin)) * slope.transpose();
    // The even part is linear in the momentum.
    let columns = [0, 1, 2].map(|k| even_part(&theta, &inertia.column(k).into_owned()).0);
    let by_rate = Matrix3::from_columns(&columns);
    [by_rate, by_theta * (0.5 * h) + gyroscopic_gradient(inertia, &spin) * less]
}

/// `∂(ω × J ω)/∂ω = [ω]× J − [J ω]×`.
pub(super) fn gyroscopic_gradient(inertia: &Matrix3<f64>, spin: &Vector3<f64>) -> Matrix3<f64> {
    spin.cross_matrix() * inertia - (inertia * spin).cross_matrix()
}
