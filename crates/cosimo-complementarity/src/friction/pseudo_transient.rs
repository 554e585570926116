//! Interior points in pseudo-time, past places where the central path turns back.

use super::interior_point::Run;
use super::problem::{check_length, check_tolerance};
use super::{
    FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus, GaussSeidel,
    GaussSeidelConfig,
};

/// Iterations without a residual smaller by this factor after which it gives up.
const PATIENCE: usize = 100;
const PROGRESS: f64 = 0.7;
/// Residual below which sweeps are tried from an iterate, how many, and iterations from one trial to the next.
const NEAR: f64 = 1e-3;
const SWEEPS: usize = 300;
const BETWEEN_TRIALS: usize = 3;

/// Settings of [`PseudoTransient`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoTransientConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Iterations, one factorisation each or a few, after which it gives up. Default: 250.
    pub max_iterations: usize,
}

impl Default for PseudoTransientConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 250 }
    }
}

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
/// use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, PseudoTransient, PseudoTransientConfig};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
/// let (offset, friction) = ([-1.0, 2.0, 0.0], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 3];
/// assert!(PseudoTransient::new(PseudoTransientConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-7 && (r[1] + 0.5_f64).abs() < 1e-7); // it slides
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PseudoTransient {
    config: PseudoTransientConfig,
    sweeps: GaussSeidel,
    trial: Vec<f64>,
}

impl PseudoTransient {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: PseudoTransientConfig) -> Result<Self, FrictionError> {
        let tolerance = config.tolerance;
        check_tolerance(tolerance)?;
        let sweeps = GaussSeidelConfig { tolerance, max_sweeps: SWEEPS, ..GaussSeidelConfig::default() };
        Ok(Self { config, sweeps: GaussSeidel::new(sweeps)?, trial: Vec::new() })
    }

    /// Solves for the impulses `r`, which hold the first guess: it stays where it is a solution, and where nothing better is
    /// found; else the method begins in the middle of the cones. Iterations are those of interior points.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "pseudo-transient continuation", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        let residual = problem.residual(r);
        let mut best = FrictionOutcome { status: FrictionStatus::IterationLimit, iterations: 0, residual };
        let mut system = problem.delassus.scaled();
        let mut run = Run::in_pseudo_time(problem);
        // Of what this method finds, the least.
        let (mut least, mut waited, mut next_trial) = (f64::INFINITY, 0, 0);
        while best.residual > self.config.tolerance && best.iterations < self.config.max_iterations {
            best.iterations += 1;
            let goes_on = run.step(system.as_mut());
            let mut found = problem.residual(run.impulses());
            self.trial.clear();
            self.trial.extend_from_slice(run.impulses());
            if found > self.config.tolerance && found < NEAR && best.iterations >= next_trial {
                next_trial = best.iterations + BETWEEN_TRIALS;
                found = self.sweeps.solve(problem, &mut self.trial)?.residual;
            }
            if found < best.residual {
                best.residual = found;
                r.copy_from_slice(&self.trial);
            }
            if found < PROGRESS * least {
                (least, waited) = (found, 0);
            } else {
                waited += 1;
            }
            if !goes_on || waited > PATIENCE {
                best.status = FrictionStatus::Stalled;
                break;
            }
        }
        if best.residual <= self.config.tolerance {
            best.status = FrictionStatus::Solved;
        }
        Ok(best)
    }
}
