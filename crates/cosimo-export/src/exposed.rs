//! The variables of a unit, and what each stands for.

use std::collections::BTreeMap;
use std::ops::Range;

use cosimo_composite::{OpenInput, SignalGraph, is_outside};
use cosimo_fmi::convention::MECHANICAL;
use cosimo_fmi_export::{
    Capabilities, Causality, DefaultExperiment, ExportedVariable, InnerImpacts, TerminalMember, TerminalSpec,
    UnitDescription, Value, Variability,
};
use cosimo_master::Master;
use cosimo_model::{ExportSpec, ModelSpec, PortShape, SignalShape};
use cosimo_subsystem::{Description, Subsystem};

use crate::ExportModelError;
use crate::contacts::OpenContact;

/// A port that is joined to nothing: loads come from outside, motion is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenPort {
    pub(crate) subsystem: String,
    pub(crate) shape: PortShape,
}

impl OpenPort {
    pub(crate) fn path(&self) -> String {
        format!("{}.{}", self.subsystem, self.shape.name)
    }
}

/// The value that an open input has as long as nobody sets it.
pub(crate) fn start_of(input: &OpenInput, master: &Master) -> f64 {
    let own = master.subsystems().iter().find(|own| own.description().name == input.subsystem);
    let mut inputs = own.iter().flat_map(|own| &own.description().inputs);
    inputs.find(|own| own.name == input.name).and_then(|own| own.default).unwrap_or(0.0)
}

/// What of a model is open.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Open {
    pub(crate) ports: Vec<OpenPort>,
    pub(crate) inputs: Vec<OpenInput>,
}

impl Open {
    /// The open ports that the export names, or all that give motion; and all open inputs.
    pub(crate) fn of(model: &ModelSpec) -> Result<Self, ExportModelError> {
        let port = |(subsystem, shape)| OpenPort { subsystem, shape };
        let input = |(subsystem, shape): (String, SignalShape)| OpenInput {
            subsystem,
            name: shape.name,
            unit: shape.unit,
        };
        let mut open = Self {
            ports: model.open_ports().into_iter().map(port).collect(),
            inputs: model.open_inputs().into_iter().map(input).collect(),
        };
        if let Some(wanted) = model.export.as_ref().and_then(|export| export.ports.as_ref()) {
            if let Some(port) = wanted.iter().find(|path| open.ports.iter().all(|port| port.path() != **path))
            {
                let reason = "which is no port that gives motion and is joined to nothing";
                return Err(ExportModelError::BadPort { port: port.clone(), reason });
            }
            open.ports.retain(|port| wanted.contains(&port.path()));
        }
        Ok(open)
    }

    /// Number of values that come from outside, contacts apart: loads, then signals.
    pub(crate) fn count(&self) -> usize {
        self.first_input() + self.inputs.len()
    }

    /// Place of the first signal that comes from outside.
    pub(crate) fn first_input(&self) -> usize {
        self.ports.iter().map(|port| port.shape.size).sum()
    }
}

/// What a scalar stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Role {
    /// An element of an entry of the model file, by the index of the parameter and its place in a list.
    Parameter(usize, usize),
    /// A value from outside: a load or a signal.
    Given(usize),
    /// Position of a row of a subsystem.
    Position(usize, usize),
    /// Its rate.
    Velocity(usize, usize),
    /// A component of the quaternion of a frame of a subsystem: frame, then `w, x, y, z`.
    Orientation(usize, usize, usize),
    /// A signal.
    Signal(String),
    /// A quantity by its place among the labels of the master.
    Quantity(usize),
    /// An impulse at the place of a load from outside.
    Impulse(usize),
    /// The clock of impulses.
    Clock,
    /// Whether the host carries the contacts.
    Carried,
    /// Coefficient of restitution of a contact, and of friction.
    Restitution(usize),
    Friction(usize),
}

/// What a unit can beside its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// It takes impulses between steps.
    pub(crate) takes_impulses: bool,
    /// It stops at impacts.
    pub(crate) stops_at_impacts: bool,
}

/// A parameter of the unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameter {
    /// Path of the entry in the file.
    pub(crate) path: String,
    /// Its value; a list has several.
    pub(crate) values: Vec<Value>,
    pub(crate) is_list: bool,
    /// Whether the host has given it. Otherwise it is what the file makes of the others.
    pub(crate) is_given: bool,
}

