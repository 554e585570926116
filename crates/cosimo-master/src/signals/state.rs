//! What influences the exchanges to come.

use cosimo_subsystem::{Hold, Signal};
use serde::{Deserialize, Serialize};

use super::courses::{Point, course};
use crate::topology::signals::graph::SignalGraph;

/// Signals at the last two communication points, and the courses of the last step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignalState {
    /// The communication point of the values (s), and the one before, where there is one.
    pub(super) time: f64,
    before: Option<f64>,
    /// Values of the inputs at both.
    pub(super) inputs: Vec<f64>,
    inputs_before: Vec<f64>,
    /// Values of the outputs.
    pub(crate) outputs: Vec<f64>,
    /// The courses of the inputs in the last step.
    pub(super) courses: Vec<Signal>,
    /// Whether velocities jumped in the last step.
    pub(super) has_jumped: bool,
}

impl SignalState {
    /// Inputs at their defaults and outputs at zero, at a time (s).
    pub(crate) fn new(graph: &SignalGraph, time: f64) -> Self {
        let inputs: Vec<f64> = graph.wiring.inputs.iter().map(|input| input.default.unwrap_or(0.0)).collect();
        Self {
            time,
            before: None,
            inputs_before: inputs.clone(),
            courses: inputs.iter().map(|value| Signal::held(time, *value)).collect(),
            inputs,
            outputs: vec![0.0; graph.wiring.outputs.len()],
            has_jumped: false,
        }
    }

    /// Whether a saved state is of signals like these.
    pub(crate) fn fits(&self, saved: &Self) -> bool {
        let sizes = |state: &Self| {
            [state.inputs.len(), state.inputs_before.len(), state.courses.len(), state.outputs.len()]
        };
        sizes(self) == sizes(saved)
    }

    /// Takes over the values at a communication point (s), which may be the current one.
    pub(super) fn take(&mut self, time: f64, inputs: &[f64], outputs: &[f64]) {
        if time > self.time {
            std::mem::swap(&mut self.inputs, &mut self.inputs_before);
            self.before = Some(self.time);
            self.time = time;
        }
        self.inputs.copy_from_slice(inputs);
        self.outputs.copy_from_slice(outputs);
    }

    /// Finds the courses of all inputs over a macro step of this size (s).
    pub(super) fn extrapolate(&mut self, graph: &SignalGraph, size: f64) {
        let span = self.before.filter(|_| !self.has_jumped).map(|before| self.time - before);
        for (k, input) in graph.wiring.inputs.iter().enumerate() {
            let (value, before) = (self.inputs[k], self.inputs_before[k]);
            let slope = span.map(|span| (value - before) / span);
            let point = Point { time: self.time, size, value, slope };
            self.courses[k] = course(input.hold, &self.courses[k], point);
        }
    }

    /// Holds all inputs at their values, where there is no past; smooth ones at their defaults, from which the first step
    /// leads them to their values.
    pub(super) fn hold(&mut self, graph: &SignalGraph) {
        for ((course, value), input) in self.courses.iter_mut().zip(&self.inputs).zip(&graph.wiring.inputs) {
            let start = input.default.filter(|_| input.hold == Hold::Smooth);
            *course = Signal::held(self.time, start.unwrap_or(*value));
        }
    }
}
