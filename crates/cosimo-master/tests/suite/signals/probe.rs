//! A subsystem that notes the courses of its input and gives a number over time.

use std::sync::{Arc, Mutex};

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Capabilities, Description, Hold, InverseMass, MacroStep, RowMatrix, Signal, SignalInput, SignalOutput,
    Snapshot, StepLoads, StepResponse, Subsystem, SubsystemError,
};

pub(super) type Courses = Arc<Mutex<Vec<Signal>>>;

pub(super) struct Probe {
    description: Description,
    value: fn(f64) -> f64,
    courses: Courses,
    step: MacroStep,
    response: StepResponse,
}

/// A probe with output `y = value(t)` and input `u`, zero where it is not connected.
pub(super) fn probe(name: &str, hold: Hold, value: fn(f64) -> f64) -> (Box<dyn Subsystem>, Courses) {
    let courses = Courses::default();
    let description = Description {
        inputs: vec![SignalInput { name: "u".to_owned(), unit: "m".to_owned(), hold, default: Some(0.0) }],
        outputs: vec![SignalOutput { name: "y".to_owned(), unit: "m".to_owned(), feed_through: Vec::new() }],
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            takes_impulses: true,
            has_variable_step: true,
            ..Capabilities::default()
        },
        ..Description::new(name)
    };
    let response = StepResponse::zeros(0);
    let step = MacroStep::default();
    (Box::new(Probe { description, value, courses: courses.clone(), step, response }), courses)
}

impl Subsystem for Probe {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, _: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.step = MacroStep { time: self.step.time, ..step };
        Ok(&self.response)
    }

    fn evaluate(&mut self, _: &[f64]) -> Result<&StepResponse, SubsystemError> {
        Ok(&self.response)
    }

    fn prepare_jump(&mut self, _: f64) -> Result<&RowMatrix, SubsystemError> {
        Ok(&self.response.inverse_mass)
    }

    fn jump(&mut self, _: &[f64]) -> Result<(), SubsystemError> {
        Ok(())
    }

    fn commit(&mut self, _: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.step.time += self.step.size;
        Ok(StepEnergy::default())
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.courses.lock().unwrap().extend(inputs);
        Ok(())
    }

    fn outputs(&self, _: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        out[0] = (self.value)(self.step.time);
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[self.step.time])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        self.step.time = snapshot.decode(&self.description.name)?[0];
        Ok(())
    }
}
