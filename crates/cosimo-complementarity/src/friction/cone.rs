//! The Coulomb cone and its projections.

use nalgebra::SVector;

/// Projection of `x` onto the cone `{ r : ‖r_T‖ ≤ μ r_N }`, the first component normal: the nearest point of it in the
/// Euclidean norm.
///
/// ```
/// use cosimo_complementarity::friction::project_onto_cone;
/// use nalgebra::vector;
/// assert_eq!(project_onto_cone(0.5, &vector![2.0, 0.0, 1.0]), vector![2.0, 0.0, 1.0]);
/// assert_eq!(project_onto_cone(0.5, &vector![-2.0, 0.0, 1.0]), vector![0.0, 0.0, 0.0]);
/// ```
#[must_use]
#[inline]
pub fn project_onto_cone<const D: usize>(friction: f64, x: &SVector<f64, D>) -> SVector<f64, D> {
    let (normal, tangential) = (x[0], tangential_norm(x));
    // The sign is asked as well: without friction or tangential part nothing else tells −N from N.
    if normal >= 0.0 && tangential <= friction * normal {
        return *x;
    }
    if normal <= -friction * tangential {
        return SVector::zeros();
    }
    let projected = (normal + friction * tangential) / (1.0 + friction * friction);
    let mut out = *x * (friction * projected / tangential);
    out[0] = projected;
    out
}

/// `‖x_T‖`, of all components but the first.
#[inline]
pub(crate) fn tangential_norm<const D: usize>(x: &SVector<f64, D>) -> f64 {
    match D {
        1 => 0.0,
        2 => x[1].abs(),
        _ => x.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::vector;
    use proptest::prelude::*;

    proptest! {
        /// Moreau's decomposition: `x = P_K(x) + P_{K°}(x)` with orthogonal parts, the polar cone being that of `1/μ`.
        #[test]
        fn what_is_left_lies_in_the_polar_cone(mu in 0.05_f64..3.0, n in -2.0..2.0_f64, s in -2.0..2.0_f64, t in -2.0..2.0_f64) {
            let x = vector![n, s, t];
            let p = project_onto_cone(mu, &x);
            let rest = x - p;
            prop_assert!(tangential_norm(&p) <= mu * p[0] + 1e-12);
            prop_assert!(mu * tangential_norm(&rest) <= -rest[0] + 1e-12);
            prop_assert!(p.dot(&rest).abs() <= 1e-12);
        }
    }

    #[test]
    fn without_friction_the_cone_is_the_normal() {
        assert_eq!(project_onto_cone(0.0, &vector![1.5, 3.0]), vector![1.5, 0.0]);
        assert_eq!(project_onto_cone(0.0, &vector![-1.5, 3.0]), vector![0.0, 0.0]);
        assert_eq!(project_onto_cone(0.0, &vector![-1.5, 0.0]), vector![0.0, 0.0]);
        assert_eq!(project_onto_cone(0.0, &vector![1.5, 0.0, 0.0]), vector![1.5, 0.0, 0.0]);
        assert_eq!(project_onto_cone(0.0, &vector![-1e-14, 0.0, 0.0]), vector![0.0, 0.0, 0.0]);
    }
}