impl Parameter {
    /// The entry of a model, or parameter of its file, at a path.
    pub(crate) fn read(
        path: &str,
        (model, parameters): (&ModelSpec, &BTreeMap<String, toml::Value>),
    ) -> Result<Self, ExportModelError> {
        let own = file_parameter(path, parameters)?;
        let is_full = own.is_some()
            || path.starts_with("subsystem.")
            || path.contains('.') && model.entry(path).is_some();
        let full = if is_full { path.to_owned() } else { format!("subsystem.{path}") };
        let entry = own
            .or_else(|| model.entry(&full))
            .ok_or_else(|| ExportModelError::NoEntry { name: path.to_owned() })?;
        let bad = || bad_entry(path, entry.to_string(), OF_ENTRIES);
        let values: Vec<Value> = match &entry {
            toml::Value::Array(items) => {
                items.iter().map(|item| real(item).ok_or_else(bad)).collect::<Result<_, _>>()?
            }
            one => vec![value(one).ok_or_else(bad)?],
        };
        Ok(Self { path: full, values, is_list: entry.is_array(), is_given: false })
    }

    /// Takes another value where the host has given none.
    pub(crate) fn follow(&mut self, other: Self) {
        if !self.is_given && self.values.len() == other.values.len() {
            self.values = other.values;
        }
    }
}

/// The variables of a unit with their roles.
pub(crate) struct Exposed {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) description: UnitDescription,
    /// Of every scalar.
    pub(crate) roles: Vec<Role>,
    /// Subsystem and row of every place of a load from outside; none of signals.
    pub(crate) rows: Vec<Option<(usize, usize)>>,
    /// Members of the terminals that are variables of impulses, by terminal: they come last.
    pub(crate) impulses: Vec<Impulses>,
}

/// The impulses of a terminal, which come after all other variables.
pub(crate) struct Impulses {
    pub(crate) terminal: usize,
    /// Name of the member, unit, and places of the loads.
    pub(crate) members: Vec<(&'static str, &'static str, Range<usize>)>,
}

impl Exposed {
    /// Those of a model with these open ends, as it is built.
    pub(crate) fn new(
        name: &str,
        (model, parameters): (&ModelSpec, &BTreeMap<String, toml::Value>),
        (open, contacts): (&Open, &[OpenContact]),
        master: &Master,
        abilities: Abilities,
    ) -> Result<Self, ExportModelError> {
        let mut new = Self {
            parameters: Vec::new(),
            description: UnitDescription::new(name),
            roles: Vec::new(),
            rows: vec![None; open.count()],
            impulses: Vec::new(),
        };
        new.description.description.clone_from(&model.title);
        let can_save = master.save().is_ok();
        new.description.capabilities = Capabilities {
            can_save,
            can_serialise: can_save,
            derivatives: can_save && !(open.ports.is_empty() && contacts.is_empty()),
            has_event_mode: abilities.takes_impulses || abilities.stops_at_impacts,
            might_return_early: abilities.stops_at_impacts,
        };
        let has_contacts = master.subsystems().iter().any(|own| !own.description().contacts.is_empty());
        let captures = master.subsystems().iter().any(|own| own.description().capabilities.captures_impacts);
        new.description.inner_impacts = match () {
            () if abilities.stops_at_impacts => Some(InnerImpacts::AtInstants),
            () if has_contacts || captures => Some(InnerImpacts::Captured),
            () => None,
        };
        let time = &model.time;
        new.description.experiment = DefaultExperiment {
            start: Some(time.start),
            stop: Some(time.end),
            step: Some(time.step),
            tolerance: None,
        };
        for path in model.export.iter().flat_map(|export| &export.parameters) {
            new.add_parameter((model, parameters), path)?;
        }
        let mut given = 0;
        for port in &open.ports {
            given = new.add_port(port, master, given);
        }
        for input in &open.inputs {
            let start = Value::Real(start_of(input, master));
            let variable = ExportedVariable::new(&input.path(), Causality::Input, start);
            new.add(variable.with_unit(&input.unit), [Role::Given(given)]);
            given += 1;
        }
        new.add_outputs(model, open, master)?;
        if abilities.takes_impulses {
            new.add_contacts(contacts);
            new.add_impulses();
        }
        Ok(new)
    }

    /// Adds a variable with the roles of its scalars; returns its index.
    pub(crate) fn add(&mut self, variable: ExportedVariable, roles: impl IntoIterator<Item = Role>) -> usize {
        let variable = if variable.unit.as_deref() == Some("") {
            ExportedVariable { unit: None, ..variable }
        } else {
            variable
        };
        self.description.variables.push(variable);
        self.roles.extend(roles);
        self.description.variables.len() - 1
    }

