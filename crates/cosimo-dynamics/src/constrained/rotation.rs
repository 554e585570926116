//! Rotation vectors: the mean of a vector that turns and its inverse, with their derivatives.

use nalgebra::{Matrix3, Vector3};

/// Angle below which the coefficients come from their series.
const SMALL: f64 = 0.5;

/// `b(θ) = (1 − cos θ)/θ²`, `c(θ) = (θ − sin θ)/θ³`, and `b'/θ`, `c'/θ`, for the square of `θ`.
fn coefficients(square: f64) -> [f64; 4] {
    let angle = square.sqrt();
    if angle < SMALL {
        return series(square);
    }
    let (s, c) = angle.sin_cos();
    let (b, third) = ((1.0 - c) / square, (angle - s) / (square * angle));
    [b, third, (s / angle - 2.0 * b) / square, (b - 3.0 * third) / square]
}

/// The same by their power series in `θ²`: `b = Σ (−1)ᵏ θ²ᵏ/(2k+2)!`, `c = Σ (−1)ᵏ θ²ᵏ/(2k+3)!`.
fn series(square: f64) -> [f64; 4] {
    let mut sums = [0.0; 4];
    // Terms of b and c of the current order, and the power of θ² one order below.
    let (mut b, mut c, mut below) = (0.5, 1.0 / 6.0, 0.0);
    for k in 0..9_u32 {
        let order = f64::from(k);
        sums[0] += b * if k == 0 { 1.0 } else { below * square };
        sums[1] += c * if k == 0 { 1.0 } else { below * square };
        // d/dθ θ²ᵏ = 2k θ²ᵏ⁻¹, divided by θ.
        sums[2] += 2.0 * order * b * below;
        sums[3] += 2.0 * order * c * below;
        below = if k == 0 { 1.0 } else { below * square };
        b /= -(2.0 * order + 3.0) * (2.0 * order + 4.0);
        c /= -(2.0 * order + 4.0) * (2.0 * order + 5.0);
    }
    sums
}

/// Mean of the vector `x` while it turns by the rotation vector `θ` at a constant rate:
/// `T(θ) x = ∫₀¹ exp(s θ) x ds = x + b θ × x + c θ × (θ × x)`.
///
/// It is the way of a turning arm, `exp(θ) x − x = θ × T(θ) x`, and `T` is the left Jacobian of the rotation group.
#[must_use]
pub fn mean(theta: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let [b, c, ..] = coefficients(theta.norm_squared());
    let turned = theta.cross(x);
    x + turned * b + theta.cross(&turned) * c
}

/// `T(θ)` as a matrix.
#[must_use]
pub fn left_jacobian(theta: &Vector3<f64>) -> Matrix3<f64> {
    let [b, c, ..] = coefficients(theta.norm_squared());
    let cross = theta.cross_matrix();
    Matrix3::identity() + cross * b + cross * cross * c
}

/// `∂(T(θ) x)/∂θ`.
#[must_use]
pub fn mean_gradient(theta: &Vector3<f64>, x: &Vector3<f64>) -> Matrix3<f64> {
    let [b, c, db, dc] = coefficients(theta.norm_squared());
    let turned = theta.cross(x);
    let twice = theta.cross(&turned);
    twice_gradient(theta, x) * c - x.cross_matrix() * b + (turned * db + twice * dc) * theta.transpose()
}

/// `κ(θ) = (1 − (θ/2) cot(θ/2))/θ²` and `κ'/θ`, for the square of `θ`.
fn inverse_coefficients(square: f64) -> [f64; 2] {
    if square < SMALL * SMALL {
        // Bernoulli numbers over factorials: |B₂ₖ|/(2k)!.
        const SERIES: [f64; 7] = [
            1.0 / 12.0,
            1.0 / 720.0,
            1.0 / 30_240.0,
            1.0 / 1_209_600.0,
            1.0 / 47_900_160.0,
            691.0 / 1_307_674_368_000.0,
            1.0 / 74_724_249_600.0,
        ];
        let horner = |[sum, slope]: [f64; 2], c| [sum * square + c, slope * square + sum];
        let [kappa, by_square] = SERIES.iter().rev().fold([0.0; 2], horner);
        return [kappa, 2.0 * by_square];
    }
    let angle = square.sqrt();
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let cotangent = cosine / sine;
    let kappa = (1.0 - 0.5 * angle * cotangent) / square;
    [kappa, ((0.5 * angle / (sine * sine) - cotangent) / (2.0 * angle) - 2.0 * kappa) / square]
}

