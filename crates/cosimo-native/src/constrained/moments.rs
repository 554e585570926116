//! Impulses inside a step.

use cosimo_mechanics::ImpulseMoments;
use cosimo_smooth::dae::DaeError;

use super::columns::add_column;
use super::rows::ConstrainedRows;
use super::steps::Stepping;

impl<R: ConstrainedRows> Stepping<R> {
    /// Fills way and change of the velocity with what impulses inside the step do to its end, which these are the moments of:
    /// one direction for each kind of moment, where there is any, by the tangent of the step that is taken.
    pub(super) fn answer_moments(&mut self, moments: &ImpulseMoments) -> Result<(), DaeError> {
        let Self { solver, moment, displacement, change, .. } = self;
        let [velocity, position] = solver.trial_weights();
        displacement.fill(0.0);
        change.fill(0.0);
        if moment.answer(solver, &moments.position)? {
            add_column(moment.answer.position(), 1.0 / position, displacement);
        }
        if moment.answer(solver, &moments.position_damped)? {
            add_column(moment.damped(solver), 1.0 / velocity, displacement);
        }
        if moment.answer(solver, &moments.velocity)? {
            add_column(moment.answer.velocity(), 1.0 / velocity, change);
        }
        if moment.answer(solver, &moments.velocity_damped)? {
            add_column(moment.damped(solver), 1.0 / velocity, change);
        }
        Ok(())
    }
}
