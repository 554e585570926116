//! Two unknowns: the cases written down, for the contact pair that a time step meets most often.

use crate::LcpProblem;
use crate::lcp::arithmetic::exact_product;

/// Writes a solution for `n = 2` if one of the cases settles it; `false` leaves the problem to the pivots.
///
/// ```text
///   one:   zᵢ = −qᵢ / Mᵢᵢ,                        wⱼ = qⱼ + Mⱼᵢ zᵢ ≥ 0 up to its own round-off
///   both:  z = (M₁₂ q₂ − M₂₂ q₁, M₂₁ q₁ − M₁₁ q₂) / (M₁₁ M₂₂ − M₁₂ M₂₁) ≥ 0
/// ```
///
/// A case is taken only if it is a solution, so that ties, as between two copies of one contact, are no matter. The
/// differences of products are right to a few units in the last place even where they cancel, as they do for nearly
/// parallel contacts. Where they do not come out, as for singular matrices, no case is taken.
pub(super) fn solve_pair(problem: LcpProblem<'_>, z: &mut [f64]) -> bool {
    let ([m11, m21, m12, m22], [q1, q2]) = (problem.matrix(), problem.offset()) else { return false };
    let solution = if let Some(z1) = solve_one(*m11, *q1, *m21, *q2) {
        [z1, 0.0]
    } else if let Some(z2) = solve_one(*m22, *q2, *m12, *q1) {
        [0.0, z2]
    } else {
        let determinant = difference_of_products(*m11, *m22, *m12, *m21);
        [
            difference_of_products(*m12, *q2, *m22, *q1) / determinant,
            difference_of_products(*m21, *q1, *m11, *q2) / determinant,
        ]
    };
    let is_admissible = solution.iter().all(|z| *z >= 0.0 && z.is_finite());
    if is_admissible {
        z.copy_from_slice(&solution);
    }
    is_admissible
}

/// `zᵢ` if the other unknown may be 0.
#[inline]
fn solve_one(diagonal: f64, offset: f64, coupling: f64, other_offset: f64) -> Option<f64> {
    const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
    if diagonal <= 0.0 || offset >= 0.0 {
        return None;
    }
    let z = -offset / diagonal;
    let change = coupling * z;
    (other_offset + change >= -ROUND_OFF * change.abs()).then_some(z)
}

/// `a b − c d`, right to a few units in the last place.
#[inline]
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let ((ab, ab_error), (cd, cd_error)) = (exact_product(a, b), exact_product(c, d));
    (ab - cd) + (ab_error - cd_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(matrix: [f64; 4], offset: [f64; 2]) -> Option<[f64; 2]> {
        let mut z = [f64::NAN; 2];
        solve_pair(LcpProblem::new(&matrix, &offset).unwrap(), &mut z).then_some(z)
    }

    #[test]
    fn each_case_is_found() {
        assert_eq!(solved([2.0, 1.0, 1.0, 2.0], [-2.0, 3.0]), Some([1.0, 0.0]));
        assert_eq!(solved([2.0, 1.0, 1.0, 2.0], [3.0, -2.0]), Some([0.0, 1.0]));
        assert_eq!(solved([2.0, 1.0, 1.0, 2.0], [-3.0, -3.0]), Some([1.0, 1.0]));
    }

    #[test]
    fn ties_are_found() {
        assert_eq!(solved([2.0, 1.0, 1.0, 2.0], [-2.0, -1.0]), Some([1.0, 0.0]));
        // 0.1 · (0.3 / 0.1) is not 0.3.
        assert_eq!(solved([0.1; 4], [-0.3; 2]), Some([0.3 / 0.1, 0.0]));
    }

    #[test]
    fn nearly_parallel_contacts_share_the_impulse() {
        for gap in [1.0e-3, 1.0e-8, 1.0e-12] {
            let coupling = 1.0 - gap;
            let [z1, z2] = solved([1.0, coupling, coupling, 1.0], [-1.0; 2]).unwrap();
            let expected = 1.0 / (1.0 + coupling);
            assert!((z1 - expected).abs() < 4.0 * f64::EPSILON && z1 == z2, "{gap}: {z1} {z2}");
        }
    }

    #[test]
    fn unsolvable_pairs_are_left_alone() {
        assert_eq!(solved([0.0, 0.0, 0.0, 1.0], [-1.0, -1.0]), None);
        assert_eq!(solved([1.0, -1.0, -1.0, 1.0], [-1.0, -1.0]), None);
        assert_eq!(solved([-1.0, 0.0, 0.0, -1.0], [-1.0, -1.0]), None);
        assert_eq!(solved([1.0e300, 0.9e300, 0.9e300, 1.0e300], [-1.0, -1.0]), None);
    }
}
