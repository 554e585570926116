//! The FMU of a model.

use std::path::Path;

use cosimo_fmi_export::{FmiVersion, UnitDescription, write_fmu};

use crate::{ExportModelError, ModelUnit};

/// Name of the model file among the resources of the FMU.
pub const MODEL_FILE: &str = "model.toml";

/// Writes the FMU of the model of this text. It runs `server` with `arguments`, in which `{resources}` stands for the folder that holds the
/// [model file](MODEL_FILE); the server gives a [`ModelUnit`] of it to [`serve_host`](cosimo_fmi_export::serve_host).
///
/// # Errors
/// The model cannot be read, built or exported, or the file cannot be written.
pub fn write_model_fmu(
    path: &Path,
    version: FmiVersion,
    (name, text): (&str, &str),
    server: &Path,
    arguments: &[String],
) -> Result<UnitDescription, ExportModelError> {
    let unit = ModelUnit::new(name, text)?;
    let payload = [(MODEL_FILE.to_owned(), unit.source.text(name, unit.model())?.into_bytes())];
    write_fmu(path, version, unit.description(), server, arguments, &payload)?;
    Ok(unit.description().clone())
}
