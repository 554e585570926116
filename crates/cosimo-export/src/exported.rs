//! What the server asks of a unit.

use cosimo_fmi_export::{Change, EventOutcome, Experiment, ExportedUnit, Step, StepOutcome, Value};
use cosimo_subsystem::codec;

use crate::ExportModelError;
use crate::state::UnitState;
use crate::unit::{ModelUnit, ROUND_OFF};

/// What a unit says of an error: its text and those of its causes.
fn told(error: ExportModelError) -> String {
    cosimo_subsystem::SubsystemError::chain(&error)
}

impl ExportedUnit for ModelUnit {
    type State = UnitState;

    fn set(&mut self, changes: &[Change]) -> Result<(), String> {
        changes.iter().try_for_each(|change| self.set_scalar(change)).map_err(told)
    }

    fn values(&mut self) -> Result<Vec<Value>, String> {
        self.renew().map_err(told)?;
        // Outputs follow inputs that were set since the step.
        self.show().map_err(told)?;
        Ok(self.exposed.roles.iter().map(|role| self.value(role)).collect())
    }

    fn enter_initialisation(&mut self, experiment: &Experiment) -> Result<(), String> {
        let start = self.model.time.start;
        if (experiment.start - start).abs() > ROUND_OFF * start.abs().max(1.0) {
            return Err(format!(
                "the simulation starts at {} s, and the model at {start} s",
                experiment.start
            ));
        }
        self.handles_events = experiment.events;
        self.renew().map_err(told)
    }

    fn exit_initialisation(&mut self) -> Result<(), String> {
        self.in_events = self.handles_events;
        self.renew().map_err(told)
    }

    fn step(&mut self, step: &Step) -> Result<StepOutcome, String> {
        self.advance(step).map_err(told)
    }

    fn enter_events(&mut self) -> Result<(), String> {
        self.in_events = true;
        Ok(())
    }

    fn update_discrete_states(&mut self) -> Result<EventOutcome, String> {
        self.renew().map_err(told)?;
        self.pass_instant().map_err(told)
    }

    fn leave_events(&mut self) -> Result<(), String> {
        // What was set for this event is not for another.
        self.instant.forget_impulses();
        self.in_events = false;
        Ok(())
    }

    fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, String> {
        self.renew().map_err(told)?;
        self.derivative(unknowns, knowns, seed).map_err(told)
    }

    fn reset(&mut self) -> Result<(), String> {
        *self = Self::of_source(&self.name, self.source.clone()).map_err(told)?;
        Ok(())
    }

    fn save(&mut self) -> Result<UnitState, String> {
        self.renew().map_err(told)?;
        self.state().map_err(told)
    }

    fn restore(&mut self, state: &UnitState) -> Result<(), String> {
        let counts = [state.given.len(), state.parameters.len(), state.given_parameters.len()];
        if counts != [self.given.values().len(), self.parameters.len(), self.parameters.len()] {
            return Err("the state is of another unit".to_owned());
        }
        for ((own, saved), is_given) in
            self.parameters.iter_mut().zip(&state.parameters).zip(&state.given_parameters)
        {
            self.is_stale |= own.is_given != *is_given;
            own.is_given = *is_given;
            for (value, (number, text)) in own.values.iter_mut().zip(saved) {
                #[expect(clippy::cast_possible_truncation, reason = "saved from such a number")]
                let found = match value {
                    Value::Real(_) => Value::Real(*number),
                    Value::Integer(_) => Value::Integer(*number as i32),
                    Value::Boolean(_) => Value::Boolean(*number != 0.0),
                    Value::Text(_) => Value::Text(text.clone()),
                };
                self.is_stale |= *value != found;
                *value = found;
            }
        }
        self.is_stale |= self.carries_contacts != state.carries_contacts;
        (self.carries_contacts, self.is_started, self.last_step) = (state.carries_contacts, false, None);
        self.renew().map_err(told)?;
        self.put_back(state).map_err(told)
    }

    fn serialise(&mut self, state: &UnitState) -> Result<Vec<u8>, String> {
        codec::encode(state).map_err(|error| error.to_string())
    }

    fn deserialise(&mut self, bytes: &[u8]) -> Result<UnitState, String> {
        codec::decode(bytes).map_err(|error| error.to_string())
    }
}
