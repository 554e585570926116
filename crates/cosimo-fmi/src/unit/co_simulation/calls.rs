//! The calls of the contract.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Description, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState, Signal, Snapshot, Statistics,
    StepLoads, StepResponse, Subsystem, SubsystemError, codec,
};

use super::CoSimulationUnit;
use super::saved::Saved;
use crate::unit::running::refused;

impl Subsystem for CoSimulationUnit {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.outputs)
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        self.discard();
        self.statistics.evaluations += 1;
        if self.description.rows() > 0 && self.description.capabilities.can_roll_back {
            let zero = std::mem::take(&mut self.zero);
            let tried = self.try_rows(step, &zero).and_then(|()| self.find_answer(step));
            self.zero = zero;
            tried.map_err(|error| self.failed(step, &error))?;
        }
        self.begun = Some(step);
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        if self.description.rows() > 0 {
            if !self.description.capabilities.can_roll_back {
                return Err(self.unsupported("evaluate a step before it is taken"));
            }
            let tried = self.try_rows(step, impulses).and_then(|()| self.find_answer(step));
            tried.map_err(|error| self.failed(step, &error))?;
        }
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let is_asked = std::mem::take(&mut self.is_asked);
        let evaluated = self.evaluate(impulses).map(|_| ());
        self.is_asked = is_asked;
        evaluated.map(|()| &self.response)
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.is_asked = self.answers.is_some() && needed.contains(&true);
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_jumps()?;
        let step = MacroStep { time: self.time, size: 0.0 };
        self.go_back().map_err(|error| self.failed(step, &error))?;
        self.is_saved = false;
        let running = self.running.get_mut();
        let told = self.jumps.as_ref().map_or(Ok(()), |own| own.inverse_mass(running, &mut self.prepared));
        told.map_err(|error| self.failed(step, &error))?;
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.check_jumps()?;
        self.description.check_loads(impulses)?;
        let before = self.energy();
        let taken = self.take_impulses(impulses);
        taken.map_err(|error| self.failed(MacroStep { time: self.time, size: 0.0 }, &error))?;
        self.outputs.copy_from_slice(&self.trial);
        let rates = self.rows.velocities.clone();
        self.map.write_state(&self.outputs, &mut self.rows);
        let means = rates.iter().zip(&self.rows.velocities).map(|(before, after)| 0.5 * (before + after));
        let passed: f64 = means.zip(impulses).map(|(rate, impulse)| rate * impulse).sum();
        self.jump_work = self.energy().total() - before.total() - passed;
        self.begun = None;
        Ok(())
    }

    fn jump_work(&self) -> f64 {
        self.jump_work
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.description.check_motion(motion)?;
        let step = self.step_begun("respond")?;
        if !self.description.capabilities.can_roll_back {
            return Err(
                self.unsupported("answer a motion with loads before the step is taken: it cannot go back")
            );
        }
        self.try_loads(step, motion).map_err(|error| self.failed(step, &error))?;
        self.statistics.evaluations += 1;
        Ok(&self.load_response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.step_begun("commit")?;
        if loads.has_moments {
            return Err(self.unsupported("take impulses inside a step"));
        }
        let before = self.energy();
        let taken = self.take_step(step, loads);
        taken.map_err(|error| self.failed(step, &error))?;
        let port_work = self.port_work(loads, step.size);
        let contact_work = self.contact_work(loads);
        self.outputs.copy_from_slice(&self.trial);
        self.map.write_state(&self.outputs, &mut self.rows);
        self.spare = self.ahead.get_mut().take().unwrap_or_default();
        (self.is_saved, self.begun, self.time) = (false, None, step.time + step.size);
        self.statistics.steps += 1;
        let energy = self.energy();
        let external_work = energy.total() - before.total() - port_work - contact_work;
        Ok(StepEnergy { energy, port_work, contact_work, external_work, ..StepEnergy::default() })
    }

    fn discard(&mut self) {
        // The unit itself goes back when the next call needs it to.
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.course.get_mut().set_signals(inputs);
        // A trial under other inputs is none.
        let step = MacroStep { time: self.time, size: 0.0 };
        self.go_back().map_err(|error| self.failed(step, &error))
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        let feeds = self.map.outputs.iter().any(|(signal, _)| !signal.feed_through.is_empty());
        let mut all = self.scratch.borrow_mut();
        if feeds && self.ahead.borrow().is_none() && self.ended.is_none() {
            let (mut running, mut course) = (self.running.borrow_mut(), self.course.borrow_mut());
            let step = MacroStep { time: self.time, size: 0.0 };
            let read = running
                .write(course.with_signals(self.time, inputs))
                .map_err(refused)
                .and_then(|()| running.read_checked(self.time, &mut all));
            read.map_err(|error| self.failed(step, &error))?;
        } else {
            all.copy_from_slice(&self.outputs);
        }
        out.iter_mut().zip(&self.map.outputs).for_each(|(out, (_, index))| *out = all[*index]);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.map.quantities).for_each(|(out, (_, index))| *out = self.outputs[*index]);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut running = self.running.borrow_mut();
        if !running.can_save {
            return Err(self.unsupported("be saved (canGetAndSetFMUState)"));
        }
        // What a trial asked for has not happened.
        let ended = self.ended.filter(|_| self.ahead.borrow().is_none());
        let unit = self.encode(&mut running).map_err(|error| self.bad_snapshot(error.to_string()))?;
        let saved = Saved {
            subsystem: self.description.name.clone(),
            time: self.time,
            outputs: self.outputs.clone(),
            ended,
            unit,
        };
        let bytes = codec::encode(&saved).map_err(|error| self.bad_snapshot(error.to_string()))?;
        Ok(Snapshot::from_bytes(bytes))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return Err(self.unsupported("be restored (canGetAndSetFMUState)"));
        }
        let saved: Saved =
            codec::decode(snapshot.as_bytes()).map_err(|error| self.bad_snapshot(error.to_string()))?;
        if saved.subsystem != self.description.name {
            return Err(self.bad_snapshot(format!("the snapshot is of `{}`", saved.subsystem)));
        }
        let back = self.go_back().and_then(|()| self.read_back(&saved));
        back.map_err(|error| self.bad_snapshot(error.to_string()))?;
        self.begun = None;
        self.statistics.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
