//! The contact problem of one iteration.

use cosimo_complementarity::friction::{
    BlockMatrix, FrictionConfig, FrictionError, FrictionLaw, FrictionOutcome, FrictionProblem,
    FrictionSolver, FrictionStatus, ProjectedGradient,
};
use cosimo_complementarity::{LcpProblem, LcpSolver, LcpStatus};
use nalgebra::DMatrix;

use crate::error::ImpactError;

/// Residual to be met by contacts with friction, and by cones solved by projected gradients.
const FRICTION_TOLERANCE: f64 = 1e-12;
const GRADIENT_TOLERANCE: f64 = 1e-9;
/// Residual up to which the best point of a solver is taken where it stops before that.
const ENOUGH: f64 = 1e-7;
const MAX_GRADIENTS: usize = 100_000;

/// The law between impulses and velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContactLaw {
    /// Complementarity of the normals, Coulomb's law for slips.
    Coulomb,
    /// Cone complementarity, solved by accelerated projected gradients.
    Cone,
}

/// Finds impulses `P` of the contacts that take part, `u = W P + q` and the law between `u` and `P`.
#[derive(Debug)]
pub(crate) struct ContactProblem {
    dimension: usize,
    law: ContactLaw,
    lcp: LcpSolver,
    friction: FrictionSolver,
    gradient: ProjectedGradient,
    /// Coefficients of friction of the contacts that take part.
    pub(crate) coefficients: Vec<f64>,
}

impl ContactProblem {
    pub(crate) fn new(dimension: usize, law: ContactLaw) -> Result<Self, ImpactError> {
        let config = FrictionConfig { tolerance: GRADIENT_TOLERANCE, max_iterations: Some(MAX_GRADIENTS) };
        let refused = |source| ImpactError::Friction { time: 0.0, source };
        Ok(Self {
            dimension,
            law,
            lcp: LcpSolver::default(),
            friction: FrictionSolver::new(FRICTION_TOLERANCE).map_err(refused)?,
            gradient: ProjectedGradient::new(config).map_err(refused)?,
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
        match (self.dimension, self.law) {
            (1, ContactLaw::Coulomb) => self.solve_normals(time, delassus, offset, impulses),
            (1, ContactLaw::Cone) => self.solve_cones::<1>(time, delassus, offset, impulses),
            (2, _) => self.solve_cones::<2>(time, delassus, offset, impulses),
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
        match self.law {
            ContactLaw::Coulomb => self.friction.solve(&problem, impulses),
            ContactLaw::Cone => self.gradient.solve(&problem.with_law(FrictionLaw::Associated), impulses),
        }
    }
}
