//! Trial steps: linear systems by one back-substitution, others by Newton's iteration, and the answer of the rows.

use super::{Stepper, write_sum};
use crate::stage::StageProblem;
use crate::{ConstraintLevel, DynamicsError, ImpulseMoments, MotionState};

impl Stepper {
    pub(super) fn begin_linear(&mut self) -> Result<(), DynamicsError> {
        let Some(system) = self.system.as_linear() else { return Ok(()) };
        let is_new = self.linear.prepare(system, &self.stage)?;
        let start = (&self.state, self.h, self.rule.constraint_level());
        self.linear.solve_free(system, &self.stage, start, &self.prediction, &mut self.trial.a);
        self.trial.time = self.state.time + self.h;
        self.linear_free_end();
        if is_new || !self.rows.are_constant() {
            self.linear_response();
        }
        self.observe_end();
        Ok(())
    }

    /// End of a linear trial step without loads from its acceleration.
    pub(super) fn linear_free_end(&mut self) {
        let (s, MotionState { q, v, a, .. }) = (&self.stage, &mut self.trial);
        write_sum(&self.prediction.end_v, (s.end_velocity, a), v);
        write_sum(&self.prediction.end_q, (s.end_position, a), q);
    }

    /// The answer of a linear system's rows: loads act where the load-free motion has the rows at the stage, and
    /// are observed where it has them at the end.
    fn linear_response(&mut self) {
        write_sum(&self.prediction.stage_q, (self.stage.position, &self.trial.a), &mut self.cold.scratch);
        let t = self.state.time + self.stage.time_share * self.h;
        self.rows.jacobian(t, &self.cold.scratch, &mut self.response.inverse_masses.jacobian);
        self.linear_motion();
        if !self.rows.are_constant() {
            self.response.observe_end_jacobian(&self.rows, &self.stage, &self.trial);
        }
        self.response.fill_inverse_mass();
    }

    /// `J⁻¹ Zᵀ` of a linear system and its damped companion.
    pub(super) fn linear_motion(&mut self) {
        let Some(system) = self.system.as_linear() else { return };
        let (linear, scratch) = (&mut self.linear, &mut self.cold.scratch);
        self.response.fill_motion(|x| {
            system.project_load(x, scratch);
            linear.solve_load(x);
        });
        self.response.fill_damped_motion(system, |x| linear.solve_load(x));
    }

    /// Newton's iteration with the impulses that the trial step carries, then the rows' answer.
    pub(super) fn solve_nonlinear(&mut self) -> Result<(), DynamicsError> {
        let Some(nonlinear) = &mut self.nonlinear else { return Ok(()) };
        let problem = StageProblem {
            system: &*self.system,
            rows: &self.rows,
            stage: &self.stage,
            level: self.rule.constraint_level(),
            start: &self.state,
            prediction: &self.prediction,
            h: self.h,
            loads: &self.loads,
            newton: self.newton,
        };
        let solved = nonlinear.solve(&problem, &mut self.trial);
        if solved.is_err() {
            // What the trial step holds is not the solution for these impulses.
            self.loads.fill(f64::NAN);
        }
        let iterations = solved? as u64;
        self.newton_iterations += iterations;
        self.factorizations += iterations;
        self.nonlinear_response();
        self.observe_end();
        Ok(())
    }

    fn nonlinear_response(&mut self) {
        let Some(nonlinear) = &mut self.nonlinear else { return };
        let (r, scratch) = (&mut self.response, &mut self.cold.scratch);
        r.inverse_masses.jacobian.copy_from(nonlinear.row_jacobian());
        r.fill_motion(|x| nonlinear.solve_load(x));
        r.observe_end_jacobian(&self.rows, &self.stage, &self.trial);
        r.fill_inverse_mass();
        let is_projected =
            self.rule.constraint_level() == ConstraintLevel::Velocity && !nonlinear.multipliers.is_empty();
        if !is_projected || self.rows.are_constant() {
            return;
        }
        let weight = self.stage.position_weight();
        for k in 0..r.motion.count() {
            scratch.copy_from_slice(r.motion.column(k));
            nonlinear.project_direction(scratch);
            for (change, moved) in scratch.iter_mut().zip(r.motion.column(k)) {
                *change = weight * (*change - moved);
            }
            r.add_position_change(k, scratch);
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
        if let Some(nonlinear) = &mut self.nonlinear
            && self.rule.constraint_level() == ConstraintLevel::Velocity
            && !nonlinear.multipliers.is_empty()
        {
            nonlinear.project(&*self.system, &mut self.trial);
        }
    }
}
