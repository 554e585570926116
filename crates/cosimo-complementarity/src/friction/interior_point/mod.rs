//! A primal-dual interior-point method for contacts that Gauss-Seidel does not settle.

mod run;

pub(super) use run::Run;

use super::problem::{check_length, check_tolerance};
use super::{FrictionError, FrictionOutcome, FrictionProblem, FrictionStatus};

/// Iterations without a residual smaller by this factor after which it gives up.
const PATIENCE: usize = 40;
const PROGRESS: f64 = 0.7;

/// Settings of the interior-point method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteriorPointConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Iterations, a factorisation each, after which it gives up. Default: 100.
    pub max_iterations: usize,
}

impl Default for InteriorPointConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 100 }
    }
}

/// Newton's method on the law with the products of impulse and velocity held away from zero, and let go:
///
/// ```text
///   ũ = W r + q + μ ‖ũ_T‖ N        r ∘ ũ = σ e        r ∈ int K,  ũ ∈ int K*
/// ```
///
/// (without `μ ‖ũ_T‖ N` for the associated law, which makes it a method for convex cone programmes). Predictor and
/// corrector share one factorisation; the sliding velocity is differentiated with the rest. It takes 15 to 40
/// iterations whatever the number of contacts, and is not troubled by more contacts than the bodies need to be held.
///
/// References: L. Vandenberghe, *The CVXOPT linear and quadratic cone program solvers*, 2010 (the convex method);
/// V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, *Second-order cone programming for frictional contact mechanics
/// using interior point algorithm*, Optimization Methods and Software, 2024 (the nonsmooth term in it).
#[derive(Debug, Clone, Copy)]
pub struct InteriorPoint {
    config: InteriorPointConfig,
}

impl InteriorPoint {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: InteriorPointConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        Ok(Self { config })
    }

    /// Another residual to be met, known to be positive.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.config.tolerance = tolerance;
    }

    /// Solves for the impulses `r`, which hold the first guess: it stays where it is a solution, and where nothing
    /// better is found; else the method begins in the middle of the cones.
    ///
    /// # Errors
    /// `r` has another length.
    pub fn solve<const D: usize>(
        &self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        check_length("r", r, problem.offset.len())?;
        let residual = problem.residual(r);
        let mut outcome = FrictionOutcome { status: FrictionStatus::Solved, iterations: 0, residual };
        if residual <= self.config.tolerance {
            return Ok(outcome);
        }
        let mut system = problem.delassus.scaled();
        let mut run = Run::new(problem);
        outcome.status = FrictionStatus::IterationLimit;
        let mut waited = 0;
        while outcome.iterations < self.config.max_iterations {
            outcome.iterations += 1;
            let goes_on = run.step(system.as_mut());
            let residual = problem.residual(run.impulses());
            waited = if residual < PROGRESS * outcome.residual { 0 } else { waited + 1 };
            if residual < outcome.residual {
                outcome.residual = residual;
                r.copy_from_slice(run.impulses());
            }
            if outcome.residual <= self.config.tolerance {
                outcome.status = FrictionStatus::Solved;
                break;
            }
            if !goes_on || waited > PATIENCE {
                outcome.status = FrictionStatus::Stalled;
                break;
            }
        }
        Ok(outcome)
    }
}
