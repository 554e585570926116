//! A model as a unit.

use cosimo_fmi_export::{Change, Experiment, ExportedUnit, Step, StepOutcome, UnitDescription, Value};
use cosimo_master::{Master, MasterState};
use cosimo_model::{ModelSpec, Override, read_model};
use cosimo_subsystem::codec;
use serde::{Deserialize, Serialize};

use crate::ExportModelError;
use crate::assembly::assemble;
use crate::exposed::{Exposed, Open, Parameter, Role};
use crate::outside::Given;

/// Rounding of times, relative (–).
const ROUND_OFF: f64 = 1e-9;

/// A model as a unit: what an exported FMU runs.
pub struct ModelUnit {
    name: String,
    text: String,
    model: ModelSpec,
    open: Open,
    given: Given,
    exposed: Exposed,
    /// Values of the parameters.
    parameters: Vec<Parameter>,
    master: Master,
    /// Whether parameters have changed since the master was built.
    is_stale: bool,
    is_started: bool,
    quantities: Vec<f64>,
}

/// Everything that influences the future of a unit.
#[derive(Serialize, Deserialize)]
pub struct UnitState {
    /// Numbers, and texts of those that are texts.
    parameters: Vec<Vec<(f64, String)>>,
    given: Vec<f64>,
    is_started: bool,
    master: MasterState,
}

impl ModelUnit {
    /// The unit of a model file.
    ///
    /// # Errors
    /// The model cannot be read or built, or its `[export]` names what it does not have.
    pub fn new(name: &str, text: &str) -> Result<Self, ExportModelError> {
        let (model, _) = read_model(name, text, &[])?;
        let open = Open::of(&model)?;
        let given = Given::zeros(open.count());
        let master = assemble(&model, &open, &given)?;
        let exposed = Exposed::new(name, &model, &open, &master)?;
        let first = open.count() - open.inputs.len();
        for (k, input) in open.inputs.iter().enumerate() {
            given.set(first + k, input.start(&master));
        }
        let quantities = vec![0.0; master.labels().len()];
        let parameters = exposed.parameters.clone();
        Ok(Self {
            name: name.to_owned(),
            text: text.to_owned(),
            is_stale: false,
            is_started: false,
            model,
            open,
            given,
            exposed,
            parameters,
            master,
            quantities,
        })
    }

    /// What is said of it.
    #[must_use]
    pub fn description(&self) -> &UnitDescription {
        &self.exposed.description
    }

    /// The model that it is made of.
    #[must_use]
    pub fn model(&self) -> &ModelSpec {
        &self.model
    }

    fn set_scalar(&mut self, change: &Change) -> Result<(), ExportModelError> {
        let index = change.scalar as usize;
        let bad = |this: &Self| ExportModelError::BadValue {
            name: this.scalar_name(index),
            value: format!("{:?}", change.value),
        };
        match (self.exposed.roles.get(index).cloned(), &change.value) {
            (Some(Role::Given(place)), Value::Real(value)) if value.is_finite() => {
                self.given.set(place, *value)
            }
            (Some(Role::Parameter(parameter, k)), value) => {
                let own = &mut self.parameters[parameter].values[k];
                if own.kind() != value.kind() {
                    return Err(bad(self));
                }
                self.is_stale |= own != value;
                *own = value.clone();
            }
            _ => return Err(bad(self)),
        }
        Ok(())
    }

    fn scalar_name(&self, index: usize) -> String {
        let mut first = 0;
        for variable in &self.exposed.description.variables {
            first += variable.count();
            if index < first {
                return variable.name.clone();
            }
        }
        index.to_string()
    }

    /// Builds the master anew where parameters have changed; a state reached goes on under the new ones.
    fn renew(&mut self) -> Result<(), ExportModelError> {
        if !std::mem::take(&mut self.is_stale) {
            return Ok(());
        }
        let state = if self.is_started { Some(self.master.save()?) } else { None };
        let changes: Result<Vec<Override>, _> = self.parameters.iter().map(to_override).collect();
        let (model, _) = read_model(&self.name, &self.text, &changes?)?;
        let mut master = assemble(&model, &self.open, &self.given)?;
        if let Some(state) = &state {
            master.restore(state)?;
        }
        (self.model, self.master) = (model, master);
        Ok(())
    }

