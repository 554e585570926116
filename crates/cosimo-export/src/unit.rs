//! A model as a unit.

use cosimo_composite::Given;
use cosimo_fmi_export::{Change, Step, StepOutcome, UnitDescription, Value};
use cosimo_master::Master;
use cosimo_model::{ExportSpec, ModelSpec, Override};

use crate::ExportModelError;
use crate::assembly::assemble;
use crate::contacts::{OpenContact, open_contacts};
use crate::exposed::{Abilities, Exposed, Open, Parameter, Role, start_of};
use crate::source::Source;
use crate::state::{Instant, LastStep, UnitState};

/// Rounding of times, relative (–).
pub(crate) const ROUND_OFF: f64 = 1e-9;

/// A model as a unit: what an exported FMU runs.
pub struct ModelUnit {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) model: ModelSpec,
    open: Open,
    /// Contacts that the host may carry, and whether it does.
    contacts: Vec<OpenContact>,
    pub(crate) carries_contacts: bool,
    pub(crate) given: Given,
    pub(crate) exposed: Exposed,
    /// Values of the parameters.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) master: Master,
    /// Whether parameters have changed since the master was built.
    pub(crate) is_stale: bool,
    pub(crate) is_started: bool,
    /// Whether the host handles events, and whether it does so now.
    pub(crate) handles_events: bool,
    pub(crate) in_events: bool,
    /// Size of the last inner step (s), with which the model goes on after an instant.
    pub(crate) inner_size: f64,
    pub(crate) instant: Instant,
    /// The last step, where derivatives need it.
    pub(crate) last_step: Option<LastStep>,
    quantities: Vec<f64>,
}

impl ModelUnit {
    /// The unit of a model file.
    ///
    /// # Errors
    /// The model cannot be read or built, or its `[export]` names what it does not have.
    pub fn new(name: &str, text: &str) -> Result<Self, ExportModelError> {
        Self::of_source(name, Source::File(text.to_owned()))
    }

