//! Steps and jumps that are taken.

use cosimo_mechanics::ImpulseMoments;
use cosimo_subsystem::{Failure, Kind, MacroStep, StepLoads};

use super::{FirstOrderSubsystem, failure};
use crate::{FirstOrderSystem, Point, SystemError};

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    /// Takes the step begun under these impulses.
    pub(super) fn take_step(&mut self, step: MacroStep, loads: &StepLoads) -> Result<(), SystemError> {
        let impulses = &loads.impulses;
        self.course.get_mut().set_loads(self.start_loads.iter().copied());
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        if !self.map.load_ports.is_empty() {
            self.find_start_loads(step)?;
        }
        self.load_stage(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let tools = (&mut self.lineariser, &mut self.newton);
        self.formula = self.motion.try_smooth(system, tools, step.size, course)?;
        let mut passes_events = false;
        if self.motion.holds_event(system, course)? {
            self.load_mean(impulses, step.size);
            passes_events = true;
            let (system, course) = (self.system.get_mut(), self.course.get_mut());
            let tools = (&mut self.lineariser, &mut self.newton);
            self.motion.take(system, tools, step.time + step.size, course)?;
        } else if self.motion.accept(system, course)? {
            self.motion.take_event(system, course)?;
        }
        let means = impulses.iter().map(|impulse| impulse / step.size);
        let ends = self.loads.iter().zip(means).map(|(end, mean)| if passes_events { mean } else { *end });
        self.present_loads.iter_mut().zip(ends).for_each(|(present, end)| *present = end);
        self.inside_work = 0.0;
        if loads.has_moments { self.take_moments(&loads.moments) } else { self.show() }
    }

    /// Impulses inside the step just taken act; the energy that they put in is what the system tells, else impulses times mean rates.
    pub(super) fn take_moments(&mut self, moments: &ImpulseMoments) -> Result<(), SystemError> {
        self.show()?;
        let (energy, rates) = (self.energy().total(), self.rows.velocities.clone());
        self.sensitivity.add_moments(self.formula.stage_velocity(), moments, &mut self.motion.state.v);
        self.motion.restart();
        self.show()?;
        let means = rates.iter().zip(&self.rows.velocities).map(|(before, after)| 0.5 * (before + after));
        let passed = means.zip(&moments.velocity).map(|(rate, impulse)| rate * impulse).sum();
        let is_told = self.map.energy.iter().any(Option::is_some);
        self.inside_work = if is_told { self.energy().total() - energy } else { passed };
        Ok(())
    }

    /// What a step takes back where it fails.
    pub(super) fn guarded<T>(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<T, SystemError>,
    ) -> Result<T, SystemError> {
        let can_save = self.system.get_mut().can_save();
        if can_save {
            self.system.get_mut().mark()?;
        }
        let mut saved = std::mem::take(&mut self.scratch.saved);
        saved.clear();
        self.motion.save(&mut saved);
        let taken = take(self);
        if taken.is_err() {
            self.motion.restore(&saved);
            if can_save {
                self.system.get_mut().go_back()?;
            }
        }
        self.scratch.saved = saved;
        taken
    }

    /// Outputs and rows of the present communication point.
    pub(super) fn show(&mut self) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        course.set_loads(self.present_loads.iter().copied());
        let time = self.motion.state.time;
        let at = Point { time, states: &self.motion.state.v, inputs: course.at(time) };
        system.outputs(at, &mut self.outputs)?;
        self.map.write_state(&self.outputs, &mut self.rows);
        Ok(())
    }

    /// States have changed between steps.
    pub(super) fn begin_anew(&mut self) -> Result<(), Failure> {
        self.motion.restart();
        self.momenta.clear();
        self.present_loads.fill(0.0);
        self.show().map_err(failure)
    }
}
