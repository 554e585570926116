//! Trial steps, and the answer of the rows.

use super::{Stepper, write_sum};
use crate::rules::StepPlan;
use crate::{DynamicsError, MotionState};
use cosimo_mechanics::ImpulseMoments;

impl Stepper {
    /// The trial step without loads, by one back-substitution.
    pub(super) fn solve_free_step(&mut self) -> Result<(), DynamicsError> {
        let is_new = self.linear.prepare(&self.system, &self.plan.formula)?;
        let StepPlan { h, formula, .. } = &self.plan;
        self.explicit.place(&self.plan, &self.state);
        let start = (&self.state, *h, self.rule.constraint_level());
        self.linear.solve_free(&self.system, formula, start, &self.explicit, &mut self.trial.a);
        self.trial.time = self.state.time + h;
        self.free_end();
        if is_new || !self.rows.are_constant() || std::mem::take(&mut self.cold.is_stale) {
            self.answer();
        }
        self.observe_end();
        Ok(())
    }

    /// End of the trial step without loads from its acceleration.
    pub(super) fn free_end(&mut self) {
        let (end, MotionState { q, v, a, .. }) = (self.plan.formula.end, &mut self.trial);
        write_sum(&self.explicit.velocity, (end.velocity, a), v);
        write_sum(&self.explicit.end_q, (end.position, a), q);
    }

    /// The answer of the rows: loads act where the load-free motion has the rows at the stage, and
    /// are observed where it has them at the end.
    fn answer(&mut self) {
        let StepPlan { h, formula, .. } = &self.plan;
        let weight = formula.stage_position();
        write_sum(&self.explicit.stage_q, (weight, &self.trial.a), &mut self.cold.scratch);
        let t = self.state.time + formula.stage.time * h;
        self.rows.jacobian(t, &self.cold.scratch, &mut self.response.inverse_masses.jacobian);
        self.answer_motion();
        if !self.rows.are_constant() {
            self.response.observe_end_jacobian(&self.rows, &self.plan.formula, &self.trial);
        }
        self.response.fill_inverse_mass();
    }

    /// `J⁻¹ Zᵀ` and its damped companion.
    pub(super) fn answer_motion(&mut self) {
        let (system, linear, scratch) = (&self.system, &mut self.linear, &mut self.cold.scratch);
        self.response.fill_motion(|x| {
            system.project_load(x, scratch);
            linear.solve_load(x);
        });
        self.response.fill_damped_motion(system, |x| linear.solve_load(x));
        if self.cold.reports_moves {
            self.fill_move_mass();
        }
    }

    pub(super) fn observe_end(&mut self) {
        self.response.observe_end(&self.rows, &self.trial);
    }

    pub(super) fn observe_start(&mut self) {
        self.response.observe_start(&self.rows, &self.state);
        self.observe_own();
    }

    /// What the rows do by themselves, with the scratch space for a system that stands still.
    pub(super) fn observe_own(&mut self) {
        if self.rows.depend_on_time() {
            self.cold.scratch.fill(0.0);
            self.response.observe_own(&self.rows, &self.state, &self.cold.scratch);
        }
    }

    pub(super) fn apply_moments(&mut self, moments: ImpulseMoments<&[f64]>) {
        let (response, MotionState { q, v, .. }) = (&self.response, &mut self.trial);
        response.motion.apply(moments.velocity, (1.0, v), None);
        response.motion.apply(moments.position, (1.0, q), None);
        response.inverse_masses.damped_motion.apply(moments.velocity_damped, (1.0, v), None);
        response.inverse_masses.damped_motion.apply(moments.position_damped, (1.0, q), None);
    }
}
