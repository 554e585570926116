//! A system without levels: what is read, and what is written.

use std::path::PathBuf;

use super::transformation::Transformation;
use super::value::ParameterValue;
use crate::description::reader::words;
use crate::description::{EnumerationType, Unit, VariableKind};

/// Major version of SSP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SspVersion {
    /// SSP 1.0.
    #[default]
    V1,
    /// SSP 2.0.
    V2,
}

/// A system of FMUs without levels: connections lead from FMU to FMU, parameters belong to FMUs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Name of the system.
    pub name: String,
    /// Version of the standard.
    pub version: SspVersion,
    /// The FMUs.
    pub components: Vec<Component>,
    /// Which connectors give values to which.
    pub connections: Vec<Connection>,
    /// Time of the simulation.
    pub experiment: Experiment,
    /// Units of connectors and parameters.
    pub units: Vec<Unit>,
    /// Enumerations of connectors.
    pub enumerations: Vec<EnumerationType>,
}

/// An FMU of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Unique name: names of the systems around it and its own, with dots between; that of the outermost is left out.
    pub name: String,
    /// The FMU: a file, or a folder into which one was unpacked.
    pub source: PathBuf,
    /// How the FMU is to be used; `None` leaves that open.
    pub implementation: Option<Implementation>,
    /// What can be connected.
    pub connectors: Vec<Connector>,
    /// Start values of parameters and other variables, sorted by name.
    pub parameters: Vec<Parameter>,
}

/// How an FMU is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    /// Co-simulation.
    CoSimulation,
    /// Model exchange.
    ModelExchange,
    /// Scheduled execution (SSP 2.0).
    ScheduledExecution,
}

/// As in the file, where `any` is a word of its own.
pub(super) struct MaybeImplementation(pub(super) Option<Implementation>);

impl crate::description::reader::Value for MaybeImplementation {
    const EXPECTED: &'static str = "`any`, `CoSimulation`, `ModelExchange` or `ScheduledExecution`";
    fn read(text: &str) -> Option<Self> {
        let value = match text.trim() {
            "any" => None,
            "CoSimulation" => Some(Implementation::CoSimulation),
            "ModelExchange" => Some(Implementation::ModelExchange),
            "ScheduledExecution" => Some(Implementation::ScheduledExecution),
            _ => return None,
        };
        Some(Self(value))
    }
}

/// A variable of an FMU that can be connected.
#[derive(Clone, Debug, PartialEq)]
pub struct Connector {
    /// Name of the variable.
    pub name: String,
    /// Who gives the value.
    pub kind: ConnectorKind,
    /// Type of the values; `None` leaves that to the FMU. An enumeration has its index into [`Outline::enumerations`].
    pub value_type: Option<VariableKind>,
    /// Unit, by name.
    pub unit: Option<String>,
    /// Sizes of an array, none for a scalar (SSP 2.0).
    pub dimensions: Vec<Dimension>,
}

/// Who gives the value of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectorKind {
    /// Given by others.
    Input,
    /// Calculated for others.
    Output,
    /// Given before the simulation.
    Parameter,
    /// Calculated of parameters.
    CalculatedParameter,
    /// Given before the simulation, sizes arrays (SSP 2.0).
    StructuralParameter,
    /// Never changes (SSP 2.0).
    Constant,
    /// Calculated, meant for observation (SSP 2.0).
    Local,
    /// As the connections need it.
    Inout,
    /// Not decided (SSP 2.0).
    Unspecified,
}

impl ConnectorKind {
    /// As in the file.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Parameter => "parameter",
            Self::CalculatedParameter => "calculatedParameter",
            Self::StructuralParameter => "structuralParameter",
            Self::Constant => "constant",
            Self::Local => "local",
            Self::Inout => "inout",
            Self::Unspecified => "unspecified",
        }
    }
}

words!(ConnectorKind, "a kind of connector (`input`, `output`, `parameter`, `calculatedParameter`, `structuralParameter`, `constant`, `local`, `inout`, `unspecified`)",
    "input" => Input, "output" => Output, "parameter" => Parameter, "calculatedParameter" => CalculatedParameter,
    "structuralParameter" => StructuralParameter, "constant" => Constant, "local" => Local, "inout" => Inout,
    "unspecified" => Unspecified);

/// Size of an array in one direction (SSP 2.0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// This many elements.
    Size(u64),
    /// As many elements as the connector of this name says.
    Connector(String),
    /// Left to the FMU.
    Open,
}

/// A connector of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Endpoint {
    /// Index into [`Outline::components`].
    pub component: usize,
    /// Name of the connector.
    pub connector: String,
}

/// A connection of two components. Where both ends are parameters it holds at the initialization only.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Where the value comes from.
    pub from: Endpoint,
    /// Where it goes.
    pub to: Endpoint,
    /// How it changes on the way, conversion of units included.
    pub transformation: Option<Transformation>,
}

/// Time of a simulation, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Experiment {
    /// Time of the start.
    pub start: Option<f64>,
    /// Time of the end.
    pub stop: Option<f64>,
}

/// The start value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name of the variable.
    pub name: String,
    /// The value.
    pub value: ParameterValue,
    /// Unit of real values, by name: that of the variable if both are known.
    pub unit: Option<String>,
    /// Sizes of an array, none for a scalar (SSP 2.0).
    pub dimensions: Vec<u64>,
}