    fn advance(&mut self, step: &Step) -> Result<(), ExportModelError> {
        self.renew()?;
        self.is_started = true;
        let now = self.master.time();
        if (step.time - now).abs() > ROUND_OFF * step.size.max(now.abs()) {
            return Err(ExportModelError::Time { expected: now, found: step.time });
        }
        // What was set since the last step counts from its end on.
        self.master.refresh_signals()?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, saturating")]
        let count = (step.size / self.model.time.step - ROUND_OFF).ceil().max(1.0) as u32;
        for _ in 0..count {
            self.master.step(step.size / f64::from(count))?;
        }
        Ok(())
    }

    fn value(&self, role: &Role) -> Value {
        let subsystems = self.master.subsystems();
        Value::Real(match role {
            Role::Parameter(index, k) => return self.parameters[*index].values[*k].clone(),
            Role::Given(place) => self.given.get(*place),
            Role::Position(subsystem, row) => subsystems[*subsystem].rows().positions[*row],
            Role::Velocity(subsystem, row) => subsystems[*subsystem].rows().velocities[*row],
            Role::Orientation(subsystem, frame, k) => {
                let q = subsystems[*subsystem].rows().orientations[*frame];
                [q.w, q.i, q.j, q.k][*k]
            }
            Role::Signal(name) => self.master.signal(name).unwrap_or(0.0),
            Role::Quantity(index) => self.quantities[*index],
        })
    }
}

/// The override that sets a parameter.
fn to_override(parameter: &Parameter) -> Result<Override, ExportModelError> {
    let text = |value: &Value| match value {
        Value::Real(x) => format!("{x:?}"),
        Value::Integer(x) => x.to_string(),
        Value::Boolean(x) => x.to_string(),
        Value::Text(text) => toml::Value::String(text.clone()).to_string(),
    };
    let values: Vec<String> = parameter.values.iter().map(text).collect();
    let value = if parameter.is_list { format!("[{}]", values.join(", ")) } else { values.concat() };
    Ok(Override::parse(&format!("{}={value}", parameter.path))?)
}

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
        self.master.refresh_signals().map_err(|error| error.to_string())?;
        self.master.observe(&mut self.quantities).map_err(|error| error.to_string())?;
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
        self.renew().map_err(told)
    }

    fn exit_initialisation(&mut self) -> Result<(), String> {
        self.renew().map_err(told)
    }

    fn step(&mut self, step: &Step) -> Result<StepOutcome, String> {
        self.advance(step).map_err(told)?;
        Ok(StepOutcome { reached: step.time + step.size, event: false, terminate: false })
    }

    fn reset(&mut self) -> Result<(), String> {
        *self = Self::new(&self.name, &self.text).map_err(told)?;
        Ok(())
    }

    fn save(&mut self) -> Result<UnitState, String> {
        self.renew().map_err(told)?;
        let master = self.master.save().map_err(|error| error.to_string())?;
        let number = |value: &Value| match value {
            Value::Real(x) => (*x, String::new()),
            Value::Integer(x) => (f64::from(*x), String::new()),
            Value::Boolean(x) => (f64::from(u8::from(*x)), String::new()),
            Value::Text(text) => (0.0, text.clone()),
        };
        let parameters = self.parameters.iter().map(|own| own.values.iter().map(number).collect()).collect();
        Ok(UnitState { parameters, given: self.given.values(), is_started: self.is_started, master })
    }

    fn restore(&mut self, state: &UnitState) -> Result<(), String> {
        if state.given.len() != self.given.values().len() || state.parameters.len() != self.parameters.len() {
            return Err("the state is of another unit".to_owned());
        }
        for (own, saved) in self.parameters.iter_mut().zip(&state.parameters) {
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
        self.is_started = false;
        self.renew().map_err(told)?;
        self.given.set_all(&state.given);
        self.master.restore(&state.master).map_err(|error| error.to_string())?;
        self.is_started = state.is_started;
        Ok(())
    }

    fn serialise(&mut self, state: &UnitState) -> Result<Vec<u8>, String> {
        codec::encode(state).map_err(|error| error.to_string())
    }

    fn deserialise(&mut self, bytes: &[u8]) -> Result<UnitState, String> {
        codec::decode(bytes).map_err(|error| error.to_string())
    }
}
