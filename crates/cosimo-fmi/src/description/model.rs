//! What an FMU says of itself.

use std::collections::BTreeMap;

use super::error::Finding;
use super::face::Face;
use super::reader::words;
use super::start_reader;
use super::structure::ModelStructure;
use super::terminal::Terminal;
use super::types::EnumerationType;
use super::units::Unit;
use super::variable::{Variable, VariableKind};
use super::version::FmiVersion;

/// How the names of variables are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableNaming {
    /// Names are texts.
    #[default]
    Flat,
    /// Names are paths with dots, indices and `der(...)`.
    Structured,
}

words!(VariableNaming, "`flat` or `structured`", "flat" => Flat, "structured" => Structured);

/// What the author of the FMU suggests for a simulation, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefaultExperiment {
    /// Time of the start.
    pub start: Option<f64>,
    /// Time of the end.
    pub stop: Option<f64>,
    /// Relative tolerance of integration.
    pub tolerance: Option<f64>,
    /// Step of communication, or of a solver of fixed step.
    pub step: Option<f64>,
}

/// How contacts inside an FMU act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerImpacts {
    /// At instants within its steps: their impulses pass no joint.
    AtInstants,
    /// As momenta over its steps: joints pass them on as they pass loads.
    Captured,
}

/// What an FMU says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDescription {
    /// Version of the standard.
    pub version: FmiVersion,
    /// Name of the model.
    pub model_name: String,
    /// What the binary checks against its own: `guid` of FMI 2, `instantiationToken` of FMI 3.
    pub token: String,
    /// What it is, in words.
    pub description: Option<String>,
    /// Who made the model.
    pub author: Option<String>,
    /// Version of the model.
    pub model_version: Option<String>,
    /// Copyright.
    pub copyright: Option<String>,
    /// License.
    pub license: Option<String>,
    /// Tool that exported it.
    pub generation_tool: Option<String>,
    /// Date and time of the export.
    pub generation_date: Option<String>,
    /// How names of variables are built.
    pub variable_naming: VariableNaming,
    /// Co-simulation, if the FMU has it.
    pub co_simulation: Option<Face>,
    /// Model exchange, if the FMU has it.
    pub model_exchange: Option<Face>,
    /// Whether the FMU has scheduled execution (FMI 3).
    pub has_scheduled_execution: bool,
    /// Units of the variables.
    pub units: Vec<Unit>,
    /// Enumerations of the variables.
    pub enumerations: Vec<EnumerationType>,
    /// Names of the categories of messages.
    pub log_categories: Vec<String>,
    /// What the author suggests.
    pub default_experiment: DefaultExperiment,
    /// The variables, in the order of the file.
    pub variables: Vec<Variable>,
    /// What depends on what.
    pub structure: ModelStructure,
    /// Contacts inside it, by the annotation `org.cosimo.mechanical`; none where it says nothing.
    pub inner_impacts: Option<InnerImpacts>,
    /// Number of event indicators (FMI 2), or of variables that are event indicators (FMI 3).
    pub number_of_event_indicators: usize,
    /// Terminals (FMI 3); empty until [`parse_terminals`](super::parse_terminals) fills them in.
    pub terminals: Vec<Terminal>,
    /// Mistakes in the file that were tolerated.
    pub findings: Vec<Finding>,
}

impl ModelDescription {
    /// The indices of the variables by their names, aliases among them.
    #[must_use]
    pub fn names(&self) -> BTreeMap<&str, usize> {
        let mut map = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            map.insert(variable.name.as_str(), index);
            map.extend(variable.aliases.iter().map(|alias| (alias.name.as_str(), index)));
        }
        map
    }

    /// The indices of the continuous states in the order of the state vector; `None` where the file does not tell the state
    /// of a derivative.
    #[must_use]
    pub fn states(&self) -> Vec<Option<usize>> {
        let derivatives = self.structure.derivatives.iter();
        derivatives.map(|unknown| self.variables.get(unknown.variable)?.derivative_of).collect()
    }

    /// Groups of variables that share one value: those of FMI 2 with one value reference and one type in the binary. Groups
    /// of one are left out.
    #[must_use]
    pub fn alias_groups(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let kind = match variable.kind {
                VariableKind::Enumeration(_) => VariableKind::Int32,
                kind => kind,
            };
            groups.entry((kind, variable.reference)).or_default().push(index);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    /// The number of elements of each variable at the start, sizes given by variables at their start values; `None` where a
    /// size has no start value.
    #[must_use]
    pub fn initial_sizes(&self) -> Vec<Option<u64>> {
        start_reader::initial_sizes(&self.variables)
    }
}
