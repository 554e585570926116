//! Steps under trial.

use cosimo_dynamics::StepFormula;
use cosimo_subsystem::{Failure, LoadWeights, MacroStep, StepResponse};

use super::{FirstOrderSubsystem, failure};
use crate::{FirstOrderSystem, Point, SystemError};

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    /// Begins a step under these start loads, of which a part may be known to belong to momenta: a rule that begins anew remembers it.
    pub(super) fn begin_step(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<(), Failure> {
        self.motion.begin(step.time, step.time + step.size);
        self.start_loads.copy_from_slice(start_loads);
        self.finite_loads.copy_from_slice(start_loads);
        self.course.get_mut().set_loads(start_loads.iter().copied());
        self.begin_momenta(step.size, momenta);
        if self.description.rows() > 0 {
            self.try_free(step).map_err(failure)?;
            self.show_trial();
        }
        Ok(())
    }

    /// Momenta begin a step of this size (s); what is known of them is no part of the loads that are finite.
    fn begin_momenta(&mut self, size: f64, momenta: Option<&[f64]>) {
        if self.motion.rule.needs_acceleration() {
            match momenta {
                Some(part) => self.momenta.restart(part),
                None => self.momenta.clear(),
            }
        }
        for (load, part) in self.finite_loads.iter_mut().zip(momenta.unwrap_or_default()) {
            *load -= part;
        }
        self.momenta.begin(self.motion.rule.quadrature(size));
    }

    /// Loads at the stage for these impulses.
    pub(super) fn load_stage(&mut self, impulses: &[f64], h: f64) {
        let weight = self.motion.rule.formula(h).end.velocity;
        self.loads.iter_mut().zip(impulses).for_each(|(load, impulse)| *load = impulse / weight);
        self.momenta.take_off(self.momenta.end(), &mut self.loads);
        self.course.get_mut().set_loads(self.loads.iter().copied());
    }

    /// Solves the step without loads.
    pub(super) fn try_free(&mut self, step: MacroStep) -> Result<(), SystemError> {
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        let zero = std::mem::take(&mut self.scratch.zero);
        let tried = self.try_step(step, &zero, true);
        self.scratch.zero = zero;
        tried
    }

    /// Solves the step begun under these impulses; the end is in `motion.after` and `trial_outputs`, with the inverse mass where it is wanted.
    pub(super) fn try_step(
        &mut self,
        step: MacroStep,
        impulses: &[f64],
        with_matrices: bool,
    ) -> Result<(), SystemError> {
        self.load_stage(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let tools = (&mut self.lineariser, &mut self.newton);
        self.formula = self.motion.try_smooth(system, tools, step.size, course)?;
        self.note_weights();
        if with_matrices && self.wants_matrices {
            self.linearise(step)?;
        }
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        if system.can_save() && self.motion.holds_event(system, course)? {
            self.pass_events(step, impulses)?;
        }
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let after = &self.motion.after;
        let at = Point { time: after.time, states: &after.v, inputs: course.at(after.time) };
        system.outputs(at, &mut self.trial_outputs)?;
        crate::stage::check_finite("output", after.time, &self.trial_outputs)
    }

    /// The weights of loads and responses at the stage just solved, whether matrices are wanted or not.
    pub(super) fn note_weights(&mut self) {
        let StepFormula { end_load, start_load, .. } = self.formula;
        let weight = self.formula.stage_velocity();
        let weights = LoadWeights { end: end_load, start: start_load, position: weight, damping: weight };
        self.response.revision += u64::from(weights != self.response.weights);
        self.response.weights = weights;
    }

    /// `A` and `B` at the stage, `C` and `D` at the end of the step just tried, and what follows from them.
    pub(super) fn linearise(&mut self, step: MacroStep) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let time = step.time + self.formula.stage.time * step.size;
        let found = &mut self.sensitivity.found;
        let at = Point { time, states: self.motion.solver.states(), inputs: course.at(time) };
        self.lineariser.of_rates(system, at, found)?;
        let after = &self.motion.after;
        let at = Point { time: after.time, states: &after.v, inputs: course.at(after.time) };
        self.lineariser.of_outputs(system, at, found)?;
        self.sensitivity.solve(self.formula.stage_velocity())?;
        if self.description.rows() > 0 {
            let is_new =
                self.sensitivity.write_inverse_mass(&self.formula, self.response.inverse_mass.dense_mut());
            self.sensitivity.write_damped(self.response.damped_inverse_mass.dense_mut());
            self.response.revision += u64::from(is_new);
        }
        Ok(())
    }

    /// Passes the events of the step under trial, under the mean of the loads, and takes them back.
    pub(super) fn pass_events(&mut self, step: MacroStep, impulses: &[f64]) -> Result<(), SystemError> {
        self.load_mean(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        system.mark()?;
        self.motion.mark();
        let tools = (&mut self.lineariser, &mut self.newton);
        let taken = self.motion.take(system, tools, step.time + step.size, course);
        self.motion.go_back();
        system.go_back()?;
        taken.map(drop)
    }

    /// Loads that are constant over the step and have these impulses.
    pub(super) fn load_mean(&mut self, impulses: &[f64], h: f64) {
        let loads = impulses.iter().map(|impulse| impulse / h);
        self.course.get_mut().set_loads(loads);
    }

    /// The rows at the end of the step just tried.
    pub(super) fn show_trial(&mut self) {
        let StepResponse { positions, velocities, .. } = &mut self.response;
        self.map.write_rows(&self.trial_outputs, &self.rows.orientations, (positions, velocities));
    }
}