/// `T(θ)⁻¹ = 1 − ½ [θ]× + κ [θ]×²`, `κ = (1 − (θ/2) cot(θ/2))/θ²`, for angles below a full turn. Its transpose is
/// `T(−θ)⁻¹`.
#[must_use]
pub fn inverse_left_jacobian(theta: &Vector3<f64>) -> Matrix3<f64> {
    let [kappa, _] = inverse_coefficients(theta.norm_squared());
    let cross = theta.cross_matrix();
    Matrix3::identity() - cross * 0.5 + cross * cross * kappa
}

/// `∂(T(θ)⁻¹ x)/∂θ`, for angles below a full turn.
#[must_use]
pub fn inverse_gradient(theta: &Vector3<f64>, x: &Vector3<f64>) -> Matrix3<f64> {
    let [kappa, slope] = inverse_coefficients(theta.norm_squared());
    let twice = theta.cross(&theta.cross(x));
    twice_gradient(theta, x) * kappa + x.cross_matrix() * 0.5 + twice * theta.transpose() * slope
}

/// `∂(θ × (θ × x))/∂θ`.
fn twice_gradient(theta: &Vector3<f64>, x: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(theta.dot(x)) + theta * x.transpose() - x * theta.transpose() * 2.0
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    fn vectors() -> Vec<Vector3<f64>> {
        let direction = Vector3::new(0.3, -0.5, 0.8).normalize();
        [0.0, 1e-9, 1e-3, 0.4999, 0.5001, 2.0, 3.1].map(|angle| direction * angle).to_vec()
    }

    #[test]
    fn way_of_an_arm_is_the_rotation_of_its_mean() {
        let arm = Vector3::new(1.0, 2.0, -0.7);
        for theta in vectors() {
            let displacement = UnitQuaternion::from_scaled_axis(theta) * arm - arm;
            assert!((displacement - theta.cross(&mean(&theta, &arm))).norm() < 4e-15, "{theta}");
            assert!((left_jacobian(&theta) * arm - mean(&theta, &arm)).norm() < 4e-15, "{theta}");
        }
    }

    #[test]
    fn gradients_are_those_of_central_differences() {
        let arm = Vector3::new(1.0, 2.0, -0.7);
        for theta in vectors() {
            differs_little(&theta, &mean_gradient(&theta, &arm), |theta| mean(theta, &arm));
            let inverse = |theta: &Vector3<f64>| inverse_left_jacobian(theta) * arm;
            differs_little(&theta, &inverse_gradient(&theta, &arm), inverse);
        }
    }

    fn differs_little(at: &Vector3<f64>, stated: &Matrix3<f64>, f: impl Fn(&Vector3<f64>) -> Vector3<f64>) {
        for j in 0..3 {
            let step = Vector3::ith(j, 1e-5);
            let found = (f(&(at + step)) - f(&(at - step))) / 2e-5;
            assert!((found - stated.column(j)).norm() < 2e-9, "{at}: {found} {}", stated.column(j));
        }
    }

    #[test]
    fn inverse_undoes_the_mean() {
        for theta in vectors() {
            let product = inverse_left_jacobian(&theta) * left_jacobian(&theta);
            assert!((product - Matrix3::identity()).amax() < 4e-15, "{theta}: {product}");
        }
    }

    #[test]
    fn series_meets_the_closed_form() {
        let square = 0.25;
        let (angle, (s, c)) = (0.5_f64, 0.5_f64.sin_cos());
        let (b, third) = ((1.0 - c) / square, (angle - s) / (square * angle));
        let closed = [b, third, (s / angle - 2.0 * b) / square, (b - 3.0 * third) / square];
        for (a, b) in series(square).iter().zip(closed) {
            assert!((a - b).abs() < 1e-13, "{a:e} {b:e}");
        }
        let below = inverse_coefficients(square * (1.0 - 1e-15));
        for (a, b) in below.iter().zip(inverse_coefficients(square)) {
            assert!((a - b).abs() < 1e-14, "{a:e} {b:e}");
        }
    }
}
