//! Reads and builds the model.

use std::io;
use std::path::PathBuf;

use cosimo::master::Master;
use cosimo::model::{BuildError, ModelSpec, read_model, read_text};

use crate::args::ModelArgs;
use crate::failure::Failure;
use crate::{server, system, terminal};

/// Reads the model and shows its warnings.
pub(crate) fn read(args: &ModelArgs) -> Result<ModelSpec, Failure> {
    let unpacked = system::is_system(&args.path).then(|| system::unpack(&args.path)).transpose()?;
    let path = unpacked.as_ref().unwrap_or(&args.path);
    let text =
        read_text(path).map_err(|source| Failure::bad_input(Unreadable { path: path.clone(), source }))?;
    let read = read_model(&path.display().to_string(), &text, &args.overrides.in_order());
    let (model, warnings) = read.map_err(Failure::bad_input)?;
    let (subsystems, interfaces) = (model.subsystems.len(), model.interfaces.len());
    tracing::info!(subsystems, interfaces, "read `{}`", path.display());
    warnings.iter().for_each(|warning| terminal::line(&warning.to_string()));
    Ok(model)
}

/// Builds the model at its start.
pub(crate) fn build(args: &ModelArgs, model: &ModelSpec) -> Result<Master, Failure> {
    built(args, model.build_served(&server::command))
}

/// The model of this file, built in whatever way.
pub(crate) fn built(args: &ModelArgs, built: Result<Master, BuildError>) -> Result<Master, Failure> {
    let path = &args.path;
    let master = built.map_err(|source| Failure::bad_input(Unbuildable { path: path.clone(), source }))?;
    tracing::info!(quantities = master.labels().len(), "built the model at t = {} s", master.time());
    Ok(master)
}

/// A model file that cannot be read.
#[derive(Debug)]
struct Unreadable {
    path: PathBuf,
    source: io::Error,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read `{}`", self.path.display())
    }
}

impl std::error::Error for Unreadable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// A model that cannot be built.
#[derive(Debug)]
struct Unbuildable {
    path: PathBuf,
    source: BuildError,
}

impl std::fmt::Display for Unbuildable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for Unbuildable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.source)
    }
}
