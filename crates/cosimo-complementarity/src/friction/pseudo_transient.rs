//! Interior points in pseudo-time, past places where the central path turns back.

use super::interior_point::Run;
use super::method::{Best, Method, Pursuit, Step, check, solve_by};
use super::thresholds::CLOSE;
use super::{
    FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, GaussSeidel,
    GaussSeidelConfig, ScaledSystem,
};

/// Iterations, one factorisation each or a few, after which it gives up, and those without progress.
const ITERATIONS: usize = 250;
const PATIENCE: usize = 100;
/// Sweeps that are tried from an iterate that is close, and iterations from one trial to the next.
const SWEEPS: usize = 304;
const BETWEEN_TRIALS: usize = 3;

/// Interior points whose steps are those of an implicit rule in pseudo-time wherever Newton's are cut short, and sweeps
/// from where they have led.
///
/// Somewhere in a packing that is nearly at rest the central path turns back: with a little less room in the cones a few
/// contacts have to move to other impulses, far from those at hand. There the residual has a small minimum that is no
/// solution. [`InteriorPoint`](super::InteriorPoint) and Newton's method, which want to make it smaller, stay there; sweeps
/// pass it, thousands later. A proximal term `ε (r⁺ − r)` makes the step one of
///
/// ```text
///   dr/dτ = −(W r + q + μ ‖ũ_T‖ N − ũ),    1/ε long,
/// ```
///
/// which leads past. It is raised until steps are long, and lowered after them; the products of impulse and velocity are
/// held as long as the equations are missed by much. Impulses from inside the cones have room on all sides, and some hundred
/// sweeps from there end where the same number from zero has only begun to crawl.
///
/// References: C. T. Kelley, D. E. Keyes, *Convergence analysis of pseudo-transient continuation*, SIAM J. Numer. Anal. 35
/// (1998); for the equations those of [`InteriorPoint`](super::InteriorPoint).
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionConfig, FrictionProblem, PseudoTransient};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
/// let (offset, friction) = ([-1.0, 2.0, 0.0], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 3];
/// assert!(PseudoTransient::new(FrictionConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-7 && (r[1] + 0.5_f64).abs() < 1e-7); // it slides
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PseudoTransient {
    config: FrictionConfig,
}

impl PseudoTransient {
    /// A solver with these settings; 250 iterations by default.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: FrictionConfig) -> Result<Self, FrictionError> {
        Ok(Self { config: config.checked()? })
    }

    /// Solves for the impulses `r`, which hold the first guess: it stays where it is a solution, and where nothing better is
    /// found; else the method begins in the middle of the cones.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        check(("pseudo-transient continuation", Some(FrictionLaw::Coulomb)), problem, r)?;
        let (tolerance, pursuit) = (self.config.tolerance, Self::pursuit(self.config, problem));
        let best = Best { residual: problem.residual(r), r };
        if best.residual <= tolerance {
            return Ok(pursuit.outcome(best.residual, tolerance));
        }
        let (mut run, mut system) = (Transient::new(problem, tolerance)?, problem.delassus.scaled());
        solve_by((&mut run, system.as_mut()), problem, (tolerance, pursuit), best)
    }

    pub(super) fn pursuit<const D: usize>(
        config: FrictionConfig,
        problem: &FrictionProblem<'_, D>,
    ) -> Pursuit {
        Pursuit::new(config.limit(problem, ITERATIONS), PATIENCE)
    }
}

/// The point at hand, and the sweeps that are tried from it.
pub(super) struct Transient<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    tolerance: f64,
    run: Run<'a, D>,
    sweeps: GaussSeidel,
    trial: Vec<f64>,
    iterations: usize,
    next_trial: usize,
}

impl<'a, const D: usize> Transient<'a, D> {
    pub(super) fn new(problem: &'a FrictionProblem<'a, D>, tolerance: f64) -> Result<Self, FrictionError> {
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..GaussSeidelConfig::default() };
        let (run, sweeps) = (Run::in_pseudo_time(problem), GaussSeidel::new(sweeps)?);
        Ok(Self { problem, tolerance, run, sweeps, trial: Vec::new(), iterations: 0, next_trial: 0 })
    }
}

impl<const D: usize> Method<D> for Transient<'_, D> {
    fn step(&mut self, system: &mut dyn ScaledSystem<D>) -> Result<Step, FrictionError> {
        let mut step = self.run.step(system)?;
        self.iterations += step.iterations;
        self.trial.clear();
        self.trial.extend_from_slice(self.run.impulses());
        let is_near = step.residual.is_some_and(|found| found > self.tolerance && found < CLOSE);
        if is_near && self.iterations >= self.next_trial {
            self.next_trial = self.iterations + BETWEEN_TRIALS;
            step.residual = Some(self.sweeps.solve(self.problem, &mut self.trial)?.residual);
        }
        Ok(step)
    }

    fn impulses(&self) -> &[f64] {
        &self.trial
    }
}
