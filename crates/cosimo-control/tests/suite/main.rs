//! Controllers against closed forms, and against the rules of the contract.
#![expect(clippy::unwrap_used, reason = "tests")]

mod conformance;
mod laws;
mod sampled;
mod sources;

use cosimo_control::Controller;
use cosimo_subsystem::{MacroStep, Signal, StepLoads, Subsystem};

/// Takes a step with these courses of the inputs.
fn step(controller: &mut Controller, time: f64, size: f64, inputs: &[Signal]) {
    controller.set_inputs(inputs).unwrap();
    controller.begin(MacroStep { time, size }, &[]).unwrap();
    controller.commit(&StepLoads::zeros(0)).unwrap();
}

/// The outputs for these inputs.
fn outputs(controller: &Controller, inputs: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; controller.description().outputs.len()];
    controller.outputs(inputs, &mut out).unwrap();
    out
}
