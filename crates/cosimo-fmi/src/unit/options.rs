//! What a user says of a unit beyond its file.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How a unit takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceKind {
    /// It brings its own solver.
    CoSimulation,
    /// Our rules integrate it.
    ModelExchange,
}

impl FaceKind {
    /// As in model files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CoSimulation => "co-simulation",
            Self::ModelExchange => "model-exchange",
        }
    }
}

/// A value that is set before the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, true or false, a string, or a list of them")]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// A whole number; also the number of an item of an enumeration.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A text; also the name of an item of an enumeration.
    Text(String),
    /// The elements of an array in row-major order.
    List(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(x) => write!(f, "{x}"),
            Self::Integer(x) => write!(f, "{x}"),
            Self::Boolean(x) => write!(f, "{x}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::List(items) => write!(f, "a list of {}", items.len()),
        }
    }
}

/// Variables that are a mechanical port, by their names.
///
/// The loads say which way it goes: where they are inputs, the port gives motion; where they are outputs, it takes motion. A name of an
/// array stands for all of its elements. Lists that are empty are looked up: in the terminal of the port's name, else among variables named
/// `port.position`, `port.velocity`, `port.force`, `port.orientation`, `port.angular_velocity` and `port.moment`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PortOptions {
    /// Name of the port.
    pub name: String,
    /// Positions (m, rad).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub position: Vec<String>,
    /// Velocities (m/s, rad/s).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub velocity: Vec<String>,
    /// Loads (N, N m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub force: Vec<String>,
    /// The quaternion `w, x, y, z` of a frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orientation: Vec<String>,
    /// Its angular velocity along the axes of space (rad/s).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub angular_velocity: Vec<String>,
    /// Its moment along the axes of space (N m).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moment: Vec<String>,
}

/// How a unit is used. By default: model exchange where there is that face, start values of its description, ports by its terminals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnitOptions {
    /// The face; `None` for model exchange where there is one.
    pub face: Option<FaceKind>,
    /// Values that are set before the start, by name: of parameters, and start values of inputs and states.
    pub parameters: BTreeMap<String, Value>,
    /// Mechanical ports; where there are none, those of its terminals.
    pub ports: Vec<PortOptions>,
    /// Whether terminals are left alone: variables of ports that nobody names are signals.
    pub ignores_terminals: bool,
    /// Whether the unit carries its contacts itself where it could leave them to the master.
    pub keeps_contacts: bool,
    /// Further variables that can be recorded: names, with `*` for anything.
    pub quantities: Vec<String>,
    /// Names of the variables that are the kinetic and the potential energy (J).
    pub energy: [Option<String>; 2],
}
