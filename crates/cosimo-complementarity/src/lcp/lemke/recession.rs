//! Rays of problems that pivots have told nothing of.

use cosimo_linear::DenseLu;
use nalgebra::DMatrix;

use crate::LcpProblem;

/// What is added to the diagonal of a problem of order 1, in turn.
const COMPLIANCES: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];
/// Sets of active entries that are tried for each.
const MAX_SETS: usize = 50;
/// Entries of a ray below this share of its largest are not on it.
const SMALL: f64 = 1e-6;
/// Inverse iterations towards the kernel of the active entries.
const SHARPENINGS: usize = 8;

/// The direction in which the solutions of compliant problems go as the compliance vanishes:
///
/// ```text
///   0 ≤ z(ε) ⟂ (M + ε) z(ε) + q ≥ 0        y = lim ε z(ε)
/// ```
///
/// Of a positive semidefinite `M`, symmetric or not, `(M + ε, q)` always has a solution; where `(M, q)` has none the limit is
/// not zero, and a ray that proves it (Cottle, Pang, Stone, 1992, §3.1 and §5.6). The solutions are found by the sets of
/// their positive entries, each set being those with `z > w` of the one before. `M_aa y_a = 0` on the entries that are not
/// zero, which inverse iterations meet to the last digits.
///
/// Reference for the sets: M. Hintermüller, K. Ito, K. Kunisch, *The primal-dual active set strategy as a semismooth Newton
/// method*, SIAM J. Optim. 13 (2002) 865–888.
#[derive(Debug)]
pub(super) struct Recession<'a> {
    problem: LcpProblem<'a>,
    z: Vec<f64>,
    active: Vec<usize>,
    stage: usize,
}

impl<'a> Recession<'a> {
    /// Of a problem whose entries are of order 1.
    pub(super) fn new(problem: LcpProblem<'a>) -> Self {
        let n = problem.dimension();
        Self { problem, z: vec![0.0; n], active: (0..n).collect(), stage: 0 }
    }

    /// Solves the compliant problem; false where no set is right.
    fn solve(&mut self, compliance: f64) -> bool {
        for _ in 0..MAX_SETS {
            let Some(lu) = self.factorized(compliance, &self.active) else { return false };
            let mut z: Vec<f64> = self.active.iter().map(|i| -self.problem.offset()[*i]).collect();
            lu.solve(&mut z);
            self.z.fill(0.0);
            self.active.iter().zip(&z).for_each(|(i, z)| self.z[*i] = *z);
            let is_active = |i: &usize| {
                let is_free = self.active.binary_search(i).is_err();
                self.z[*i] > if is_free { self.problem.complement_at(*i, &self.z) } else { 0.0 }
            };
            let next: Vec<usize> = (0..self.z.len()).filter(is_active).collect();
            if next == self.active {
                return true;
            }
            self.active = next;
        }
        false
    }

    /// `M_aa + ε`, `None` where it is singular.
    fn factorized(&self, compliance: f64, active: &[usize]) -> Option<DenseLu> {
        let n = self.problem.dimension();
        let entry = |row: usize, column: usize| {
            let softened = if row == column { compliance } else { 0.0 };
            self.problem.matrix()[active[row] + active[column] * n] + softened
        };
        let mut lu = DenseLu::default();
        lu.factorize(&DMatrix::from_fn(active.len(), active.len(), entry)).ok()?;
        Some(lu)
    }

    /// The direction by its entries, those that vanish left out; `None` where one of them is negative.
    fn sharpened(&self, compliance: f64) -> Option<Vec<(usize, f64)>> {
        let mut ray: Vec<(usize, f64)> = self.z.iter().copied().enumerate().collect();
        loop {
            let largest = ray.iter().fold(0.0_f64, |largest, (_, y)| largest.max(*y));
            let count = ray.len();
            ray.retain(|(_, y)| y.abs() > SMALL * largest);
            if ray.is_empty() || ray.iter().any(|(_, y)| *y < 0.0) {
                return None;
            }
            if ray.len() == count {
                return Some(ray);
            }
            self.sharpen(compliance, &mut ray)?;
        }
    }

    /// Inverse iterations with the entries named, `None` where their matrix is singular.
    fn sharpen(&self, compliance: f64, ray: &mut [(usize, f64)]) -> Option<()> {
        let (active, mut y): (Vec<usize>, Vec<f64>) = ray.iter().copied().unzip();
        let lu = self.factorized(compliance, &active)?;
        for _ in 0..SHARPENINGS {
            lu.solve(&mut y);
            let largest = y.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
            y.iter_mut().for_each(|y| *y /= largest);
        }
        ray.iter_mut().zip(y).for_each(|(entry, y)| entry.1 = y);
        Some(())
    }
}

impl Iterator for Recession<'_> {
    /// The entries that are not zero; none of a problem for which no set of them is right.
    type Item = Vec<(usize, f64)>;

    fn next(&mut self) -> Option<Self::Item> {
        let compliance = *COMPLIANCES.get(self.stage)?;
        self.stage += 1;
        let ray = if self.solve(compliance) { self.sharpened(compliance) } else { None };
        Some(ray.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::refutation::{Proof, Refutation};
    use super::*;
    use nalgebra::DVector;

    /// `M = A Aᵀ` of low rank with `Mᵀ y = 0`, and `qᵀ y < 0`: of many unknowns, few of which are pressed together.
    #[test]
    fn rays_of_matrices_of_low_rank_are_found() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for (n, rank) in [(60, 12), (150, 40)] {
            let mut directions = DMatrix::from_fn(n, rank, |_, _| random());
            let y = DVector::from_fn(n, |i, _| if i < n / 6 { random().abs() } else { 0.0 });
            directions -= &y * (y.tr_mul(&directions) / y.norm_squared());
            let matrix = &directions * directions.transpose() / rank as f64;
            let offset = &directions * DVector::from_fn(rank, |_, _| random()) - &y / y.norm_squared();
            let problem = LcpProblem::new(matrix.as_slice(), offset.as_slice()).unwrap();
            let mut refutation = Refutation::with_capacity(n);
            let is_refuted =
                Recession::new(problem).any(|ray| refutation.judge(problem, ray.into_iter()) != Proof::None);
            assert!(is_refuted, "{n}");
        }
    }
}
