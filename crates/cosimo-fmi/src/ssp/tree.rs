//! A system with its levels, as the files have it. References to other files and mappings of parameters are resolved.

use std::path::PathBuf;
use std::rc::Rc;

use super::outline::{Connector, Implementation};
use super::transformation::Transformation;
use super::value::ParameterValue;
use crate::description::{Place, Unit};

/// A system, or an element of one.
pub(super) struct Part {
    pub(super) name: String,
    /// The element in words.
    pub(super) label: String,
    pub(super) place: Place,
    pub(super) ports: Vec<Port>,
    /// Values of parameters, later ones of a name override earlier ones.
    pub(super) given: Vec<Given>,
    pub(super) content: Content,
}

/// What a part is.
pub(super) enum Content {
    /// A system of parts.
    System { parts: Vec<Part>, wires: Vec<Wire> },
    /// An FMU.
    Fmu { source: PathBuf, implementation: Option<Implementation> },
    /// A reference to a dictionary of signals.
    Dictionary,
}

/// A connector with its unit.
#[derive(Clone)]
pub(super) struct Port {
    pub(super) connector: Connector,
    pub(super) unit: Option<Rc<Unit>>,
    pub(super) label: String,
    pub(super) place: Place,
}

/// A connection of two connectors of a system or its parts.
pub(super) struct Wire {
    pub(super) start: WireEnd,
    pub(super) end: WireEnd,
    pub(super) transformation: Option<Transformation>,
    /// Units are not converted.
    pub(super) suppress: bool,
    pub(super) place: Place,
}

/// An end of a connection; without an element it is a connector of the system.
pub(super) struct WireEnd {
    pub(super) element: Option<String>,
    pub(super) connector: String,
}

impl std::fmt::Display for WireEnd {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.element.iter().try_for_each(|element| write!(out, "{element}."))?;
        out.write_str(&self.connector)
    }
}

impl std::fmt::Display for Wire {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the connection of `{}` and `{}`", self.start, self.end)
    }
}

/// The value of a parameter, by its name within the system or component that it is given to.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) name: String,
    pub(super) value: ParameterValue,
    pub(super) unit: Option<Rc<Unit>>,
    pub(super) dimensions: Vec<u64>,
    pub(super) transformation: Option<Transformation>,
    /// Units are not converted.
    pub(super) suppress: bool,
    pub(super) place: Place,
}