    fn add_parameter(
        &mut self,
        (model, parameters): (&ModelSpec, &BTreeMap<String, toml::Value>),
        path: &str,
    ) -> Result<(), ExportModelError> {
        let parameter = Parameter::read(path, (model, parameters))?;
        let Parameter { path: full, values, is_list, .. } = &parameter;
        let index = self.parameters.len();
        let name = full.strip_prefix("subsystem.").or(full.strip_prefix(ExportSpec::OF_FILE)).unwrap_or(full);
        let variable = match (is_list, values.first()) {
            (false, Some(value)) => ExportedVariable::new(name, Causality::Parameter, value.clone()),
            _ => ExportedVariable::vector(name, Causality::Parameter, values.clone()),
        };
        let is_real = values.iter().all(|value| matches!(value, Value::Real(_)));
        let unit = if is_real { model.entry_unit(full) } else { None };
        let variable = ExportedVariable { unit, ..variable };
        let roles = (0..values.len()).map(|k| Role::Parameter(index, k));
        self.add(variable.with_variability(Variability::Tunable), roles);
        self.parameters.push(parameter);
        Ok(())
    }

    /// The variables of an open port, and its terminal; returns the next value from outside.
    fn add_port(&mut self, port: &OpenPort, master: &Master, given: usize) -> usize {
        let subsystem = master.subsystems().iter().position(|own| own.description().name == port.subsystem);
        let subsystem = subsystem.unwrap_or_default();
        let description = master.subsystems()[subsystem].description();
        let index = description.port_index(&port.shape.name).unwrap_or_default();
        let (row, size) = (description.port_row(index), port.shape.size);
        (0..size).for_each(|k| self.rows[given + k] = Some((subsystem, row + k)));
        let straight = if port.shape.is_frame { 3 } else { size };
        let [length, force] = if port.shape.is_angle { ["rad", "N m"] } else { ["m", "N"] };
        let mut members = Vec::new();
        let path = port.path();
        let frame = description.frames().find(|(first, _)| *first == row).map(|(_, place)| place);
        let mut put = |own: &mut Self, role: &str, unit: &str, causality: Causality, roles: Vec<Role>| {
            let name = format!("{path}.{role}");
            let zeros = vec![Value::Real(0.0); roles.len()];
            let variable = match zeros.as_slice() {
                [one] => ExportedVariable::new(&name, causality, one.clone()),
                _ => ExportedVariable::vector(&name, causality, zeros),
            };
            let variable = own.add(variable.with_unit(unit), roles);
            members.push(TerminalMember { variable, name: role.to_owned(), kind: "signal".to_owned() });
        };
        let positions = (0..straight).map(|k| Role::Position(subsystem, row + k)).collect();
        put(self, "position", length, Causality::Output, positions);
        let velocities = (0..straight).map(|k| Role::Velocity(subsystem, row + k)).collect();
        put(self, "velocity", &format!("{length}/s"), Causality::Output, velocities);
        put(self, "force", force, Causality::Input, (0..straight).map(|k| Role::Given(given + k)).collect());
        if let Some(frame) = frame {
            let turned = (0..4).map(|k| Role::Orientation(subsystem, frame, k)).collect();
            put(self, "orientation", "", Causality::Output, turned);
            let rates = (3..6).map(|k| Role::Velocity(subsystem, row + k)).collect();
            put(self, "angular_velocity", "rad/s", Causality::Output, rates);
            put(self, "moment", "N m", Causality::Input, (3..6).map(|k| Role::Given(given + k)).collect());
        }
        let terminal = self.add_terminal(path, MECHANICAL, members);
        let mut impulses =
            vec![("impulse", if force == "N" { "N s" } else { "N m s" }, given..given + straight)];
        if frame.is_some() {
            impulses.push(("angular_impulse", "N m s", given + 3..given + 6));
        }
        self.impulses.push(Impulses { terminal, members: impulses });
        given + size
    }

    pub(crate) fn add_terminal(&mut self, name: String, kind: &str, members: Vec<TerminalMember>) -> usize {
        let (matching_rule, kind) = ("plug".to_owned(), Some(kind.to_owned()));
        let terminal = TerminalSpec { name, matching_rule, kind, description: String::new(), members };
        self.description.terminals.push(terminal);
        self.description.terminals.len() - 1
    }

    /// All signals that the model gives, with the open inputs that reach them at once, and the quantities that the export names.
    fn add_outputs(
        &mut self,
        model: &ModelSpec,
        open: &Open,
        master: &Master,
    ) -> Result<(), ExportModelError> {
        let first_input = self.description.variables.len() - open.inputs.len();
        let connections = model.build_connections();
        let subsystems: Vec<&Description> = own(master).map(Subsystem::description).collect();
        let graph = SignalGraph { subsystems: &subsystems, connections: &connections, inputs: &open.inputs };
        for description in &subsystems {
            for output in &description.outputs {
                let path = format!("{}.{}", description.name, output.name);
                let variable =
                    ExportedVariable::new(&path, Causality::Output, Value::Real(0.0)).with_unit(&output.unit);
                let inputs = graph.reaching(&description.name, &output.name).into_iter();
                let inputs: Vec<usize> = inputs.map(|input| first_input + input).collect();
                self.add(variable.depending_on(&inputs), [Role::Signal(path)]);
            }
        }
        self.add_quantities(model, master)
    }

