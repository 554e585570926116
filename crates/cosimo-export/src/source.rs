//! What a unit is made of: a model file, or one subsystem.

use std::collections::BTreeMap;
use std::sync::Arc;

use cosimo_composite::OpenInput;
use cosimo_model::{ExportSpec, ModelSpec, Override, PortShape, bundle, read_model};
use cosimo_subsystem::{Description, Subsystem, SubsystemError};

use crate::ExportModelError;
use crate::exposed::{Open, OpenPort};

/// Makes a subsystem, at its start.
pub(crate) type Maker = dyn Fn() -> Result<Box<dyn Subsystem>, SubsystemError> + Send + Sync;

/// What a unit is made of, as often as it begins anew.
#[derive(Clone)]
pub(crate) enum Source {
    /// The text of a model file.
    File(String),
    /// One subsystem, and the model around it, which has no other.
    Subsystem(Arc<Maker>, Box<ModelSpec>),
}

impl Source {
    /// The model of a unit of this name with these entries changed.
    pub(crate) fn model(&self, name: &str, changes: &[Override]) -> Result<ModelSpec, ExportModelError> {
        Ok(match self {
            Self::File(text) => read_model(name, text, changes)?.0.nearby(),
            Self::Subsystem(_, around) => (**around).clone(),
        })
    }

    /// Values of the parameters of the file, some of them changed.
    pub(crate) fn parameters(
        &self,
        name: &str,
        changes: &[Override],
    ) -> Result<BTreeMap<String, toml::Value>, ExportModelError> {
        Ok(match self {
            Self::File(text) => bundle(name, text, changes)?.parameters,
            Self::Subsystem(..) => BTreeMap::new(),
        })
    }

    /// The text that an FMU of this name carries: with every default filled in, or with the files that it includes where parameters of the
    /// file change what it says.
    pub(crate) fn text(&self, name: &str, model: &ModelSpec) -> Result<String, ExportModelError> {
        let has_parameters = model.export.as_ref().is_some_and(ExportSpec::has_file_parameters);
        Ok(match self {
            Self::File(text) if has_parameters => bundle(name, text, &[])?.text,
            _ => model.to_toml(),
        })
    }

    /// Its subsystems.
    pub(crate) fn subsystems(&self, model: &ModelSpec) -> Result<Vec<Box<dyn Subsystem>>, ExportModelError> {
        Ok(match self {
            Self::File(_) => model.build_subsystems()?,
            Self::Subsystem(make, _) => vec![make()?],
        })
    }

    /// What of it is open.
    pub(crate) fn open(&self, model: &ModelSpec) -> Result<Open, ExportModelError> {
        match self {
            Self::File(_) => Open::of(model),
            Self::Subsystem(make, _) => Ok(open_ends(make()?.description())),
        }
    }
}

/// All ports and inputs of a subsystem.
fn open_ends(description: &Description) -> Open {
    let subsystem = || description.name.clone();
    let ports = description.ports.iter().map(|port| {
        let shape = PortShape { is_frame: port.is_frame, ..PortShape::new(&port.name, port.size) };
        OpenPort { subsystem: subsystem(), shape }
    });
    let inputs = description.inputs.iter().map(|input| OpenInput {
        subsystem: subsystem(),
        name: input.name.clone(),
        unit: input.unit.clone(),
    });
    Open { ports: ports.collect(), inputs: inputs.collect() }
}
