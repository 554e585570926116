//! `cosimo export`: a model as an FMU, and what such an FMU runs.

use std::path::Path;

use cosimo::export::{MODEL_FILE, ModelUnit, write_model_fmu};
use cosimo::fmi_export::{Causality, FmiVersion, UnitDescription, serve_host};
use cosimo::model::{ModelSpec, SubsystemKind};

use crate::args::{ExportArgs, ServeUnitArgs};
use crate::failure::Failure;
use crate::{input, terminal, text_file};

/// Writes the FMU of a model: this program and the model file, behind a small binary.
pub(crate) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    check_self_contained(&model)?;
    if args.fmu.exists() && !args.force {
        let path = args.fmu.display();
        return Err(Failure::bad_input(format!("`{path}` exists; give --force to replace it")));
    }
    let name = args.name.clone().unwrap_or_else(|| stem(&args.model.path));
    let server = std::env::current_exe().map_err(Failure::failed)?;
    let arguments = ["serve-unit".to_owned(), format!("{{resources}}/{MODEL_FILE}"), "--name".to_owned(), name.clone()];
    let version = if args.version == 2 { FmiVersion::V2 } else { FmiVersion::V3 };
    let written = write_model_fmu(&args.fmu, version, (&name, &model.to_toml()), &server, &arguments);
    let unit = written.map_err(Failure::bad_input)?;
    terminal::print_result(&summary(args, &unit))
}

/// Gives the unit of a model to the FMU that has started this process.
pub(crate) fn serve_unit(args: &ServeUnitArgs) -> Result<(), Failure> {
    let text = text_file::read(&args.path).map_err(Failure::bad_input)?;
    let mut unit = ModelUnit::new(&args.name, &text).map_err(Failure::bad_input)?;
    serve_host(&mut unit).map_err(Failure::failed)
}

/// An FMU inside of an FMU would have to be packed with it.
fn check_self_contained(model: &ModelSpec) -> Result<(), Failure> {
    let is_unit = |kind: &SubsystemKind| matches!(kind, SubsystemKind::Fmu(_));
    match model.subsystems.iter().find(|subsystem| is_unit(&subsystem.kind)) {
        Some(unit) => Err(Failure::bad_input(format!(
            "subsystem `{}` is an FMU itself, and a model with such cannot be exported as one; export it as an SSP with `--ssp`, or without it",
            unit.name
        ))),
        None => Ok(()),
    }
}

/// The name of a file without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn summary(args: &ExportArgs, unit: &UnitDescription) -> String {
    let count = |wanted: Causality| unit.variables.iter().filter(|variable| variable.causality == wanted).count();
    let ports: Vec<&str> = unit.terminals.iter().map(|terminal| terminal.name.as_str()).collect();
    let ports = if ports.is_empty() { "none".to_owned() } else { ports.join(", ") };
    format!(
        "{}: FMI {}.0 for co-simulation, {} inputs, {} outputs, {} parameters; open ports: {ports}\n",
        args.fmu.display(),
        args.version,
        count(Causality::Input),
        count(Causality::Output),
        count(Causality::Parameter),
    )
}
