//! Systems of FMUs: SSP 1.0 and 2.0 (System Structure and Parameterization).
//!
//! [`System::open`] reads an archive (`.ssp`), or a description (`.ssd`) beside its resources. What comes out has no levels:
//! connections lead from FMU to FMU, with transformations and conversions of units in one; values of parameters are those
//! that hold in the end. [`write()`] goes the other way. Pictures, annotations, meta data and signatures are ignored.

mod apply;
mod error;
mod flat;
mod flow;
mod load;
mod outline;
mod parameters;
mod reference;
mod scope;
mod source;
mod structure;
mod transformation;
mod tree;
mod units;
mod value;
mod write;
mod xml;

use std::path::Path;

use tempfile::TempDir;

pub use crate::description::{EnumerationType, Finding, Unit};
pub use error::{SspError, SspProblem};
pub use outline::{
    Component, Connection, Connector, ConnectorKind, Dimension, Endpoint, Experiment, Implementation,
    Outline, Parameter, SspVersion,
};
pub use transformation::Transformation;
pub use value::ParameterValue;
pub use write::write;

/// A system that was read. Unpacked files disappear when this is dropped.
#[derive(Debug)]
pub struct System {
    /// The system.
    pub outline: Outline,
    /// What was ignored, and mistakes that were tolerated.
    pub findings: Vec<Finding>,
    /// Removes the unpacked files.
    _folders: Vec<TempDir>,
}

impl System {
    /// Reads a system: an archive (`.ssp`), a folder into which one was unpacked, or a description (`.ssd`) beside its
    /// resources.
    ///
    /// # Errors
    ///
    /// If a file is missing, cannot be read or contradicts itself, or if it has what cannot be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SspError> {
        let mut loader = load::Loader::new();
        let structure = structure::open(&mut loader, path.as_ref())?;
        let mut flat = flat::Flat::new(structure.part)?;
        let mut fmus = units::FmuUnits::default();
        let connections = flow::connections(&mut flat, &mut fmus, &mut loader)?;
        apply::apply(&mut flat, &mut fmus, &mut loader)?;
        let outline = Outline {
            name: structure.name,
            version: structure.version,
            components: flat.components,
            connections,
            experiment: structure.experiment,
            units: loader.units.into_values().map(|unit| Unit::clone(&unit)).collect(),
            enumerations: loader.enumerations,
        };
        let findings = [loader.findings, flat.findings].concat();
        Ok(Self { outline, findings, _folders: loader.folders })
    }
}