    /// Adds the quantities that the model exports, unless an output or an input has their name. They depend on no input at once: a
    /// subsystem tells them of the state that it has reached, without being given its inputs.
    fn add_quantities(&mut self, model: &ModelSpec, master: &Master) -> Result<(), ExportModelError> {
        let known: BTreeMap<String, Causality> =
            self.description.variables.iter().map(|own| (own.name.clone(), own.causality)).collect();
        let mut unmet: Vec<&String> = model.export.iter().flat_map(|export| &export.quantities).collect();
        unmet.retain(|pattern| {
            *pattern != "*" && !known.keys().any(|name| cosimo_model::is_like(pattern, name))
        });
        for (index, label) in master.labels().into_iter().enumerate() {
            let path = format!("{}.{}", label.owner, label.name);
            unmet.retain(|pattern| !cosimo_model::is_like(pattern, &path));
            let mut patterns = model.export.iter().flat_map(|export| &export.quantities);
            let is_wanted = patterns.any(|pattern| cosimo_model::is_like(pattern, &path));
            if !is_wanted || is_outside(&label.owner) {
                continue;
            }
            match known.get(&path) {
                Some(Causality::Parameter) => return Err(ExportModelError::QuantityOfParameter { path }),
                Some(_) => {}
                None => {
                    let variable = ExportedVariable::new(&path, Causality::Output, Value::Real(0.0));
                    self.add(variable.with_unit(&label.unit), [Role::Quantity(index)]);
                }
            }
        }
        let Some(pattern) = unmet.first() else { return Ok(()) };
        Err(ExportModelError::NoQuantity { pattern: (*pattern).clone(), known: known_quantities(master) })
    }
}

/// So many quantities are listed in messages.
const LISTED: usize = 20;

/// The quantities of a model, for messages.
fn known_quantities(master: &Master) -> String {
    let labels = master.labels().into_iter().filter(|label| !is_outside(&label.owner));
    let names: Vec<String> = labels.map(|label| format!("`{}.{}`", label.owner, label.name)).collect();
    let listed = names[..names.len().min(LISTED)].join(", ");
    let more = names.len().saturating_sub(LISTED);
    if more > 0 { format!("{listed} and {more} more") } else { listed }
}

/// The subsystems of the model, without what stands outside.
fn own(master: &Master) -> impl Iterator<Item = &dyn Subsystem> {
    master.subsystems().iter().map(AsRef::as_ref).filter(|own| !is_outside(&own.description().name))
}

/// The parameter of the file that a path stands for, if it is one.
fn file_parameter(
    path: &str,
    parameters: &BTreeMap<String, toml::Value>,
) -> Result<Option<toml::Value>, ExportModelError> {
    let Some(name) = path.strip_prefix(ExportSpec::OF_FILE) else { return Ok(None) };
    let is_within = |own: &String| own.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    match parameters.get(name) {
        Some(text @ toml::Value::String(_)) => Err(bad_entry(path, text.to_string(), OF_FILES)),
        None if parameters.keys().any(is_within) => Err(bad_entry(path, "a table".to_owned(), OF_FILES)),
        found => Ok(found.cloned()),
    }
}

/// What entries can be as parameters, and parameters of the file.
const OF_ENTRIES: &str = "a number, true or false, a text, or a list of numbers";
const OF_FILES: &str = "a number, true or false, or a list of numbers";

fn bad_entry(name: &str, found: String, expected: &'static str) -> ExportModelError {
    ExportModelError::BadEntry { name: name.to_owned(), found, expected }
}

fn real(value: &toml::Value) -> Option<Value> {
    #[expect(clippy::cast_precision_loss, reason = "what is written as a whole number")]
    let number = value.as_float().or_else(|| value.as_integer().map(|x| x as f64));
    number.map(Value::Real)
}

fn value(value: &toml::Value) -> Option<Value> {
    match value {
        toml::Value::Boolean(flag) => Some(Value::Boolean(*flag)),
        toml::Value::String(text) => Some(Value::Text(text.clone())),
        toml::Value::Integer(number) => i32::try_from(*number).ok().map(Value::Integer),
        other => real(other),
    }
}
