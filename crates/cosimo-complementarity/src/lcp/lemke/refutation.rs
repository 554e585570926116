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
//! follows `Σ zⱼ ≥ −qᵀy / max (Mᵀy)ⱼ`, and of a problem whose entries are of order 1 one as large is none, unless it is found.
//!
//! Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §2.7 and §4.4.

use crate::LcpProblem;
use crate::lcp::arithmetic::CompensatedSum;

/// `Σ zⱼ` of a problem whose entries are of order 1 from which on `z` is looked for with the finest pivots only.
const BOUNDLESS: f64 = 1.0e13;
/// What `qᵀy` must be, in units of its terms: less is their round-off.
const CERTAIN: f64 = 1.0e-10;

/// Entries of a ray below this share of its largest may be what pivots have left of zeros.
const LEFT_OVER: f64 = 1.0e-12;

/// What a ray proves, from nothing to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Proof {
    #[default]
    None,
    /// That solutions are without bounds, as far as numbers go.
    UpToRounding,
    /// That the problem has no solution.
    Exact,
}

/// Storage for a ray.
#[derive(Debug, Clone)]
pub(super) struct Refutation {
    ray: Vec<f64>,
}

impl Refutation {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { ray: Vec::with_capacity(capacity) }
    }

    /// What the ray, given by its entries that are not zero, proves for a problem of order 1, as it stands or without what
    /// pivots have left of zeros.
    pub(super) fn judge(
        &mut self,
        problem: LcpProblem<'_>,
        ray: impl Iterator<Item = (usize, f64)>,
    ) -> Proof {
        let n = problem.dimension();
        self.ray.clear();
        self.ray.resize(n, 0.0);
        ray.for_each(|(index, speed)| self.ray[index] = speed);
        let as_it_stands = self.proof(problem);
        if as_it_stands != Proof::None {
            return as_it_stands;
        }
        let least = LEFT_OVER * self.ray.iter().fold(0.0_f64, |largest, speed| largest.max(*speed));
        self.ray.iter_mut().filter(|speed| **speed < least).for_each(|speed| *speed = 0.0);
        self.proof(problem)
    }

    /// The ray that was judged last.
    pub(super) fn ray(&self) -> &[f64] {
        &self.ray
    }

    fn proof(&self, problem: LcpProblem<'_>) -> Proof {
        let (mut gain, mut terms) = (CompensatedSum::new(0.0), 0.0);
        for (offset, speed) in problem.offset().iter().zip(&self.ray) {
            gain.add_product(-offset, *speed);
            terms += (offset * speed).abs();
        }
        let gain = gain.value();
        if gain <= CERTAIN * terms {
            return Proof::None;
        }
        let columns = || problem.matrix().chunks_exact(problem.dimension());
        let is_within = |allowed: f64| columns().all(|column| self.along(column) <= allowed);
        if is_within(0.0) {
            Proof::Exact
        } else if is_within(gain / BOUNDLESS) {
            Proof::UpToRounding
        } else {
            Proof::None
        }
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

    fn proof(matrix: &[f64], offset: &[f64], ray: &[f64]) -> Proof {
        let problem = LcpProblem::new(matrix, offset).unwrap();
        Refutation::with_capacity(0).judge(problem, ray.iter().copied().enumerate())
    }

    #[test]
    fn only_rays_that_gain_and_meet_no_column_prove_anything() {
        // Bodies that are pressed together from both sides.
        let (matrix, offset) = ([1.0, -1.0, -1.0, 1.0], [-1.0, -1.0]);
        assert_eq!(proof(&matrix, &offset, &[1.0, 1.0]), Proof::Exact);
        assert_eq!(proof(&matrix, &offset, &[1.0, 1.0 + f64::EPSILON]), Proof::UpToRounding);
        assert_eq!(proof(&matrix, &offset, &[1.0, 0.0]), Proof::None);
        assert_eq!(proof(&matrix, &[-1.0, 1.0], &[1.0, 1.0]), Proof::None);
        // A little compliance, and there is a large solution.
        for (power, expected) in [(-52, Proof::UpToRounding), (-48, Proof::UpToRounding), (-40, Proof::None)]
        {
            let stiff = 1.0 + 2.0_f64.powi(power);
            assert_eq!(proof(&[stiff, -1.0, -1.0, stiff], &offset, &[1.0, 1.0]), expected);
        }
    }
}
