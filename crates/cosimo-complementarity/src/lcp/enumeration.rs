//! All complementary bases, one after the other: what is left for a few unknowns where nothing else has found a solution.

use super::lemke::BasicSolver;
use crate::LcpProblem;

/// Unknowns up to which the bases, `2ⁿ` of them, are few enough: some ten milliseconds.
const MAX_UNKNOWNS: usize = 12;

/// Looks at every set of unknowns that may be positive, `M_aa z_a = −q_a`, each solved to the last digits.
///
/// Lemke's method follows one path of such bases and may end on a ray although there is a solution, where the matrix is
/// neither copositive-plus nor a P-matrix. A set whose `M_aa` is singular is passed over, so that finding nothing proves
/// nothing.
#[derive(Debug, Clone)]
pub(super) struct Enumeration {
    bases: BasicSolver,
    trial: Vec<f64>,
}

impl Default for Enumeration {
    fn default() -> Self {
        Self { bases: BasicSolver::with_capacity(0), trial: Vec::new() }
    }
}

impl Enumeration {
    /// Overwrites `z` by the best point of all bases if its residual is less than `residual`, which it then is; the first
    /// within the tolerance is taken. Gives the residual of `z` and the number of bases looked at.
    pub(super) fn improve(
        &mut self,
        problem: LcpProblem<'_>,
        tolerance: f64,
        z: &mut [f64],
        mut residual: f64,
    ) -> (f64, usize) {
        let n = problem.dimension();
        if n > MAX_UNKNOWNS || !self.bases.prepare(problem) {
            return (residual, 0);
        }
        self.trial.clear();
        self.trial.resize(n, 0.0);
        for set in 1..1_usize << n {
            let members = (0..n).filter(move |index| set >> index & 1 == 1);
            if !self.bases.solve(members, &mut self.trial) {
                continue;
            }
            let found = problem.residual_of(&self.trial);
            if found < residual {
                residual = found;
                z.copy_from_slice(&self.trial);
            }
            if residual <= tolerance {
                return (residual, set);
            }
        }
        (residual, (1 << n) - 1)
    }
}
