//! A control law behind the subsystem contract.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, MacroStep, RowMatrix, Signal, Snapshot, Statistics, StepLoads, StepResponse, Subsystem,
    SubsystemError,
};

use crate::law::Law;
use crate::sampling::{MOST_SAMPLES, Sampling};

/// A controller. Built by [`ControllerBuilder`](crate::ControllerBuilder).
///
/// A sampled one takes a sample at the start of every step at which one is due, with the inputs of that communication point,
/// and at sample instants inside a step with the courses of the inputs; what the latter give shows at the next communication
/// point. Steps that divide the period take every sample at a communication point.
#[derive(Debug)]
pub struct Controller {
    description: Description,
    law: Box<dyn Law>,
    sampling: Option<Sampling>,
    time: f64,
    states: Vec<f64>,
    /// Outputs since the last sample, of a sampled controller.
    held: Vec<f64>,
    inputs: Vec<Signal>,
    /// Inputs from another time on, or at an instant.
    courses: Vec<Signal>,
    values: Vec<f64>,
    begun: Option<MacroStep>,
    response: StepResponse,
    statistics: Statistics,
}

impl Controller {
    pub(crate) fn new(
        description: Description,
        law: Box<dyn Law>,
        sampling: Option<Sampling>,
        time: f64,
    ) -> Self {
        let start = |value: Option<f64>| Signal::held(time, value.unwrap_or(0.0));
        let inputs: Vec<Signal> = description.inputs.iter().map(|input| start(input.default)).collect();
        Self {
            states: law.start(),
            held: vec![0.0; description.outputs.len()],
            courses: inputs.clone(),
            values: vec![0.0; inputs.len()],
            inputs,
            law,
            sampling,
            time,
            begun: None,
            response: StepResponse::zeros(0),
            statistics: Statistics::default(),
            description,
        }
    }

    /// Advances the states over a step by the courses of the inputs.
    fn advance(&mut self, step: MacroStep) {
        let Self { law, states, inputs, courses, .. } = self;
        courses.iter_mut().zip(inputs).for_each(|(course, input)| *course = input.since(step.time));
        law.advance(states, step.size, courses);
    }

    /// Takes the samples from the start of a step until before its end.
    fn take_samples(&mut self, step: MacroStep) {
        let Self { law, sampling, states, held, inputs, courses, values, .. } = self;
        let Some(sampling) = sampling else { return };
        while sampling.is_before(step.time + step.size) {
            let instant = sampling.instant().max(step.time);
            for ((value, course), input) in values.iter_mut().zip(courses.iter_mut()).zip(inputs.iter()) {
                *value = input.value(instant);
                *course = Signal::held(instant, *value);
            }
            law.write(states, values, held);
            law.advance(states, sampling.period, courses);
            sampling.next += 1;
        }
    }

    /// Refuses a step in which there are too many samples.
    fn check_samples(&self, step: MacroStep) -> Result<(), SubsystemError> {
        let Some(sampling) = self.sampling else { return Ok(()) };
        let count = step.size / sampling.period;
        if count <= MOST_SAMPLES {
            return Ok(());
        }
        Err(SubsystemError::BadStep {
            subsystem: self.description.name.clone(),
            time: step.time,
            size: step.size,
            reason: format!(
                "its period of {:e} s takes {count:.1e} samples in it, at most {MOST_SAMPLES:e} are possible; give a longer period",
                sampling.period
            )
            .into(),
        })
    }

    /// Everything that influences the future.
    fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.time];
        numbers.extend(&self.states);
        if let Some(sampling) = &self.sampling {
            numbers.extend(&self.held);
            numbers.push(sampling.next as f64);
        }
        numbers
    }

    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }
}

impl Subsystem for Controller {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        self.check_samples(step)?;
        self.discard();
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        if self.begun.is_none() {
            return Err(self.not_begun("evaluate"));
        }
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let Some(step) = self.begun else { return Err(self.not_begun("commit")) };
        let before = self.sampling;
        self.take_samples(step);
        if before.is_none() {
            self.advance(step);
        }
        self.begun = None;
        self.time = step.time + step.size;
        self.statistics.steps += 1;
        Ok(StepEnergy::default())
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.description.check_step(MacroStep { time: self.time, size }, self.time)?;
        self.discard();
        Ok(&self.response.inverse_mass)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(impulses)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        match &self.sampling {
            Some(sampling) if !sampling.is_due(self.time) => out.copy_from_slice(&self.held),
            _ => self.law.write(&self.states, inputs, out),
        }
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.states);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &self.numbers())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let own = self.numbers().len();
        if values.len() != own || values.iter().any(|value| !value.is_finite()) {
            let reason = format!("{} numbers instead of {own}, or not finite", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        }
        let (states, rest) = values[1..].split_at(self.states.len());
        self.time = values[0];
        self.states.copy_from_slice(states);
        if let (Some(sampling), [held @ .., next]) = (&mut self.sampling, rest) {
            self.held.copy_from_slice(held);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturating, and written from such a number"
            )]
            let next = *next as u64;
            sampling.next = next;
        }
        self.begun = None;
        self.statistics.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
