//! Signals and their connections.

use serde::Serialize;

/// One connection: an output feeds an input of the same unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConnectionSpec {
    /// The output, `subsystem.output`.
    pub from: String,
    /// The input, `subsystem.input`; it has one source at most.
    pub to: String,
}

/// An input or output, the same for every kind of subsystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalShape {
    /// Name, unique among the signals of the subsystem.
    pub name: String,
    /// Unit; empty for a number.
    pub unit: String,
    /// Whether it is an input that must be connected.
    pub is_required: bool,
}

impl SignalShape {
    /// An output.
    pub(crate) fn output(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), is_required: false }
    }
}
