//! The basic solution recomputed from the problem, free of the error the pivots have gathered.

use crate::LcpProblem;
use crate::lcp::arithmetic::CompensatedSum;

/// Refinements at most; each gains about as many digits as the factorization has.
const MAX_REFINEMENTS: usize = 4;

/// Solves `M_aa z_a = −q_a` for the set `a` of basic `zᵢ`.
///
/// A factorization with partial pivoting, then iterative refinement with the residual `q + M z` accumulated in twice
/// the working precision: `z` is right to the last digits as long as `M_aa` is not singular to working precision,
/// whatever its condition number.
///
/// References: N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM, 2002, chapter 12
/// (refinement); T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005) 1955–1988 (the accumulation, `Dot2`).
#[derive(Debug, Clone)]
pub(super) struct BasicSolution {
    /// `a`.
    active: Vec<usize>,
    /// `L` below the diagonal, `U` on and above it, column-major, with the rows in the order of `order`.
    factors: Vec<f64>,
    /// Row exchanged with row `k` at step `k`.
    exchanges: Vec<usize>,
    /// `z_a`.
    solution: Vec<f64>,
    /// Right-hand side, then correction.
    correction: Vec<f64>,
}

impl BasicSolution {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            active: Vec::with_capacity(capacity),
            factors: Vec::with_capacity(capacity * capacity),
            exchanges: Vec::with_capacity(capacity),
            solution: Vec::with_capacity(capacity),
            correction: Vec::with_capacity(capacity),
        }
    }

    /// Solves for the `active` indices; `false` if `M_aa` is singular or the solution is not finite.
    pub(super) fn solve(&mut self, problem: LcpProblem<'_>, active: impl Iterator<Item = usize>) -> bool {
        self.active.clear();
        self.active.extend(active);
        self.solution.clear();
        self.solution.resize(self.active.len(), 0.0);
        if !self.factor(problem) {
            return false;
        }
        let mut previous = f64::INFINITY;
        for _ in 0..=MAX_REFINEMENTS {
            self.write_residual(problem);
            self.solve_for_correction();
            let size = largest(&self.correction);
            // A NaN or a correction that does not shrink is of no use.
            if size.is_nan() || size >= previous {
                break;
            }
            self.solution.iter_mut().zip(&self.correction).for_each(|(z, correction)| *z += correction);
            if size <= 0.5 * f64::EPSILON * largest(&self.solution) {
                break;
            }
            previous = size;
        }
        self.solution.iter().all(|z| z.is_finite())
    }

    /// The indices of `a` with their values.
    pub(super) fn nonzeros(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.active.iter().copied().zip(self.solution.iter().copied())
    }

    /// Factors `M_aa`; `false` if a column has no pivot.
    fn factor(&mut self, problem: LcpProblem<'_>) -> bool {
        let (n, size) = (problem.dimension(), self.active.len());
        self.factors.clear();
        self.exchanges.clear();
        for column in &self.active {
            self.factors.extend(self.active.iter().map(|row| problem.matrix()[row + column * n]));
        }
        for step in 0..size {
            let pivot_row = self.largest_below(step);
            self.exchanges.push(pivot_row);
            (0..size).for_each(|column| self.factors.swap(step + column * size, pivot_row + column * size));
            let pivot = self.factors[step + step * size];
            if pivot == 0.0 {
                return false;
            }
            let (done, rest) = self.factors.split_at_mut((step + 1) * size);
            let multipliers = &mut done[step * size + step + 1..];
            multipliers.iter_mut().for_each(|entry| *entry /= pivot);
            for column in rest.chunks_exact_mut(size) {
                subtract_multiple(column[step], multipliers, &mut column[step + 1..]);
            }
        }
        true
    }

    /// Row, from `step` on, of the largest magnitude in column `step`.
    fn largest_below(&self, step: usize) -> usize {
        let size = self.active.len();
        let column = &self.factors[step * size..(step + 1) * size];
        (step + 1..size)
            .fold(step, |best, row| if column[row].abs() > column[best].abs() { row } else { best })
    }

    /// Writes `−(q + M z)` on the rows `a`, rounded once.
    fn write_residual(&mut self, problem: LcpProblem<'_>) {
        let n = problem.dimension();
        self.correction.clear();
        self.correction.extend(self.active.iter().map(|row| {
            let mut sum = CompensatedSum::new(problem.offset()[*row]);
            for (column, z) in self.active.iter().zip(&self.solution) {
                sum.add_product(problem.matrix()[row + column * n], *z);
            }
            -sum.value()
        }));
    }

    /// Solves `M_aa x = correction` in place.
    fn solve_for_correction(&mut self) {
        let size = self.active.len();
        for (step, other) in self.exchanges.iter().enumerate() {
            self.correction.swap(step, *other);
        }
        for step in 0..size {
            let (done, rest) = self.correction.split_at_mut(step + 1);
            subtract_multiple(done[step], &self.factors[step * size + step + 1..(step + 1) * size], rest);
        }
        for step in (0..size).rev() {
            let column = &self.factors[step * size..=step * size + step];
            let (rest, last) = self.correction.split_at_mut(step);
            last[0] /= column[step];
            subtract_multiple(last[0], &column[..step], rest);
        }
    }
}

/// `out −= factor · vector`.
fn subtract_multiple(factor: f64, vector: &[f64], out: &mut [f64]) {
    if factor != 0.0 {
        out.iter_mut().zip(vector).for_each(|(out, entry)| *out -= factor * entry);
    }
}

/// Largest magnitude; NaN if an entry is NaN.
fn largest(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0_f64, |norm, entry| if entry.abs() <= norm { norm } else { entry.abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ill_conditioned_system_is_solved_to_the_last_digit() {
        // Hilbert matrix of order 7 times 360360, integer and of condition number 5e8; z = 1.
        let n = 7;
        let matrix: Vec<f64> = (0..n * n).map(|k| 360_360.0 / (1 + k % n + k / n) as f64).collect();
        let offset: Vec<f64> = (0..n).map(|i| -(0..n).map(|j| matrix[i + j * n]).sum::<f64>()).collect();
        let mut basic = BasicSolution::with_capacity(n);
        assert!(basic.solve(LcpProblem::new(&matrix, &offset).unwrap(), 0..n));
        assert!(basic.solution.iter().all(|z| (z - 1.0).abs() <= f64::EPSILON), "{:?}", basic.solution);
    }

    #[test]
    fn rows_are_exchanged() {
        let problem = ([0.0, 2.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 8.0], [-4.0, -2.0, -8.0]);
        let mut basic = BasicSolution::with_capacity(3);
        assert!(basic.solve(LcpProblem::new(&problem.0, &problem.1).unwrap(), 0..3));
        assert_eq!(basic.solution, [1.0, 1.0, 1.0]);
    }

    #[test]
    fn singular_system_is_refused() {
        let mut basic = BasicSolution::with_capacity(2);
        assert!(!basic.solve(LcpProblem::new(&[1.0; 4], &[-1.0; 2]).unwrap(), 0..2));
        assert!(basic.solve(LcpProblem::new(&[1.0; 4], &[-1.0; 2]).unwrap(), 1..2));
        assert_eq!(basic.nonzeros().collect::<Vec<_>>(), [(1, 1.0)]);
    }
}
