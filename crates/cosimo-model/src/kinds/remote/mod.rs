//! `kind = "remote"`: a subsystem of another make, which a program of its own serves.

pub(crate) mod read;

use cosimo_subsystem::{Description, PortSpec, Subsystem};
use serde::Serialize;

use super::Kind;
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, QuantityRole, SignalShape, quantity};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "remote";

/// What the model knows of a subsystem of another make. Its server has to show the same.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RemoteKindSpec {
    /// Signals that it takes.
    #[serde(rename = "input", skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<NamedUnit>,
    /// Signals that it gives.
    #[serde(rename = "output", skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<NamedUnit>,
    /// Quantities that can be recorded besides.
    #[serde(rename = "quantity", skip_serializing_if = "Vec::is_empty")]
    pub quantities: Vec<NamedUnit>,
    /// Ports, at which it is joined to others.
    #[serde(rename = "port", skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<RemotePortSpec>,
}

/// A name and a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedUnit {
    /// Name, unique in its list.
    pub name: String,
    /// Unit; empty for a number.
    pub unit: String,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RemotePortSpec {
    /// Name, unique among the ports.
    pub name: String,
    /// Number of coordinates: 1, 3 or 6.
    pub coordinates: u32,
    /// Whether the six coordinates are those of a frame.
    pub frame: bool,
    /// Whether it takes motion and answers with loads.
    pub load: bool,
}

impl RemoteKindSpec {
    fn ports_of(&self, load: bool) -> impl Iterator<Item = PortSpec> {
        let own = self.ports.iter().filter(move |port| port.load == load);
        own.map(|port| PortSpec {
            name: port.name.clone(),
            size: port.coordinates as usize,
            is_frame: port.frame,
        })
    }
}

/// The first difference between the names that a list has and should have.
fn difference<'a>(
    what: &str,
    mut found: impl Iterator<Item = &'a str>,
    mut expected: impl Iterator<Item = &'a str>,
) -> Option<String> {
    loop {
        match (found.next(), expected.next()) {
            (None, None) => return None,
            (Some(found), Some(expected)) if found == expected => {}
            (Some(found), Some(expected)) => {
                return Some(format!("its {what} `{found}` is `{expected}` in the model"));
            }
            (Some(found), None) => return Some(format!("its {what} `{found}` is not in the model")),
            (None, Some(expected)) => {
                return Some(format!("it has no {what} `{expected}`, which the model has"));
            }
        }
    }
}

impl Kind for RemoteKindSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        let shape = |port: &RemotePortSpec| PortShape {
            is_frame: port.frame,
            is_load: port.load,
            ..PortShape::new(&port.name, port.coordinates as usize)
        };
        self.ports.iter().map(shape).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("is stepped by whoever serves it")
    }

    fn inputs(&self) -> Vec<SignalShape> {
        let shape = |own: &NamedUnit| SignalShape {
            name: own.name.clone(),
            unit: own.unit.clone(),
            is_required: true,
        };
        self.inputs.iter().map(shape).collect()
    }

    fn outputs(&self) -> Vec<SignalShape> {
        self.outputs.iter().map(|own| SignalShape::output(&own.name, &own.unit)).collect()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        self.quantities.iter().map(|own| quantity(&own.name, &own.unit, QuantityRole::Signal)).collect()
    }

    fn check_served(&self, found: &Description) -> Option<String> {
        if let Some(contact) = found.contacts.first() {
            return Some(format!("it has contact `{}`, and this kind has none", contact.name));
        }
        let ports = |own: &[PortSpec], load| {
            let names = difference(
                if load { "load port" } else { "port" },
                own.iter().map(|port| port.name.as_str()),
                self.ports.iter().filter(|port| port.load == load).map(|port| port.name.as_str()),
            );
            let other = own.iter().zip(self.ports_of(load)).find(|(found, expected)| **found != *expected);
            let size = other.map(|(found, expected)| {
                format!(
                    "its port `{}` has {} coordinates and not {}, or is a frame in one of both",
                    found.name, found.size, expected.size
                )
            });
            names.or(size)
        };
        let inputs = found.inputs.iter().map(|own| own.name.as_str());
        let outputs = found.outputs.iter().map(|own| own.name.as_str());
        let quantities = found.quantities.iter().map(|own| own.name.as_str());
        let names = |own: &'_ [NamedUnit]| own.iter().map(|own| own.name.clone()).collect::<Vec<_>>();
        let [own_inputs, own_outputs, own_quantities] =
            [names(&self.inputs), names(&self.outputs), names(&self.quantities)];
        difference("input", inputs, own_inputs.iter().map(String::as_str))
            .or_else(|| difference("output", outputs, own_outputs.iter().map(String::as_str)))
            .or_else(|| difference("quantity", quantities, own_quantities.iter().map(String::as_str)))
            .or_else(|| ports(&found.ports, false))
            .or_else(|| ports(&found.load_ports, true))
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Err(BuildError::Foreign { subsystem: frame.name.to_owned() })
    }
}
