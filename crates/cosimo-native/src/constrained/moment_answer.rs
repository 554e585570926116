//! The answer of a step to impulses inside it.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_smooth::dae::{DaeError, DaeSolver, StepAnswer};
use nalgebra::DMatrix;

use super::loaded::LoadedSystem;
use super::rows::ConstrainedRows;

/// What the end of the trial step does under impulses along one direction of the rows.
#[derive(Debug)]
pub(super) struct MomentAnswer {
    /// Generalised force, and `J⁻¹ C` times the answer, `n × 1`.
    pub(super) force: DMatrix<f64>,
    damped: DMatrix<f64>,
    pub(super) answer: StepAnswer,
}

impl MomentAnswer {
    pub(super) fn new(system: &LoadedSystem<impl ConstrainedRows>) -> Self {
        let n = system.structure().velocities();
        Self { force: DMatrix::zeros(n, 1), damped: DMatrix::zeros(n, 1), answer: StepAnswer::new(system, 1) }
    }

    /// Finds the answer to these weights of the rows, unless they are zero, which it says.
    pub(super) fn answer(
        &mut self,
        solver: &mut DaeSolver<LoadedSystem<impl ConstrainedRows>>,
        weights: &[f64],
    ) -> Result<bool, DaeError> {
        if weights.iter().all(|x| *x == 0.0) {
            return Ok(false);
        }
        self.force.fill(0.0);
        let (system, q) = (solver.system(), solver.trial_stage().q);
        system.rows().add_forces(system.directions(q), 1.0, weights, self.force.as_mut_slice());
        solver.derive_trial(&self.force, &mut self.answer)?;
        Ok(true)
    }

    /// What the damping takes back of it in a second.
    pub(super) fn damped(
        &mut self,
        solver: &mut DaeSolver<LoadedSystem<impl ConstrainedRows>>,
    ) -> &DMatrix<f64> {
        solver.damp_trial(self.answer.velocity(), &mut self.damped);
        &self.damped
    }
}
