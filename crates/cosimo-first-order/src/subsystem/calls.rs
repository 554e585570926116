//! What the step protocol calls.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Description, ExpectedLoads, Failure, Kind, LoadResponse, MacroStep, PortMotion, RowBlocks, RowMatrix,
    RowState, Saved, Signal, Statistics, StepLoads, StepResponse, TrialLoads, Wanted,
};

use super::{FirstOrderSubsystem, failure};
use crate::{FirstOrderSystem, Linearisation, Point};

impl<S: FirstOrderSystem + Send> Kind for FirstOrderSubsystem<S> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.motion.state.time)
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.outputs)
    }

    fn response(&self) -> &StepResponse {
        &self.response
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
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

    fn begin(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.begin_step(step, start_loads, expected.map(|expected| expected.momenta))?;
        Ok(TrialLoads::None)
    }

    fn evaluate(&mut self, step: MacroStep, impulses: &[f64], wanted: Wanted) -> Result<(), Failure> {
        self.try_step(step, impulses, wanted == Wanted::Matrices).map_err(failure)?;
        self.show_trial();
        Ok(())
    }

    fn respond(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), Failure> {
        self.try_respond(step, motion).map_err(failure)
    }

    fn load_response(&self) -> &LoadResponse {
        &self.load_response
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        if !self.map.load_ports.is_empty() {
            self.course.get_mut().set_motion(step, &loads.motion);
        }
        let before = self.energy();
        self.scratch.note_start(&self.rows);
        self.guarded(|own| own.take_step(step, loads)).map_err(failure)?;
        let drive_work = self.drive_work(&loads.motion);
        self.momenta.commit(&loads.momenta);
        let port_work = self.work_of_loads(loads) + drive_work;
        let energy = self.energy();
        let jumps = self.inside_work;
        let external_work = energy.total() - before.total() - port_work - jumps;
        Ok(StepEnergy { energy, port_work, external_work, jumps, ..StepEnergy::default() })
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        let time = self.motion.state.time;
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let found = &mut self.sensitivity.found;
        let at = Point { time, states: &self.motion.state.v, inputs: course.at(time) };
        let rates = self.lineariser.of_rates(system, at, found);
        rates.and_then(|()| self.lineariser.of_outputs(system, at, found)).map_err(failure)?;
        if self.description.rows() > 0 {
            let found = &self.sensitivity.found;
            found.outputs_by_states.mul_to(&found.rates_by_inputs, self.prepared.dense_mut());
        }
        Ok(())
    }

    fn inverse_mass_of_jump(&self) -> &RowMatrix {
        &self.prepared
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), Failure> {
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
    fn project_positions(&mut self, weights: &[f64]) -> Result<(), Failure> {
        let Linearisation { rates_by_states, rates_by_inputs, .. } = &self.sensitivity.found;
        let columns = weights.len();
        let velocity = |k: usize| (0..columns).map(|j| rates_by_inputs[(k, j)] * weights[j]).sum::<f64>();
        for i in 0..rates_by_states.nrows() {
            if (0..columns).all(|j| rates_by_inputs[(i, j)] == 0.0) {
                let displacement: f64 =
                    (0..rates_by_states.ncols()).map(|k| rates_by_states[(i, k)] * velocity(k)).sum();
                self.motion.state.v[i] += displacement;
            }
        }
        self.begin_anew()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) {
        self.course.get_mut().set_signals(inputs);
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        let (mut system, mut course) = (self.system.borrow_mut(), self.course.borrow_mut());
        let time = self.motion.state.time;
        let mut all = self.scratch.outputs.borrow_mut();
        course.set_loads(self.present_loads.iter().copied());
        let at = Point { time, states: &self.motion.state.v, inputs: course.with_signals(time, inputs) };
        system.outputs(at, &mut all).map_err(failure)?;
        out.iter_mut().zip(&self.map.outputs).for_each(|(out, (_, index))| *out = all[*index]);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.map.quantities).for_each(|(out, (_, index))| *out = self.outputs[*index]);
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(self.encode()?)
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        self.read_back(saved)?;
        self.show().map_err(|error| error.to_string())
    }

    fn effort(&self) -> Statistics {
        let solver = &self.motion.solver;
        Statistics {
            newton_iterations: solver.iterations,
            factorizations: solver.factorizations + self.sensitivity.factorizations,
            ..Statistics::default()
        }
    }
}
