//! Projected Gauss-Seidel sweeps, with over-relaxation.

use crate::{LcpError, LcpOutcome, LcpProblem, LcpStatus};

/// Sweeps from one look at the residual, which costs as much as a sweep, to the next.
const CHECK: usize = 8;

/// Settings of [`ProjectedGaussSeidel`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedGaussSeidelConfig {
    /// Largest [`LcpProblem::residual`] of a solution; positive and finite. Default: 1e-8.
    pub tolerance: f64,
    /// Sweeps after which it gives up. Default: 10 000.
    pub max_sweeps: usize,
    /// Relaxation `ω` (–), in (0, 2): 1 is Gauss-Seidel, more is over-relaxation (SOR). Default: 1.
    pub relaxation: f64,
}

impl Default for ProjectedGaussSeidelConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_sweeps: 10_000, relaxation: 1.0 }
    }
}

/// Sweeps over the unknowns, each solved for with the others as they are and cut off at zero:
///
/// ```text
///   zᵢ ← max(0, zᵢ − ω wᵢ / Mᵢᵢ),    w = M z + q
/// ```
///
/// Converges for symmetric positive definite `M`, and for semidefinite `M` with a positive diagonal if there is a
/// solution; slowly where unknowns are coupled strongly. A sweep is of order `n²`.
///
/// Reference: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §5.2.
///
/// ```
/// use cosimo_complementarity::{LcpProblem, ProjectedGaussSeidel, ProjectedGaussSeidelConfig};
/// let problem = LcpProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-3.0, -3.0])?;
/// let mut z = [0.0; 2];
/// let outcome = ProjectedGaussSeidel::new(ProjectedGaussSeidelConfig::default())?.solve(problem, &mut z)?;
/// assert!(outcome.is_solved());
/// assert!(z.iter().all(|z| (z - 1.0_f64).abs() < 1e-7));
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ProjectedGaussSeidel {
    config: ProjectedGaussSeidelConfig,
    best: Vec<f64>,
}

impl ProjectedGaussSeidel {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive and finite, or a relaxation outside (0, 2).
    pub fn new(config: ProjectedGaussSeidelConfig) -> Result<Self, LcpError> {
        if !(config.tolerance > 0.0 && config.tolerance.is_finite()) {
            return Err(LcpError::Tolerance { found: config.tolerance });
        }
        if !(config.relaxation > 0.0 && config.relaxation < 2.0) {
            return Err(LcpError::Relaxation { found: config.relaxation });
        }
        Ok(Self::with(config))
    }

    /// A solver with settings that keep the rules.
    pub(super) fn with(config: ProjectedGaussSeidelConfig) -> Self {
        Self { config, best: Vec::new() }
    }

    /// Solves `problem`; `z` holds the first guess, of which entries that are negative or not finite count as 0, and
    /// then the best point found.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `z` is not `n`.
    pub fn solve(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        problem.check_length("z", z)?;
        clip(z);
        let n = problem.dimension();
        let mut outcome =
            LcpOutcome { status: LcpStatus::Solved, iterations: 0, residual: problem.residual_of(z) };
        if outcome.residual <= self.config.tolerance {
            return Ok(outcome);
        }
        outcome.status = LcpStatus::Stalled;
        if problem.matrix().iter().step_by(n + 1).any(|entry| *entry <= 0.0) {
            return Ok(outcome);
        }
        self.best.clear();
        self.best.extend_from_slice(z);
        outcome.status = LcpStatus::IterationLimit;
        let most = problem.budget.limit(self.config.max_sweeps);
        for sweep in 1..=most {
            self.sweep(problem, z);
            if !sweep.is_multiple_of(CHECK) && sweep != most {
                continue;
            }
            outcome.iterations = sweep;
            if problem.budget.is_over() {
                outcome.status = LcpStatus::Interrupted;
            }
            let residual = problem.residual_of(z);
            if residual < outcome.residual {
                outcome.residual = residual;
                self.best.copy_from_slice(z);
            }
            if residual <= self.config.tolerance || !residual.is_finite() {
                let is_solved = residual <= self.config.tolerance;
                outcome.status = if is_solved { LcpStatus::Solved } else { LcpStatus::Stalled };
                break;
            }
            if outcome.status == LcpStatus::Interrupted {
                break;
            }
        }
        z.copy_from_slice(&self.best);
        Ok(outcome)
    }

    fn sweep(&self, problem: LcpProblem<'_>, z: &mut [f64]) {
        let n = problem.dimension();
        for row in 0..n {
            let w = problem.complement_at(row, z);
            z[row] = (z[row] - self.config.relaxation * w / problem.matrix()[row * (n + 1)]).max(0.0);
        }
    }
}

/// Replaces entries that are negative or not finite by 0.
pub(super) fn clip(z: &mut [f64]) {
    z.iter_mut().filter(|z| !(**z >= 0.0 && z.is_finite())).for_each(|z| *z = 0.0);
}
