//! Controllers in Python that take samples.

use cosimo::mechanics::StepEnergy;
use cosimo::subsystem::{
    Capabilities, Description, InverseMass, MacroStep, Quantity, RowMatrix, Signal, Snapshot, Statistics,
    StepLoads, StepResponse, Subsystem, SubsystemError,
};
use pyo3::prelude::*;

use super::Part;
use super::callback::{Callback, Stash};
use super::first_order::{InputRow, OutputRow, input, output};
use crate::errors;

/// Share of a period that counts as rounding of the time.
const ROUND_OFF: f64 = 1e-9;

/// A controller that takes a sample every period: outputs `y = g(t, x, u)` that hold until the next, then states
/// `x ← f(t, x, u)`.
struct Sampled {
    description: Description,
    output: Callback,
    update: Callback,
    period: f64,
    start: f64,
    /// Number of the sample to come.
    next: u64,
    time: f64,
    states: Vec<f64>,
    held: Vec<f64>,
    inputs: Vec<Signal>,
    begun: Option<MacroStep>,
    response: StepResponse,
    statistics: Statistics,
}

impl Sampled {
    /// The instant of the sample to come (s).
    fn instant(&self) -> f64 {
        self.start + self.next as f64 * self.period
    }

    /// States, outputs and number of samples at the end of a step.
    fn sample(&self, step: MacroStep) -> Result<(Vec<f64>, Vec<f64>, u64), String> {
        let (mut states, mut held, mut next) = (self.states.clone(), self.held.clone(), self.next);
        let (end, mut inputs) = (step.time + step.size, vec![0.0; self.inputs.len()]);
        loop {
            let instant = self.start + next as f64 * self.period;
            if instant >= end - ROUND_OFF * self.period {
                return Ok((states, held, next));
            }
            let instant = instant.max(step.time);
            inputs.iter_mut().zip(&self.inputs).for_each(|(value, course)| *value = course.value(instant));
            self.output.call(instant, &[&states, &inputs], &mut held)?;
            let mut after = states.clone();
            self.update.call(instant, &[&states, &inputs], &mut after)?;
            (states, next) = (after, next + 1);
        }
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    fn failed(&self, step: MacroStep, reason: String) -> SubsystemError {
        let subsystem = self.description.name.clone();
        SubsystemError::BadStep { subsystem, time: step.time, size: step.size, reason: reason.into() }
    }
}

impl Subsystem for Sampled {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        self.step_begun("evaluate")?;
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.step_begun("commit")?;
        (self.states, self.held, self.next) = self.sample(step).map_err(|text| self.failed(step, text))?;
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

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        if self.instant() > self.time + ROUND_OFF * self.period {
            out.copy_from_slice(&self.held);
            return Ok(());
        }
        let step = MacroStep { time: self.time, size: 0.0 };
        self.output.call(self.time, &[&self.states, inputs], out).map_err(|text| self.failed(step, text))
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.states);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut numbers = vec![self.time, f64::from_bits(self.next)];
        numbers.extend(self.states.iter().chain(&self.held));
        Snapshot::encode(&self.description.name, &numbers)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let expected = 2 + self.states.len() + self.held.len();
        if values.len() != expected {
            let reason = format!("{} numbers instead of {expected}", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        }
        let (states, held) = values[2..].split_at(self.states.len());
        (self.time, self.next) = (values[0], values[1].to_bits());
        self.states.copy_from_slice(states);
        self.held.copy_from_slice(held);
        self.begun = None;
        self.statistics.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// What a controller consists of; a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ControllerRow {
    name: String,
    time: f64,
    period: f64,
    states: Vec<f64>,
    state_names: Vec<(String, String)>,
    signals_in: Vec<InputRow>,
    signals_out: Vec<OutputRow>,
}

/// A controller of Python as a part: `output(t, x, u)` and `update(t, x, u)` at every sample.
#[pyfunction]
pub(crate) fn controller(
    py: Python<'_>,
    row: ControllerRow,
    output: Py<PyAny>,
    update: Py<PyAny>,
) -> PyResult<Part> {
    let refuse = |text: String| errors::exception(py, "ModelError", (text, Vec::new()));
    if !(row.period > 0.0 && row.period.is_finite()) {
        return Err(refuse(format!("controller `{}`: period is {}, must be positive", row.name, row.period)));
    }
    let inputs: Vec<_> = row.signals_in.iter().map(|own| input(py, own)).collect::<PyResult<_>>()?;
    let description = Description {
        inputs: inputs.into_iter().map(|(signal, _)| signal).collect(),
        outputs: row.signals_out.iter().map(|own| self::output(own).0).collect(),
        quantities: row.state_names.into_iter().map(|(name, unit)| Quantity { name, unit }).collect(),
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            takes_impulses: true,
            has_variable_step: true,
            ..Capabilities::default()
        },
        ..Description::new(row.name.clone())
    };
    description.validate().map_err(|error| refuse(error.to_string()))?;
    let stash = Stash::new(&row.name);
    let subsystem = Sampled {
        output: Callback::new("output", output, &stash),
        update: Callback::new("update", update, &stash),
        period: row.period,
        start: row.time,
        next: 0,
        time: row.time,
        states: row.states,
        held: vec![0.0; description.outputs.len()],
        inputs: description
            .inputs
            .iter()
            .map(|own| Signal::held(row.time, own.default.unwrap_or(0.0)))
            .collect(),
        begun: None,
        response: StepResponse::zeros(0),
        statistics: Statistics::default(),
        description,
    };
    Ok(Part::new(subsystem, stash))
}
