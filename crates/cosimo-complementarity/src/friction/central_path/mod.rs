//! Along the central path, through its turning points, where interior points lose it.

mod path;
mod point;

use path::Path;

use super::problem::{check_length, check_tolerance};
use super::{FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus};

/// Starts, from each of which a path of its own leads on.
const STARTS: usize = 3;

/// Settings of [`CentralPath`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CentralPathConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Factorisations after which it gives up, along three paths at most. Default: 500.
    pub max_factorizations: usize,
}

impl Default for CentralPathConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_factorizations: 500 }
    }
}

/// The curve of solutions of
///
/// ```text
///   W r + q + μ (√(‖ũ_T‖² + ε²) − ε) N − ũ = t F₀        r ∘ ũ = t σ e        ε ∝ t
/// ```
///
/// from a point inside the cones at `t = 1`, where it is known, to the solution of Coulomb's law at `t = 0`, point after
/// point, each found to be near the curve before the next.
///
/// [`InteriorPoint`](super::InteriorPoint) aims at the same points, but Coulomb's law is not convex: its steps are cut at
/// the cones or leave the sliding velocity behind, products fall while what the equations miss does not, and from there no
/// direction leads anywhere. On the curve Newton's method goes on. Where the curve turns back, as it may where a pile gives
/// way, its arc length takes the place of `t`. Several times the factorisations of interior points; a start leads to the end
/// of its own curve, and there are several.
///
/// References: E. L. Allgower, K. Georg, *Introduction to Numerical Continuation Methods*, 2003, chapters 2 and 6; for the
/// scaled equations those of [`InteriorPoint`](super::InteriorPoint).
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, CentralPath, CentralPathConfig, FrictionProblem};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
/// let (offset, friction) = ([-1.0, 2.0, 0.0], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 3];
/// assert!(CentralPath::new(CentralPathConfig::default())?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0_f64).abs() < 1e-7 && (r[1] + 0.5_f64).abs() < 1e-7); // it slides
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CentralPath {
    config: CentralPathConfig,
}

impl CentralPath {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: CentralPathConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        Ok(Self { config })
    }

    /// Solves for the impulses `r`, which hold the first guess: it stays where it is a solution, and where nothing better is
    /// found. Iterations are factorisations.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "the central path", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        let residual = problem.residual(r);
        let mut outcome = FrictionOutcome { status: FrictionStatus::Stalled, iterations: 0, residual };
        for start in 0..STARTS {
            let is_solved = outcome.residual <= self.config.tolerance;
            if is_solved || outcome.iterations >= self.config.max_factorizations {
                break;
            }
            self.follow(Path::new(problem, start as u64), r, &mut outcome);
        }
        if outcome.residual <= self.config.tolerance {
            outcome.status = FrictionStatus::Solved;
        } else if outcome.iterations >= self.config.max_factorizations {
            outcome.status = FrictionStatus::IterationLimit;
        }
        Ok(outcome)
    }

    /// Goes along one path; keeps the best impulses that it meets.
    fn follow<const D: usize>(&self, mut path: Path<'_, D>, r: &mut [f64], outcome: &mut FrictionOutcome) {
        let left = self.config.max_factorizations - outcome.iterations;
        while outcome.residual > self.config.tolerance && path.factorizations() < left {
            let goes_on = path.advance();
            let residual = path.residual();
            if residual < outcome.residual {
                outcome.residual = residual;
                r.copy_from_slice(path.impulses());
            }
            if !goes_on {
                break;
            }
        }
        outcome.iterations += path.factorizations();
    }
}
