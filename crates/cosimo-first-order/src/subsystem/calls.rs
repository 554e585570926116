//! What the master calls.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Begun, Description, ExpectedLoads, LoadResponse, MacroStep, PortMotion, RowBlocks, RowMatrix, RowState,
    Signal, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError, codec,
};

use super::FirstOrderSubsystem;
use super::saved::Saved;
use crate::{FirstOrderSystem, Linearisation, Point};

impl<S: FirstOrderSystem> Subsystem for FirstOrderSubsystem<S> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.outputs)
    }

    fn limit_response(&mut self, needed: &[bool]) {
        self.discard();
        self.wants_matrices = needed.contains(&true);
        let rows = self.description.rows();
        if rows > 0 {
            // What is not needed is left out, and not told as zero.
            let matrix = if self.wants_matrices {
                RowMatrix::zeros(rows)
            } else {
                RowMatrix::Blocks(RowBlocks::over(&vec![false; rows]))
            };
            self.response.damped_inverse_mass = matrix.clone();
            self.response.inverse_mass = matrix;
            self.response.revision += 1;
        }
        if !self.load_response.end.is_empty() && !self.map.has_load_frames() {
            self.load_response.limit(needed);
        }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.begin_step(step, start_loads, None)?;
        Ok(&self.response)
    }

    fn begin_under_loads(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_loads(expected.momenta)?;
        self.begin_step(step, start_loads, Some(expected.momenta))?;
        Ok(Begun::Free(&self.response))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        self.try_step(step, impulses, true).map_err(|error| self.failed(step, &error))?;
        self.show_trial();
        Ok(&self.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        self.try_step(step, impulses, false).map_err(|error| self.failed(step, &error))?;
        self.show_trial();
        Ok(&self.response)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.description.check_motion(motion)?;
        let step = self.step_begun("respond")?;
        self.try_respond(step, motion).map_err(|error| self.failed(step, &error))?;
        self.statistics.evaluations += 1;
        Ok(&self.load_response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.step_begun("commit")?;
        if !self.map.load_ports.is_empty() {
            self.course.get_mut().set_motion(step, &loads.motion);
        }
        let before = self.energy();
        self.scratch.note_start(&self.rows);
        self.guarded(|own| own.take_step(step, loads)).map_err(|error| self.failed(step, &error))?;
        let drive_work = self.drive_work(&loads.motion);
        self.momenta.commit(&loads.momenta);
        self.begun = None;
        self.statistics.steps += 1;
        let port_work = self.work_of_loads(loads) + drive_work;
        let energy = self.energy();
        let jumps = self.inside_work;
        let external_work = energy.total() - before.total() - port_work - jumps;
        Ok(StepEnergy { energy, port_work, external_work, jumps, ..StepEnergy::default() })
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { time: self.motion.state.time, size };
        self.description.check_step(step, step.time)?;
        self.discard();
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let found = &mut self.sensitivity.found;
        let at = Point { time: step.time, states: &self.motion.state.v, inputs: course.at(step.time) };
        let rates = self.lineariser.of_rates(system, at, found);
        let linearised = rates.and_then(|()| self.lineariser.of_outputs(system, at, found));
        linearised.map_err(|error| self.failed(step, &error))?;
        if self.description.rows() > 0 {
            let found = &self.sensitivity.found;
            found.outputs_by_states.mul_to(&found.rates_by_inputs, self.prepared.dense_mut());
        }
        self.is_prepared = true;
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(impulses)?;
        self.check_prepared("jump")?;
        let before = self.energy().total();
        self.scratch.note_start(&self.rows);
        for (j, impulse) in impulses.iter().enumerate() {
            for (x, b) in
                self.motion.state.v.iter_mut().zip(self.sensitivity.found.rates_by_inputs.column(j).iter())
            {
                *x += b * impulse;
            }
        }
        self.begin_anew()?;
        let rates = self.scratch.start_rates.iter().zip(&self.rows.velocities);
        let passed = rates.zip(impulses).map(|((a, b), impulse)| 0.5 * (a + b) * impulse).sum::<f64>();
        self.jump_work = self.energy().total() - before - passed;
        Ok(())
    }

    /// What the system does not tell of its energy is taken for the work of something outside.
    fn jump_work(&self) -> f64 {
        self.jump_work
    }

    /// Moves the states that no impulse acts on by `A B w`: positions, along the velocities that the same impulses would make.
    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)?;
        self.check_prepared("shift")?;
        let Linearisation { rates_by_states, rates_by_inputs, .. } = &self.sensitivity.found;
        let columns = weights.len();
        let velocity = |k: usize| (0..columns).map(|j| rates_by_inputs[(k, j)] * weights[j]).sum::<f64>();
        for i in 0..rates_by_states.nrows() {
            if (0..columns).all(|j| rates_by_inputs[(i, j)] == 0.0) {
                let way: f64 =
                    (0..rates_by_states.ncols()).map(|k| rates_by_states[(i, k)] * velocity(k)).sum();
                self.motion.state.v[i] += way;
            }
        }
        self.begin_anew()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.course.get_mut().set_signals(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        let (mut system, mut course) = (self.system.borrow_mut(), self.course.borrow_mut());
        let time = self.motion.state.time;
        let mut all = self.scratch.outputs.borrow_mut();
        course.set_loads(self.present_loads.iter().copied());
        let at = Point { time, states: &self.motion.state.v, inputs: course.with_signals(time, inputs) };
        let step = MacroStep { time, size: 0.0 };
        system.outputs(at, &mut all).map_err(|error| self.failed(step, &error))?;
        out.iter_mut().zip(&self.map.outputs).for_each(|(out, (_, index))| *out = all[*index]);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.map.quantities).for_each(|(out, (_, index))| *out = self.outputs[*index]);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let saved = self.encode().map_err(|error| self.bad_snapshot(error.to_string()))?;
        let bytes = codec::encode(&saved).map_err(|error| self.bad_snapshot(error.to_string()))?;
        Ok(Snapshot::from_bytes(bytes))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let saved: Saved =
            codec::decode(snapshot.as_bytes()).map_err(|error| self.bad_snapshot(error.to_string()))?;
        if saved.subsystem != self.description.name {
            return Err(self.bad_snapshot(format!("the snapshot is of `{}`", saved.subsystem)));
        }
        let before = self.encode().map_err(|error| self.bad_snapshot(error.to_string()))?;
        let restored = self.read_back(&saved);
        if let Err(reason) = restored {
            let _ = self.read_back(&before);
            return Err(self.bad_snapshot(reason));
        }
        self.discard();
        self.is_prepared = false;
        self.statistics.rollbacks += 1;
        let step = MacroStep { time: self.motion.state.time, size: 0.0 };
        self.show().map_err(|error| self.failed(step, &error))
    }

    fn statistics(&self) -> Statistics {
        let solver = &self.motion.solver;
        Statistics {
            newton_iterations: solver.iterations,
            factorizations: solver.factorizations + self.sensitivity.factorizations,
            ..self.statistics
        }
    }
}
