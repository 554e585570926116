//! Semismooth Newton method on Alart's and Curnier's function, with line search.

mod point;
mod system;

pub(super) use point::project;
use point::{Memory, Point};
use system::{DenseSystem, System};

use super::problem::{check_length, check_tolerance};
use super::{FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem, FrictionStatus};

/// Contacts up to which the matrix is kept in full, in memory that is used again.
const FEW: usize = 16;
/// Residual below which a step that does not make it smaller is one of round-off.
const ROUND_OFF: f64 = 1e-12;

/// Settings of the Alart-Curnier method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlartCurnierConfig {
    /// Residual to be met (–), positive. Default: 1e-8.
    pub tolerance: f64,
    /// Newton steps, a factorisation each, after which it gives up. Default: 100.
    pub max_steps: usize,
}

impl Default for AlartCurnierConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_steps: 100 }
    }
}

/// Newton's method on `Φ(r) = 0`, contact by contact with `a = r − ρ u`:
///
/// ```text
///   Φ_N = r_N − max(0, a_N)        Φ_T = r_T − P( a_T onto the disc of radius μ max(0, a_N) )
/// ```
///
/// Each step solves with one of the linear problems that `Φ` is made of, open, sticking or sliding contacts, and is
/// halved until `‖Φ‖` falls below the largest of the last six. Quadratic near solutions whose impulses are unique; far from them it may stall, which is
/// told. The impulses to begin with should be those of the step before, or of some sweeps.
///
/// Reference: P. Alart, A. Curnier, *A mixed formulation for frictional contact problems prone to Newton like solution
/// methods*, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353–375.
///
/// Up to 16 contacts it allocates only for a problem larger than any before; of more the factorisation is sparse, and made
/// for each problem.
#[derive(Debug, Clone)]
pub struct AlartCurnier {
    config: AlartCurnierConfig,
    memory: Memory,
    dense: DenseSystem,
    /// The nearest impulses in the cones.
    inside: Vec<f64>,
}

impl AlartCurnier {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: AlartCurnierConfig) -> Result<Self, FrictionError> {
        check_tolerance(config.tolerance)?;
        Ok(Self { config, memory: Memory::default(), dense: DenseSystem::default(), inside: Vec::new() })
    }

    /// Another residual to be met, known to be positive.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.config.tolerance = tolerance;
    }

    /// Solves for the impulses `r`, which hold the first guess and then the best found, in their cones.
    ///
    /// # Errors
    /// `r` has another length, or the law is not Coulomb's.
    pub fn solve<const D: usize>(
        &mut self,
        problem: &FrictionProblem<'_, D>,
        r: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        if problem.law != FrictionLaw::Coulomb {
            return Err(FrictionError::Law { solver: "the Alart-Curnier method", law: "Coulomb's" });
        }
        check_length("r", r, problem.offset.len())?;
        let Self { config, memory, dense, inside } = self;
        let system = if problem.contacts() <= FEW { System::few(dense) } else { System::many(problem) };
        let mut point = Point::new(problem, system, memory, r);
        let residual = point.residual_inside(inside);
        r.copy_from_slice(inside);
        let mut outcome = FrictionOutcome { status: FrictionStatus::IterationLimit, iterations: 0, residual };
        while outcome.residual > config.tolerance && outcome.iterations < config.max_steps {
            outcome.iterations += 1;
            if !point.step() {
                outcome.status = FrictionStatus::Stalled;
                break;
            }
            let residual = point.residual_inside(inside);
            if residual < outcome.residual {
                outcome.residual = residual;
                r.copy_from_slice(inside);
            } else if outcome.residual < ROUND_OFF {
                outcome.status = FrictionStatus::Stalled;
                break;
            }
        }
        if outcome.residual <= config.tolerance {
            outcome.status = FrictionStatus::Solved;
        }
        Ok(outcome)
    }
}
