//! The choice of a solver, with others to fall back to.

use super::gauss_seidel::solve_single;
use super::method::{Best, check};
use super::newton::Memory as NewtonMemory;
use super::round_robin::{RoundRobin, first_sweeps};
use super::{
    FrictionConfig, FrictionError, FrictionLaw, FrictionMethod, FrictionOutcome, FrictionProblem,
    FrictionStatus, GaussSeidel, GaussSeidelConfig, InteriorPoint, Patches, ProjectedGradient, ProximalPoint,
};

/// Solves friction-contact problems without asking how.
///
/// For Coulomb's law accelerated sweeps come first, and go on as long as their contraction promises a solution in the time
/// of some factorisations. Then the methods take turns, each as it is by name and from the first guess, with shares of about
/// the same time: [`Patches`] where sweeps have come close, [`PseudoTransient`](super::PseudoTransient), sweeps,
/// [`ProximalPoint`] and [`InteriorPoint`]. A method that makes no progress is passed over for a number of turns, but for
/// proximal points, whose residual says little of how near they are. Where contacts of light and of heavy bodies meet, interior
/// points and Newton's method come first. What one of these methods solves by name is so solved in a small multiple of its
/// time. Last, proximal points go on from the best point found.
///
/// For the associated law there is [`InteriorPoint`], and [`ProjectedGradient`] for the last digits. Impulses to begin with are
/// used throughout; those of the time step before save most of the work.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, FrictionSolver};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<2>::from_dense(&DMatrix::identity(2, 2))?;
/// let (offset, friction) = ([-1.0, 0.2], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 2];
/// assert!(FrictionSolver::new(1e-10)?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-9 && (r[1] + 0.2_f64).abs() < 1e-9); // it sticks
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FrictionSolver {
    config: FrictionConfig,
    sweeps: GaussSeidel,
    patches: Patches,
    newton: NewtonMemory,
    gradient: ProjectedGradient,
    method: FrictionMethod,
    guess: Vec<f64>,
}

impl FrictionSolver {
    /// A solver with this [`residual`](FrictionProblem::residual) to be met.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(tolerance: f64) -> Result<Self, FrictionError> {
        let config = FrictionConfig { tolerance, ..FrictionConfig::default() };
        Ok(Self {
            config,
            sweeps: GaussSeidel::new(GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() })?,
            patches: Patches::new(config)?,
            newton: NewtonMemory::default(),
            gradient: ProjectedGradient::new(config)?,
            method: FrictionMethod::Guess,
            guess: Vec::new(),
        })
    }

    /// The method that found the impulses of the last solve.
    #[must_use]
    pub fn method(&self) -> FrictionMethod {
        self.method
    }

    /// Solves for the impulses `r`, which hold the first guess (0 for none), then the best found.
    ///
    /// # Errors
    /// `r` has another length.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.speed_unit() != 1.0 {
            return self.solve_scaled(problem, r);
        }
        check(("the automatic choice", None), problem, r)?;
        if problem.law == FrictionLaw::Associated {
            return self.solve_associated(problem, r);
        }
        if problem.contacts() == 1 {
            // Solved by the first sweep.
            self.method = FrictionMethod::GaussSeidel;
            let outcome = solve_single(problem, r, self.config.tolerance)?;
            if outcome.is_solved() {
                return Ok(outcome);
            }
        }
        self.solve_coulomb(problem, r)
    }

    fn solve_coulomb<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        let Self { config, sweeps, patches, newton, method, guess, .. } = self;
        *method = FrictionMethod::Guess;
        sweeps.begin(problem, r)?;
        let mut best = Best { residual: sweeps.residual(problem), r };
        let before = best.residual;
        guess.clear();
        guess.extend_from_slice(best.r);
        let swept = first_sweeps(sweeps, (problem, config.tolerance), &mut best)?;
        if best.residual < before {
            *method = FrictionMethod::GaussSeidel;
        }
        if best.residual <= config.tolerance || swept.is_over(problem) {
            return Ok(swept.outcome(best.residual, config.tolerance));
        }
        let mut turns =
            RoundRobin::new((problem, *config), (sweeps, swept), (patches, newton, &best), guess)?;
        turns.run(&mut best, method)?;
        let outcome = turns.outcome(best.residual);
        drop(turns);
        if outcome.is_solved() || outcome.status == FrictionStatus::Interrupted {
            return Ok(outcome);
        }
        self.solve_at_last(problem, best, outcome)
    }

    /// Proximal points from the best point found.
    fn solve_at_last<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        mut best: Best<'_>,
        outcome: FrictionOutcome,
    ) -> Result<FrictionOutcome, FrictionError> {
        if outcome.iterations >= problem.budget.limit(usize::MAX) {
            return Ok(outcome);
        }
        self.guess.copy_from_slice(best.r);
        let found = ProximalPoint::new(self.config)?.solve(problem, &mut self.guess)?;
        if best.offer(found.residual, &self.guess) {
            self.method = FrictionMethod::ProximalPoint;
        }
        let iterations = outcome.iterations + found.iterations;
        Ok(FrictionOutcome { status: found.status, iterations, residual: best.residual })
    }

    /// Interior points, and gradients from where they end short of the tolerance.
    fn solve_associated<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        let before = problem.residual(r);
        let inside = InteriorPoint::new(self.config)?.solve(problem, r)?;
        let is_better = inside.residual < before;
        self.method = if is_better { FrictionMethod::InteriorPoint } else { FrictionMethod::Guess };
        if inside.is_solved() || inside.status == FrictionStatus::Interrupted {
            return Ok(inside);
        }
        let outcome = self.gradient.solve(problem, r)?;
        if outcome.residual < inside.residual {
            self.method = FrictionMethod::ProjectedGradient;
        }
        Ok(FrictionOutcome { iterations: inside.iterations + outcome.iterations, ..outcome })
    }

    /// Solves a problem with velocities of extreme size in other units, in which they are of order 1.
    fn solve_scaled<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        let unit = problem.speed_unit();
        let offset: Vec<f64> = problem.offset.iter().map(|q| unit * q).collect();
        r.iter_mut().for_each(|r| *r *= unit);
        let outcome = self.solve(&problem.with_offset(&offset), r);
        r.iter_mut().for_each(|r| *r /= unit);
        let mut outcome = outcome?;
        if r.iter().any(|r| !r.is_finite()) {
            // Larger than numbers are in the units of the data.
            r.fill(0.0);
        }
        let residual = problem.residual(r);
        // Impulses that are no normal numbers lose digits on the way back.
        if outcome.is_solved() && residual > self.config.tolerance {
            outcome.status = FrictionStatus::Stalled;
        }
        outcome.residual = residual;
        Ok(outcome)
    }
}
