//! A control law behind the subsystem contract.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, ExpectedLoads, Failure, Kind, MacroStep, Saved, Signal, StepLoads, Stepped, TrialLoads,
    Wanted,
};

use crate::law::Law;
use crate::sampling::{MOST_SAMPLES, Sampling};

/// A controller. Built by [`ControllerBuilder`](crate::ControllerBuilder).
///
/// A sampled one takes a sample at the start of every step at which one is due, with the inputs of that communication point,
/// and at sample instants inside a step with the courses of the inputs; what the latter give shows at the next communication
/// point. Steps that divide the period take every sample at a communication point.
pub type Controller = Stepped<ControlledStates>;

/// The states of a [`Controller`].
#[derive(Debug)]
pub struct ControlledStates {
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
}

impl ControlledStates {
    pub(crate) fn new(
        description: Description,
        law: Box<dyn Law>,
        sampling: Option<Sampling>,
        time: f64,
    ) -> Controller {
        let start = |value: Option<f64>| Signal::held(time, value.unwrap_or(0.0));
        let inputs: Vec<Signal> = description.inputs.iter().map(|input| start(input.default)).collect();
        Stepped::new(Self {
            states: law.start(),
            held: vec![0.0; description.outputs.len()],
            courses: inputs.clone(),
            values: vec![0.0; inputs.len()],
            inputs,
            law,
            sampling,
            time,
            description,
        })
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
    fn check_samples(&self, step: MacroStep) -> Result<(), Failure> {
        let Some(sampling) = self.sampling else { return Ok(()) };
        let count = step.size / sampling.period;
        if count <= MOST_SAMPLES {
            return Ok(());
        }
        Err(Failure::BadStep(format!(
            "its period of {:e} s takes {count:.1e} samples in it, at most {MOST_SAMPLES:e} are possible; give a longer period",
            sampling.period
        )))
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
}

impl Kind for ControlledStates {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.time)
    }

    fn begin(
        &mut self,
        step: MacroStep,
        _start_loads: &[f64],
        _expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.check_samples(step).map(|()| TrialLoads::None)
    }

    fn evaluate(&mut self, _step: MacroStep, _impulses: &[f64], _wanted: Wanted) -> Result<(), Failure> {
        Ok(())
    }

    fn take(&mut self, step: MacroStep, _loads: &StepLoads) -> Result<StepEnergy, Failure> {
        let before = self.sampling;
        self.take_samples(step);
        if before.is_none() {
            self.advance(step);
        }
        self.time = step.time + step.size;
        Ok(StepEnergy::default())
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        Ok(())
    }

    fn jump(&mut self, _impulses: &[f64]) -> Result<(), Failure> {
        Ok(())
    }

    fn project_positions(&mut self, _weights: &[f64]) -> Result<(), Failure> {
        Ok(())
    }

    fn set_inputs(&mut self, inputs: &[Signal]) {
        self.inputs.copy_from_slice(inputs);
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        match &self.sampling {
            Some(sampling) if !sampling.is_due(self.time) => out.copy_from_slice(&self.held),
            _ => self.law.write(&self.states, inputs, out),
        }
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.states);
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(self.numbers().into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let (values, own) = (&saved.numbers, self.numbers().len());
        if values.len() != own {
            return Err(format!("{} numbers instead of {own}", values.len()));
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
        Ok(())
    }
}