    pub(crate) fn of_source(name: &str, source: Source) -> Result<Self, ExportModelError> {
        let model = source.model(name, &[])?;
        let open = source.open(&model)?;
        let given = Given::zeros(open.count());
        let mut master = assemble((&source, &model), &open, &[], &given)?;
        let (contacts, abilities) = abilities((&source, &model), &open, &mut master)?;
        let exposed = Exposed::new(
            name,
            (&model, &source.parameters(name, &[])?),
            (&open, &contacts),
            &master,
            abilities,
        )?;
        given.extend_to(exposed.rows.len());
        let first = open.first_input();
        for (k, input) in open.inputs.iter().enumerate() {
            given.set(first + k, start_of(input, &master));
        }
        let quantities = vec![0.0; master.labels().len()];
        let parameters = exposed.parameters.clone();
        Ok(Self {
            name: name.to_owned(),
            source,
            is_stale: false,
            is_started: false,
            handles_events: false,
            in_events: false,
            inner_size: model.time.step,
            instant: Instant::default(),
            last_step: None,
            carries_contacts: false,
            contacts,
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

    pub(crate) fn set_scalar(&mut self, change: &Change) -> Result<(), ExportModelError> {
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
                let parameter = &mut self.parameters[parameter];
                let own = &mut parameter.values[k];
                if own.kind() != value.kind() {
                    return Err(bad(self));
                }
                self.is_stale |= own != value;
                *own = value.clone();
                parameter.is_given = true;
            }
            (Some(Role::Impulse(place)), Value::Real(value)) if value.is_finite() => {
                self.instant.set_impulse(place, *value);
            }
            (Some(Role::Clock), Value::Boolean(ticks)) => self.instant.ticks = *ticks,
            (Some(Role::Carried), Value::Boolean(carries)) if !self.is_started => {
                self.is_stale |= self.carries_contacts != *carries;
                self.carries_contacts = *carries;
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
    pub(crate) fn renew(&mut self) -> Result<(), ExportModelError> {
        if !std::mem::take(&mut self.is_stale) {
            return Ok(());
        }
        let state = if self.is_started { Some(self.master.save()?) } else { None };
        let model = self.changed_model()?;
        let parts = (&self.source, &model);
        let mut master = assemble(parts, &self.open, &[], &self.given)?;
        if !self.contacts.is_empty() {
            let contacts = open_contacts(&master);
            if contacts.len() != self.contacts.len() {
                return Err(ExportModelError::OtherContacts);
            }
            self.contacts = contacts;
        }
        if self.carries_contacts {
            master = assemble(parts, &self.open, &self.contacts, &self.given)?;
        }
        if let Some(state) = &state {
            master.restore(state)?;
            master.book_changed_energies();
        }
        self.quantities = vec![0.0; master.labels().len()];
        (self.model, self.master, self.last_step) = (model, master, None);
        Ok(())
    }

    /// The model with the parameters that the host has given; the others follow.
    fn changed_model(&mut self) -> Result<ModelSpec, ExportModelError> {
        let given = || self.parameters.iter().filter(|own| own.is_given);
        let changes: Vec<Override> = given().map(to_override).collect::<Result<_, _>>()?;
        let of_file = given().filter(|own| own.path.starts_with(ExportSpec::OF_FILE)).map(to_override);
        let of_file = self.source.parameters(&self.name, &of_file.collect::<Result<Vec<_>, _>>()?)?;
        let model = self.source.model(&self.name, &changes)?;
        for parameter in &mut self.parameters {
            let read = Parameter::read(&parameter.path, (&model, &of_file))?;
            parameter.follow(read);
        }
        Ok(model)
    }

    pub(crate) fn advance(&mut self, step: &Step) -> Result<StepOutcome, ExportModelError> {
        self.renew()?;
        self.pass_pending()?;
        let now = self.master.time();
        if (step.time - now).abs() > ROUND_OFF * step.size.max(now.abs()) {
            return Err(ExportModelError::Time { expected: now, found: step.time });
        }
        let is_many = self.inner_steps(step.size) > 1;
        let needs_start = self.exposed.description.capabilities.derivatives
            && (is_many || !self.master.has_step_response() || self.master.begins_anew());
        let start = if needs_start { Some(self.state()?) } else { None };
        self.is_started = true;
        // What was set since the last step counts from its end on.
        self.master.refresh_signals()?;
        let reached = if self.handles_events && step.may_end_early && self.master.can_stop_at_impacts() {
            self.take_steps_until_impact(step.time, step.size)?
        } else {
            self.take_steps(step.size)?;
            step.time + step.size
        };
        self.last_step = start.map(|start| LastStep { start, size: reached - step.time });
        Ok(StepOutcome { reached, event: !self.instant.pending.is_empty(), terminate: false })
    }

    /// How many steps the model takes in one of this size (s).
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, saturating")]
    fn inner_steps(&self, size: f64) -> u32 {
        (size / self.model.time.step - ROUND_OFF).ceil().max(1.0) as u32
    }

    /// Takes the model over a step.
    pub(crate) fn take_steps(&mut self, size: f64) -> Result<(), ExportModelError> {
        let count = self.inner_steps(size);
        self.inner_size = size / f64::from(count);
        for _ in 0..count {
            self.master.step(self.inner_size)?;
        }
        Ok(())
    }

    /// The same up to the next impact; returns the time reached (s).
    fn take_steps_until_impact(&mut self, time: f64, size: f64) -> Result<f64, ExportModelError> {
        let count = self.inner_steps(size);
        self.inner_size = size / f64::from(count);
        for _ in 0..count {
            let (_, pending) = self.master.step_until_impact(self.inner_size)?;
            if !pending.is_empty() {
                self.instant.pending = pending;
                return Ok(self.master.time().min(time + size));
            }
        }
        Ok(time + size)
    }

    /// Evaluates signals and quantities of the present communication point.
    pub(crate) fn show(&mut self) -> Result<(), ExportModelError> {
        self.master.refresh_signals()?;
        Ok(self.master.observe(&mut self.quantities)?)
    }

    /// The value of a scalar that tells of motion.
    pub(crate) fn motion(&self, role: &Role) -> Option<f64> {
        let subsystems = self.master.subsystems();
        Some(match role {
            Role::Position(subsystem, row) => subsystems[*subsystem].rows().positions[*row],
            Role::Velocity(subsystem, row) => subsystems[*subsystem].rows().velocities[*row],
            Role::Orientation(subsystem, frame, k) => {
                let q = subsystems[*subsystem].rows().orientations[*frame];
                [q.w, q.i, q.j, q.k][*k]
            }
            _ => return None,
        })
    }

    pub(crate) fn value(&self, role: &Role) -> Value {
        Value::Real(match role {
            Role::Parameter(index, k) => return self.parameters[*index].values[*k].clone(),
            Role::Clock => return Value::Boolean(self.instant.ticks),
            Role::Carried => return Value::Boolean(self.carries_contacts),
            Role::Given(place) => self.given.get(*place),
            Role::Impulse(place) => self.instant.impulse(*place),
            Role::Signal(name) => self.master.signal(name).unwrap_or(0.0),
            Role::Quantity(index) => self.quantities.get(*index).copied().unwrap_or(0.0),
            Role::Restitution(index) => self.contacts.get(*index).map_or(0.0, |own| own.restitution),
            Role::Friction(index) => self.contacts.get(*index).and_then(|own| own.friction).unwrap_or(0.0),
            motion => self.motion(motion).unwrap_or(0.0),
        })
    }

    /// Everything that influences the future.
    pub(crate) fn state(&self) -> Result<UnitState, ExportModelError> {
        let master = self.master.save()?.without_costs();
        let number = |value: &Value| match value {
            Value::Real(x) => (*x, String::new()),
            Value::Integer(x) => (f64::from(*x), String::new()),
            Value::Boolean(x) => (f64::from(u8::from(*x)), String::new()),
            Value::Text(text) => (0.0, text.clone()),
        };
        let parameters = self.parameters.iter().map(|own| own.values.iter().map(number).collect()).collect();
        Ok(UnitState {
            parameters,
            given_parameters: self.parameters.iter().map(|own| own.is_given).collect(),
            given: self.given.values(),
            carries_contacts: self.carries_contacts,
            is_started: self.is_started,
            handles_events: self.handles_events,
            in_events: self.in_events,
            inner_size: self.inner_size,
            instant: self.instant.clone(),
            master,
        })
    }

    /// Goes back to a state of this unit with these parameters.
    pub(crate) fn put_back(&mut self, state: &UnitState) -> Result<(), ExportModelError> {
        self.given.set_all(&state.given);
        self.master.restore(&state.master)?;
        self.instant = state.instant.clone();
        self.is_started = state.is_started;
        (self.handles_events, self.in_events) = (state.handles_events, state.in_events);
        self.inner_size = state.inner_size;
        Ok(())
    }
}

/// The contacts that a host may carry, and what the unit can.
fn abilities(
    (source, model): (&Source, &ModelSpec),
    open: &Open,
    master: &mut Master,
) -> Result<(Vec<OpenContact>, Abilities), ExportModelError> {
    let contacts = open_contacts(master);
    let has_contacts = master.subsystems().iter().any(|own| !own.description().contacts.is_empty());
    let size = model.time.step;
    // Impulses act where no contact of the model carries.
    let takes_impulses = match (contacts.is_empty(), has_contacts) {
        (true, true) => false,
        (true, false) => !open.ports.is_empty() && master.impulse_response(&[], size).is_ok(),
        (false, _) => {
            let rows: usize = contacts.iter().map(|contact| contact.rows().count()).sum();
            let given = Given::zeros(open.count() + rows);
            assemble((source, model), open, &contacts, &given)?.impulse_response(&[], size).is_ok()
        }
    };
    let stops_at_impacts = master.can_stop_at_impacts();
    let contacts = if takes_impulses { contacts } else { Vec::new() };
    Ok((contacts, Abilities { takes_impulses, stops_at_impacts }))
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
