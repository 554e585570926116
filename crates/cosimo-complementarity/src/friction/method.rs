//! What the iterative solvers have in common: settings, limits, the best point, and how they end.

use cosimo_linear::FactorizationError;

use super::problem::check_length;
use super::thresholds::{PROGRESS, ROUND_OFF};
use super::{
    FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus, Scaled, ScaledSystem,
};

/// Settings of the solvers of friction-contact problems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Iterations after which the solver gives up. Default: those of the solver.
    pub max_iterations: Option<usize>,
}

impl Default for FrictionConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: None }
    }
}

impl FrictionConfig {
    /// The same settings, checked.
    pub(super) fn checked(self) -> Result<Self, FrictionError> {
        if self.tolerance > 0.0 {
            return Ok(self);
        }
        let rule = "positive";
        Err(FrictionError::Setting { setting: "tolerance", found: self.tolerance, rule })
    }

    /// Iterations for a problem, where the solver takes `own` by itself.
    pub(super) fn limit<const D: usize>(&self, problem: &FrictionProblem<'_, D>, own: usize) -> usize {
        problem.budget.limit(self.max_iterations.unwrap_or(own))
    }
}

/// Refuses impulses of another length, and a law that the solver is not made for.
pub(super) fn check<const D: usize>(
    (solver, law): (&'static str, Option<FrictionLaw>),
    problem: &FrictionProblem<'_, D>,
    r: &[f64],
) -> Result<(), FrictionError> {
    match law {
        Some(FrictionLaw::Coulomb) if problem.law != FrictionLaw::Coulomb => {
            Err(FrictionError::Law { solver, law: "Coulomb's" })
        }
        Some(FrictionLaw::Associated) if problem.law != FrictionLaw::Associated => {
            Err(FrictionError::Law { solver, law: "the associated" })
        }
        _ => check_length("r", r, problem.offset.len()),
    }
}

/// What an iteration has done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Iterations that it counts for.
    pub(super) iterations: usize,
    /// Residual of the point at hand, where it is another.
    pub(super) residual: Option<f64>,
    /// False where the method cannot go on.
    pub(super) goes_on: bool,
}

/// A method that goes from point to point, by solutions of linear systems if it needs them.
pub(super) trait Method<const D: usize> {
    /// Goes on to the next point.
    fn step(&mut self, system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError>;

    /// The impulses at hand.
    fn impulses(&self) -> &[f64];
}

/// Stands for the system of methods that solve none.
pub(super) struct NoSystem;

impl<const D: usize> ScaledSystem<D> for NoSystem {
    fn factorize(&mut self, _scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        Err(FactorizationError::Singular { column: 0 })
    }

    fn solve(&mut self, _x: &mut [f64]) {}
}

/// The best impulses so far, whoever has found them.
#[derive(Debug)]
pub(super) struct Best<'r> {
    pub(super) residual: f64,
    pub(super) r: &'r mut [f64],
}

impl Best<'_> {
    /// Takes impulses that are better; whether they are.
    pub(super) fn offer(&mut self, residual: f64, r: &[f64]) -> bool {
        let is_better = residual < self.residual;
        if is_better {
            self.residual = residual;
            self.r.copy_from_slice(r);
        }
        is_better
    }
}

/// How far a method has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pursuit {
    pub(super) iterations: usize,
    limit: usize,
    /// Iterations without progress after which it gives up.
    patience: usize,
    /// The least residual of its own, that of the last progress, and iterations since.
    pub(super) least: f64,
    milestone: f64,
    pub(super) waited: usize,
    /// How it has ended.
    pub(super) ended: Option<FrictionStatus>,
}

impl Pursuit {
    pub(super) fn new(limit: usize, patience: usize) -> Self {
        let (least, milestone) = (f64::INFINITY, f64::INFINITY);
        Self { iterations: 0, limit, patience, least, milestone, waited: 0, ended: None }
    }

    /// Goes on until the tolerance is met, the method ends, or a `share` of iterations is done.
    pub(super) fn go<const D: usize>(
        &mut self,
        (method, system): (&mut dyn Method<D>, &mut dyn ScaledSystem<D>),
        (problem, tolerance, share): (&FrictionProblem<'_, D>, f64, usize),
        best: &mut Best<'_>,
    ) -> Result<(), FrictionError> {
        let until = self.iterations.saturating_add(share);
        while best.residual > tolerance && self.ended.is_none() && self.iterations < until {
            if problem.budget.is_over() {
                self.ended = Some(FrictionStatus::Interrupted);
            } else if self.iterations >= self.limit {
                self.ended = Some(FrictionStatus::IterationLimit);
            } else {
                let step = method.step(system)?;
                self.judge(step);
                if let Some(residual) = step.residual {
                    best.offer(residual, method.impulses());
                }
            }
        }
        Ok(())
    }

    /// Whether the method goes on after a step.
    fn judge(&mut self, step: Step) {
        self.iterations += step.iterations;
        let residual = step.residual.unwrap_or(self.least);
        let is_last = self.least < ROUND_OFF && residual >= self.least && step.residual.is_some();
        self.least = self.least.min(residual);
        if residual < PROGRESS * self.milestone {
            (self.milestone, self.waited) = (residual, 0);
        } else {
            self.waited += 1;
        }
        if is_last || !step.goes_on || self.waited > self.patience {
            self.ended = Some(FrictionStatus::Stalled);
        }
    }

    /// Whether nothing is left of the bounds of a problem.
    pub(super) fn is_over<const D: usize>(&self, problem: &FrictionProblem<'_, D>) -> bool {
        self.ended == Some(FrictionStatus::Interrupted) || self.iterations >= problem.budget.limit(usize::MAX)
    }

    /// How the solve has ended.
    pub(super) fn outcome(&self, residual: f64, tolerance: f64) -> FrictionOutcome {
        let is_solved = residual <= tolerance;
        let ended = self.ended.unwrap_or(FrictionStatus::IterationLimit);
        let status = if is_solved { FrictionStatus::Solved } else { ended };
        FrictionOutcome { status, iterations: self.iterations, residual }
    }
}

/// Solves by one method alone, from a point whose residual is known.
pub(super) fn solve_by<const D: usize>(
    method: (&mut dyn Method<D>, &mut dyn ScaledSystem<D>),
    problem: &FrictionProblem<'_, D>,
    (tolerance, mut pursuit): (f64, Pursuit),
    mut best: Best<'_>,
) -> Result<FrictionOutcome, FrictionError> {
    pursuit.go(method, (problem, tolerance, usize::MAX), &mut best)?;
    Ok(pursuit.outcome(best.residual, tolerance))
}
