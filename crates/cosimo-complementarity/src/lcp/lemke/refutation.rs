//! Whether a ray proves that there is no solution.
//!
//! Along a ray `y ≥ 0` with
//!
//! ```text
//!   Mᵀ y ≤ 0        qᵀ y < 0
//! ```
//!
//! every `z ≥ 0` has `yᵀ(M z + q) < 0`, and so a component of `M z + q` that is negative (Farkas). Lemke's rays are such for
//! copositive-plus matrices, but for round-off. That is measured by the solutions that it leaves: from `yᵀ(M z + q) ≥ 0`
//! follows `Σ zⱼ ≥ −qᵀy / max (Mᵀy)ⱼ`, and of a problem whose entries are of order 1 one as large is none.
//!
//! Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §2.7 and §4.4.

use super::arithmetic::CompensatedSum;
use crate::LcpProblem;

/// `Σ zⱼ` of a problem whose entries are of order 1 from which on `z` is no solution.
const BOUNDLESS: f64 = 1.0e13;
/// What `qᵀy` must be, in units of its terms: less is their round-off.
const CERTAIN: f64 = 1.0e-10;

/// Storage for a ray.
#[derive(Debug, Clone)]
pub(super) struct Refutation {
    ray: Vec<f64>,
}

impl Refutation {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { ray: Vec::with_capacity(capacity) }
    }

    /// Whether the ray, given by its entries that are not zero, refutes every solution of a problem of order 1.
    pub(super) fn holds(&mut self, problem: LcpProblem<'_>, ray: impl Iterator<Item = (usize, f64)>) -> bool {
        let n = problem.dimension();
        self.ray.clear();
        self.ray.resize(n, 0.0);
        ray.for_each(|(index, speed)| self.ray[index] = speed);
        let (mut gain, mut terms) = (CompensatedSum::new(0.0), 0.0);
        for (offset, speed) in problem.offset().iter().zip(&self.ray) {
            gain.add_product(-offset, *speed);
            terms += (offset * speed).abs();
        }
        let gain = gain.value();
        let allowed = gain / BOUNDLESS;
        gain > CERTAIN * terms && problem.matrix().chunks_exact(n).all(|column| self.along(column) <= allowed)
    }

    /// `(Mᵀy)ⱼ` of a column.
    fn along(&self, column: &[f64]) -> f64 {
        let mut sum = CompensatedSum::new(0.0);
        for (entry, speed) in column.iter().zip(&self.ray) {
            sum.add_product(*entry, *speed);
        }
        sum.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(matrix: &[f64], offset: &[f64], ray: &[f64]) -> bool {
        let problem = LcpProblem::new(matrix, offset).unwrap();
        Refutation::with_capacity(0).holds(problem, ray.iter().copied().enumerate())
    }

    #[test]
    fn only_rays_that_gain_and_meet_no_column_prove_anything() {
        // Bodies that are pressed together from both sides.
        let (matrix, offset) = ([1.0, -1.0, -1.0, 1.0], [-1.0, -1.0]);
        assert!(holds(&matrix, &offset, &[1.0, 1.0]));
        assert!(!holds(&matrix, &offset, &[1.0, 0.0]));
        assert!(!holds(&matrix, &[-1.0, 1.0], &[1.0, 1.0]));
        // A little compliance, and there is a large solution.
        assert!(!holds(&[1.0 + 1e-12, -1.0, -1.0, 1.0], &offset, &[1.0, 1.0]));
    }
}
