//! `kind = "model"`: a model file as a subsystem of another one.

pub(crate) mod read;

use std::collections::BTreeMap;
use std::path::PathBuf;

use cosimo_composite::Composite;
use cosimo_subsystem::Subsystem;
use serde::Serialize;

use super::coupled_model::Nested;
use super::fmu::Isolation;
use super::{Frame, Kind};
use crate::build_error::BuildError;
use crate::spec::{PortShape, QuantityName, SignalShape};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "model";

/// A model file as a subsystem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NestedSpec {
    /// The file, absolute.
    pub file: PathBuf,
    /// Entries of the file by their paths that have other values here.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, toml::Value>,
    /// Its open ports, `subsystem.port`.
    pub ports: Vec<String>,
    /// Where it runs, which no file says. Default: with the others.
    #[serde(skip)]
    pub isolation: Isolation,
    /// What the file says; none where it could not be read.
    #[serde(skip)]
    pub(crate) model: Option<Nested>,
}

impl NestedSpec {
    fn of_model<T>(&self, what: impl Fn(&Nested) -> Vec<T>) -> Vec<T> {
        self.model.as_ref().map(what).unwrap_or_default()
    }
}

impl Kind for NestedSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        let known = self.of_model(|model| model.0.ports());
        let find = |name: &String| known.iter().find(|port| port.name == *name).cloned();
        self.ports.iter().filter_map(find).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("brings the solvers of its own subsystems")
    }

    fn inputs(&self) -> Vec<SignalShape> {
        self.of_model(|model| model.0.inputs())
    }

    fn outputs(&self) -> Vec<SignalShape> {
        self.of_model(|model| model.0.outputs())
    }

    fn quantities(&self) -> Vec<QuantityName> {
        self.of_model(|model| model.0.quantities())
    }

    fn is_isolated(&self) -> bool {
        self.isolation == Isolation::Process
    }

    fn single_units(&self) -> Vec<PathBuf> {
        self.of_model(|model| model.0.single_units())
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        let nested = |reason: String| BuildError::Nested { subsystem: frame.name.to_owned(), reason };
        let unread = || nested(format!("`{}` was not read", self.file.display()));
        let model = self.model.as_ref().ok_or_else(unread)?;
        let told = |error: BuildError| nested(cosimo_subsystem::SubsystemError::chain(&error));
        let (mut assembly, config) = model.0.parts(frame.start_time, frame.longest_step).map_err(told)?;
        let ends = self.ports.iter().filter_map(|path| path.split_once('.'));
        assembly.open = ends.map(|(owner, port)| (owner.to_owned(), port.to_owned())).collect();
        let built = Composite::new(frame.name, assembly, config, (frame.start_time, frame.longest_step));
        Ok(Box::new(built?))
    }
}
