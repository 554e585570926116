//! What is said of a unit.

use crate::protocol::{Kind, Value};

/// A version of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmiVersion {
    /// FMI 2.0.
    V2,
    /// FMI 3.0.
    V3,
}

/// How contacts inside a unit act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerImpacts {
    /// At instants within its steps: their impulses pass no joint.
    AtInstants,
    /// As momenta over its steps: joints pass them on as they pass loads.
    Captured,
}

/// A unit as its users see it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitDescription {
    /// Name of the model.
    pub name: String,
    /// Name of its binary: letters, digits and `_`, no digit first.
    pub identifier: String,
    /// What it is, in words.
    pub description: String,
    /// Tool that made it, with its version.
    pub tool: String,
    /// Its variables. The elements of arrays count one after another where scalars are numbered.
    pub variables: Vec<ExportedVariable>,
    /// Variables that belong together in connections; for FMI 3.
    pub terminals: Vec<TerminalSpec>,
    /// How contacts inside act, where there are some. An importer may learn that it carries them instead, in
    /// [event mode](ExportedVariable::in_event_mode).
    pub inner_impacts: Option<InnerImpacts>,
    /// How it should be simulated where nobody says otherwise.
    pub experiment: DefaultExperiment,
    /// What it can.
    pub capabilities: Capabilities,
}

impl UnitDescription {
    /// A unit without variables that can nothing but step. Its identifier is its name, with `_` for what identifiers may not have.
    pub fn new(name: &str) -> Self {
        let mut identifier: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        if !identifier.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            identifier.insert(0, '_');
        }
        Self {
            name: name.to_owned(),
            identifier,
            description: String::new(),
            tool: concat!("Cosimo ", env!("CARGO_PKG_VERSION")).to_owned(),
            variables: Vec::new(),
            terminals: Vec::new(),
            inner_impacts: None,
            experiment: DefaultExperiment::default(),
            capabilities: Capabilities::default(),
        }
    }
}

/// How a unit should be simulated where nobody says otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefaultExperiment {
    /// Time at which simulations start.
    pub start: Option<f64>,
    /// Time at which they end.
    pub stop: Option<f64>,
    /// Size of the communication steps.
    pub step: Option<f64>,
    /// Relative tolerance.
    pub tolerance: Option<f64>,
}

/// What a unit can.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities {
    /// Keeps states and goes back to them.
    pub can_save: bool,
    /// Tells kept states as bytes, and takes such.
    pub can_serialise: bool,
    /// Tells derivatives of outputs with respect to inputs.
    pub derivatives: bool,
    /// Has events that the host handles; for FMI 3.
    pub has_event_mode: bool,
    /// Steps may end early, at events; for FMI 3.
    pub might_return_early: bool,
}

/// A variable of a unit: a scalar or a vector.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedVariable {
    /// Its name, unique and other than `time`.
    pub name: String,
    /// What it is, in words.
    pub description: String,
    /// What it is to the host.
    pub causality: Causality,
    /// When it may change.
    pub variability: Variability,
    /// Its values at the start, which are also its type: one, or one for each element. Those of outputs and local variables are
    /// computed and not told.
    pub start: Vec<Value>,
    /// How many elements it has, where it is a vector. FMI 2 has scalars `name[1]` … in its place.
    pub dimension: Option<usize>,
    /// Its unit, such as `N m`, `m/s2`, `rad`.
    pub unit: Option<String>,
    /// Of an output: the variables, inputs, whose present values it depends on.
    pub dependencies: Vec<usize>,
    /// Whether it serves event mode alone: FMI 3 has it, and FMI 2 does not. Such variables come last.
    pub in_event_mode: bool,
    /// Whether it is a clock that the host ticks, a Boolean input.
    pub is_clock: bool,
    /// Of a discrete input that is set when a clock ticks: that clock.
    pub clock: Option<usize>,
}

impl ExportedVariable {
    /// A scalar. Real variables are continuous, others are discrete, parameters are fixed, until another variability is set.
    pub fn new(name: &str, causality: Causality, start: Value) -> Self {
        let variability = match (&causality, &start) {
            (Causality::Parameter, _) => Variability::Fixed,
            (_, Value::Real(_)) => Variability::Continuous,
            _ => Variability::Discrete,
        };
        Self {
            name: name.to_owned(),
            description: String::new(),
            causality,
            variability,
            start: vec![start],
            dimension: None,
            unit: None,
            dependencies: Vec::new(),
            in_event_mode: false,
            is_clock: false,
            clock: None,
        }
    }

    /// A clock that the host ticks in event mode.
    pub fn clock(name: &str) -> Self {
        let input = Self::new(name, Causality::Input, Value::Boolean(false));
        Self { is_clock: true, in_event_mode: true, ..input }
    }

    /// A vector.
    pub fn vector(name: &str, causality: Causality, start: Vec<Value>) -> Self {
        let first = start.first().cloned().unwrap_or(Value::Real(0.0));
        let dimension = Some(start.len());
        Self { start, dimension, ..Self::new(name, causality, first) }
    }

    /// The same, with a unit.
    pub fn with_unit(self, unit: &str) -> Self {
        Self { unit: Some(unit.to_owned()), ..self }
    }

    /// The same, in words.
    pub fn described(self, description: &str) -> Self {
        Self { description: description.to_owned(), ..self }
    }

    /// The same, with another variability.
    pub fn with_variability(self, variability: Variability) -> Self {
        Self { variability, ..self }
    }

    /// The same, dependent on the present values of inputs.
    pub fn depending_on(self, dependencies: &[usize]) -> Self {
        Self { dependencies: dependencies.to_vec(), ..self }
    }

    /// The same, set in event mode when this clock ticks.
    pub fn clocked_by(self, clock: usize) -> Self {
        Self { clock: Some(clock), in_event_mode: true, ..self }
    }

    /// The same, for what serves event mode alone.
    pub fn in_event_mode(self) -> Self {
        Self { in_event_mode: true, ..self }
    }

    /// Its type.
    pub fn kind(&self) -> Kind {
        self.start.first().map_or(Kind::Real, Value::kind)
    }

    /// How many scalars it has.
    pub fn count(&self) -> usize {
        self.dimension.unwrap_or(1)
    }
}

/// What a variable is to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Set before the initialisation, or between steps where it is tunable.
    Parameter,
    /// Set between steps.
    Input,
    /// Computed, for others.
    Output,
    /// Computed, to be looked at.
    Local,
}

/// When a variable may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Not after the initialisation.
    Fixed,
    /// When the host changes parameters.
    Tunable,
    /// At events and communication points.
    Discrete,
    /// At any time.
    Continuous,
}

/// Variables that are connected together.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminalSpec {
    /// Its name, unique.
    pub name: String,
    /// How its members match those of another: `plug`, `bus`, `sequence` or a rule of a further standard.
    pub matching_rule: String,
    /// Kind of terminal, as of a domain of physics.
    pub kind: Option<String>,
    /// What it is, in words.
    pub description: String,
    /// Its variables.
    pub members: Vec<TerminalMember>,
}

/// A variable in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminalMember {
    /// The variable.
    pub variable: usize,
    /// Its name in the terminal.
    pub name: String,
    /// Its role: `signal`, `inflow`, `outflow` or one of a further standard.
    pub kind: String,
}
