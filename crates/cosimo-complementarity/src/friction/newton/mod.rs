//! Semismooth Newton method on Alart's and Curnier's function, with line search.

mod dense;
mod point;

use dense::{Dense, DenseMemory, FEW};
pub(super) use point::project;
pub(super) use point::{Memory, Point};

use super::method::{Best, Pursuit, check, solve_by};
use super::{FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem};

/// Newton steps, a factorisation each or a few, after which it gives up.
pub(super) const STEPS: usize = 100;

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
    config: FrictionConfig,
    patience: usize,
    memory: Memory,
    dense: DenseMemory,
}

impl AlartCurnier {
    /// A solver with these settings; 100 Newton steps by default.
    ///
    /// # Errors
    /// A tolerance that is not positive.
    pub fn new(config: FrictionConfig) -> Result<Self, FrictionError> {
        let config = config.checked()?;
        let (memory, dense) = (Memory::default(), DenseMemory::default());
        Ok(Self { config, patience: usize::MAX, memory, dense })
    }

    /// Gives up after so many steps that do not make the least residual smaller by a third.
    #[must_use]
    pub fn with_patience(self, steps: usize) -> Self {
        Self { patience: steps, ..self }
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
        check(("the Alart-Curnier method", Some(FrictionLaw::Coulomb)), problem, r)?;
        let Self { config, patience, memory, dense } = self;
        let pursuit = Pursuit::new(config.limit(problem, STEPS), *patience);
        let mut point = Point::new(problem, memory, r);
        let residual = point.residual_inside();
        r.copy_from_slice(point.inside());
        let (best, settings) = (Best { residual, r }, (config.tolerance, pursuit));
        if problem.contacts() <= FEW {
            let mut system = Dense { memory: dense, delassus: problem.delassus };
            return solve_by((&mut point, &mut system), problem, settings, best);
        }
        solve_by((&mut point, problem.delassus.scaled().as_mut()), problem, settings, best)
    }
}
