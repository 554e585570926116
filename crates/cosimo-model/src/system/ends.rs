//! The ends of connections, as the FMUs of a system tell them: names of scalars, units, types.

use std::collections::BTreeMap;

use cosimo_fmi::Fmu;
use cosimo_fmi::description::{Variable, VariableKind};
use cosimo_fmi::ssp::{Component, Endpoint, Outline};
use cosimo_fmi::unit::{UnitOptions, Value as Given};
use toml::Table;

/// The variables of all components that can be connected.
pub(super) struct Ends(Vec<Variables>);

#[derive(Default)]
struct Variables {
    known: BTreeMap<String, Variable>,
    /// Names of real inputs and outputs, of arrays those of their elements.
    signals: Vec<String>,
}

impl Ends {
    /// `parameters` are the values that the components are given, which may size arrays.
    pub(super) fn read(system: &Outline, parameters: &[Table]) -> Self {
        let all = system.components.iter().zip(parameters);
        Self(all.map(|(component, given)| Variables::read(component, given).unwrap_or_default()).collect())
    }

    /// The unit of an end; empty where none is known.
    pub(super) fn unit_of(&self, end: &Endpoint) -> &str {
        let unit = self.variable(end).and_then(|own| own.unit.as_deref());
        unit.filter(|unit| *unit != "1").unwrap_or_default()
    }

    /// What is exchanged at an end that are no real numbers.
    pub(super) fn other_than_real(&self, end: &Endpoint) -> Option<&'static str> {
        Some(match self.variable(end)?.kind {
            VariableKind::Float32 | VariableKind::Float64 => return None,
            VariableKind::Boolean => "truth values",
            VariableKind::Enumeration(_) => "items of an enumeration",
            VariableKind::String => "texts",
            VariableKind::Binary => "bytes",
            VariableKind::Clock => "ticks of a clock",
            _ => "whole numbers",
        })
    }

    /// The signals of an end: those of the elements, where it is an array.
    pub(super) fn signals(&self, end: &Endpoint) -> Vec<String> {
        let whole = || vec![end.connector.clone()];
        let Some(own) = self.0.get(end.component) else { return whole() };
        let is_there = |name: &String| own.signals.contains(name);
        if is_there(&end.connector) {
            return whole();
        }
        let elements: Vec<String> =
            (1..).map(|k| format!("{}[{k}]", end.connector)).take_while(is_there).collect();
        if elements.is_empty() { whole() } else { elements }
    }

    fn variable(&self, end: &Endpoint) -> Option<&Variable> {
        self.0.get(end.component)?.known.get(&end.connector)
    }
}

impl Variables {
    /// None where the FMU cannot be read, which is told when the model is.
    fn read(component: &Component, given: &Table) -> Option<Self> {
        let fmu = Fmu::open(&component.source).ok()?;
        let known = fmu.description().variables.iter().map(|own| (own.name.clone(), own.clone()));
        let parameters = given
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.clone().try_into::<Given>().ok()?)));
        let options = UnitOptions {
            parameters: parameters.collect(),
            ignores_terminals: true,
            ..UnitOptions::default()
        };
        let map = fmu.port_map(&options).unwrap_or_default();
        let inputs = map.inputs.into_iter().map(|(own, _)| own.name);
        let outputs = map.outputs.into_iter().map(|(own, _)| own.name);
        Some(Self { known: known.collect(), signals: inputs.chain(outputs).collect() })
    }
}
