//! `cosimo export`: a model as an FMU, and what such an FMU runs.

use std::path::Path;

use cosimo::export::{MODEL_FILE, ModelUnit, Server, write_model_fmu, write_model_ssp};
use cosimo::fmi_export::{Causality, FmiVersion, UnitDescription, serve_host};
use cosimo::model::{ExportSpec, ModelSpec, SubsystemKind, bundle, read_text};

use crate::args::{ExportArgs, ServeUnitArgs};
use crate::failure::Failure;
use crate::{input, terminal};

/// Writes the FMU of a model, this program and the model file behind a small binary; or a system in which every subsystem is an FMU.
pub(crate) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    let file =
        args.fmu.as_ref().or(args.ssp.as_ref()).ok_or_else(|| Failure::bad_input("give --fmu or --ssp"))?;
    if file.exists() && !args.force {
        return Err(Failure::bad_input(format!("`{}` exists; give --force to replace it", file.display())));
    }
    let name = args.name.clone().unwrap_or_else(|| stem(&args.model.path));
    let server = std::env::current_exe().map_err(Failure::failed)?;
    let version = if args.version == 2 { FmiVersion::V2 } else { FmiVersion::V3 };
    let text = model.to_toml();
    if args.fmu.is_none() {
        let server = Server { path: &server, arguments: &arguments };
        write_model_ssp(file, version, (&name, &text), &server).map_err(Failure::bad_input)?;
        let count = model.subsystems.len();
        return terminal::print_result(&format!("{}: a system of {count} FMUs\n", file.display()));
    }
    check_self_contained(&model)?;
    let has_parameters = model.export.as_ref().is_some_and(ExportSpec::has_file_parameters);
    let text = if has_parameters { bundled(args)? } else { text };
    let written = write_model_fmu(file, version, (&name, &text), &server, &arguments(&name));
    let unit = written.map_err(Failure::bad_input)?;
    terminal::print_result(&summary(file, args.version, &unit))
}

/// The model file with all that it includes, where its parameters are those of the FMU.
fn bundled(args: &ExportArgs) -> Result<String, Failure> {
    let text = read_text(&args.model.path).map_err(Failure::bad_input)?;
    let name = args.model.path.display().to_string();
    Ok(bundle(&name, &text, &args.model.overrides.in_order()).map_err(Failure::bad_input)?.text)
}

/// What an FMU of this name calls this program with.
fn arguments(name: &str) -> Vec<String> {
    ["serve-unit", &format!("{{resources}}/{MODEL_FILE}"), "--name", name].map(str::to_owned).to_vec()
}

/// Gives the unit of a model to the FMU that has started this process.
pub(crate) fn serve_unit(args: &ServeUnitArgs) -> Result<(), Failure> {
    let text = read_text(&args.path).map_err(Failure::bad_input)?;
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

fn summary(file: &Path, version: u8, unit: &UnitDescription) -> String {
    let count =
        |wanted: Causality| unit.variables.iter().filter(|variable| variable.causality == wanted).count();
    let ports: Vec<&str> = unit.terminals.iter().map(|terminal| terminal.name.as_str()).collect();
    let ports = if ports.is_empty() { "none".to_owned() } else { ports.join(", ") };
    format!(
        "{}: FMI {version}.0 for co-simulation, {} inputs, {} outputs, {} parameters; open ports: {ports}\n",
        file.display(),
        count(Causality::Input),
        count(Causality::Output),
        count(Causality::Parameter),
    )
}
