//! Basic solutions of a problem for sets that are given.

use super::basic_solution::BasicSolution;
use super::equilibration::Equilibration;
use crate::LcpProblem;

/// Solves `M_aa z_a = −q_a` of the scaled problem, and scales back.
#[derive(Debug, Clone)]
pub(crate) struct BasicSolver {
    equilibration: Equilibration,
    basic: BasicSolution,
}

impl BasicSolver {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            equilibration: Equilibration::with_capacity(capacity),
            basic: BasicSolution::with_capacity(capacity),
        }
    }

    /// Takes a problem; `false` if its entries overflow when they are scaled.
    pub(crate) fn prepare(&mut self, problem: LcpProblem<'_>) -> bool {
        self.equilibration.scale(problem)
    }

    /// Writes `z` with these entries positive, those that come out negative as 0; `false` if `M_aa` is singular.
    pub(crate) fn solve(&mut self, members: impl Iterator<Item = usize>, z: &mut [f64]) -> bool {
        let is_regular = self.basic.solve(self.equilibration.problem(), members);
        if is_regular {
            self.equilibration.restore(self.basic.nonzeros(), z);
        }
        is_regular
    }
}
