//! The contact problem of one iteration.

use cosimo_complementarity::{LcpProblem, LcpSolver, LcpStatus};
use cosimo_nonsmooth::{LawProblem, OneStepError};
use nalgebra::DMatrix;

use crate::error::ImpactError;
use crate::step_problem::StepProblem;

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

/// Finds impulses `P` of the contacts that take part, `u = W P + q` and the law between `u` and `P`: complementarity of the normals, and
/// where there are slips the whole law of the contacts.
#[derive(Debug)]
pub(crate) struct ContactProblem {
    lcp: LcpSolver,
    laws: LawProblem,
}

impl ContactProblem {
    pub(crate) fn new(accuracy: ContactAccuracy) -> Self {
        let ContactAccuracy { tolerance, max_iterations } = accuracy;
        Self { lcp: LcpSolver::default(), laws: LawProblem::new(tolerance, max_iterations) }
    }

    /// Begins the iterations of a step with these contacts.
    pub(crate) fn begin(&mut self, p: &StepProblem<'_>, contacts: &[usize]) {
        self.laws.begin(p.laws(contacts), p.contacts.layout().dimension() - 1);
    }

    /// Solves for `impulses` of these contacts, those of the last [`begin`](Self::begin), with `W` and `q`.
    pub(crate) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        contacts: &[usize],
        (delassus, offset): (&DMatrix<f64>, &[f64]),
        impulses: &mut [f64],
    ) -> Result<(), ImpactError> {
        let (time, d) = (p.start.time, p.contacts.layout().dimension());
        if d == 1 {
            return self.solve_normals(time, delassus, offset, impulses);
        }
        let before = |row: usize| p.start_rates[contacts[row / d] * d + row % d];
        self.laws.solve((delassus, offset), before, impulses).map_err(|source| match source {
            OneStepError::FrictionNotSolved { contacts, residual, is_newton: false, .. } if contacts > 1 => {
                ImpactError::Contacts { time, contacts, residual }
            }
            OneStepError::NotSolved { contacts, residual, .. } => {
                ImpactError::Contacts { time, contacts, residual }
            }
            OneStepError::NotFinite { contact } => {
                ImpactError::Law { time, source: OneStepError::NotFinite { contact: contacts[contact] } }
            }
            source => ImpactError::Law { time, source },
        })
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
}

/// Lets a contact that opens, and that loads alone do not bring back, be reversed at most, `U₁ ≥ −U₀`: impulses of others that met a contact
/// at rest there would do work on it, `½ (U₀ + U₁) P > 0`, without bounds where masses differ. Of its normal row in the law, `free`.
pub(crate) fn reverse(free: &mut f64, opening: f64) {
    if *free > 0.0 {
        *free += opening;
    }
}
