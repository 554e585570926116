//! The contact problem of one iteration.

use cosimo_complementarity::friction::{
    BlockMatrix, FrictionError, FrictionOutcome, FrictionProblem, FrictionSolver, FrictionStatus,
};
use cosimo_complementarity::{Budget, LcpProblem, LcpSolver, LcpStatus};
use nalgebra::DMatrix;

use crate::error::ImpactError;

/// Residual up to which the best point of a solver is taken where it stops before that.
const ENOUGH: f64 = 1e-7;

/// How accurately contacts with friction are solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactAccuracy {
    /// Residual to be met.
    pub(crate) tolerance: f64,
    /// Iterations, of all methods together; none for those of the methods.
    pub(crate) max_iterations: Option<usize>,
}

impl Default for ContactAccuracy {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: None }
    }
}

/// Finds impulses `P` of the contacts that take part, `u = W P + q` and the law between `u` and `P`: complementarity of the normals,
/// Coulomb's law for slips.
#[derive(Debug)]
pub(crate) struct ContactProblem {
    dimension: usize,
    lcp: LcpSolver,
    friction: FrictionSolver,
    budget: Budget<'static>,
    /// Coefficients of friction of the contacts that take part.
    pub(crate) coefficients: Vec<f64>,
}

impl ContactProblem {
    pub(crate) fn new(dimension: usize, accuracy: ContactAccuracy) -> Result<Self, ImpactError> {
        let ContactAccuracy { tolerance, max_iterations } = accuracy;
        let refused = |source| ImpactError::Friction { time: 0.0, source };
        Ok(Self {
            dimension,
            lcp: LcpSolver::default(),
            friction: FrictionSolver::new(tolerance).map_err(refused)?,
            budget: Budget { max_iterations, ..Budget::default() },
            coefficients: Vec::new(),
        })
    }

    /// Solves for `impulses`, which hold the first guess.
    pub(crate) fn solve(
        &mut self,
        time: f64,
        delassus: &DMatrix<f64>,
        offset: &[f64],
        impulses: &mut [f64],
    ) -> Result<(), ImpactError> {
        match self.dimension {
            1 => self.solve_normals(time, delassus, offset, impulses),
            2 => self.solve_cones::<2>(time, delassus, offset, impulses),
            _ => self.solve_cones::<3>(time, delassus, offset, impulses),
        }
    }

    /// Complementarity of normals alone.
    pub(crate) fn solve_normals(
        &mut self,
        time: f64,
        delassus: &DMatrix<f64>,
        offset: &[f64],
        impulses: &mut [f64],
    ) -> Result<(), ImpactError> {
        let refused = |source| ImpactError::Complementarity { time, source };
        let problem = LcpProblem::new(delassus.as_slice(), offset).map_err(refused)?;
        let outcome = self.lcp.solve(problem, impulses).map_err(refused)?;
        if matches!(outcome.status, LcpStatus::Solved | LcpStatus::Inaccurate) {
            return Ok(());
        }
        Err(ImpactError::Contacts { time, contacts: offset.len(), residual: outcome.residual })
    }

    fn solve_cones<const D: usize>(
        &mut self,
        time: f64,
        delassus: &DMatrix<f64>,
        offset: &[f64],
        impulses: &mut [f64],
    ) -> Result<(), ImpactError> {
        let outcome = self.try_cones::<D>(delassus, offset, impulses);
        let outcome = outcome.map_err(|source| ImpactError::Friction { time, source })?;
        if outcome.status == FrictionStatus::Solved || outcome.residual <= ENOUGH {
            return Ok(());
        }
        Err(ImpactError::Contacts { time, contacts: offset.len() / D, residual: outcome.residual })
    }

    fn try_cones<const D: usize>(
        &mut self,
        delassus: &DMatrix<f64>,
        offset: &[f64],
        impulses: &mut [f64],
    ) -> Result<FrictionOutcome, FrictionError> {
        let matrix = BlockMatrix::<D>::from_dense(delassus)?;
        let problem = FrictionProblem::new(&matrix, offset, &self.coefficients)?;
        self.friction.solve(&problem.within(self.budget), impulses)
    }
}
