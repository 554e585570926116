//! `cosimo check`: checks a model and prints it with every default filled in.

use cosimo::master::Coupling;
use cosimo::model::{FmuSpec, ModelSpec, SubsystemKind, SubsystemSpec};
use cosimo_fmi::unit::CouplingMode;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::{input, terminal};

/// Reads and builds the model, then prints it.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    match model.subsystems.iter().find(|own| matches!(own.kind, SubsystemKind::Remote(_))) {
        None => {
            let master = input::build(&args.model, &model.clone().nearby())?;
            master.warnings().iter().for_each(|warning| terminal::line(&format!("warning: {warning}")));
        }
        Some(own) => {
            let reason = "another program serves it, which is not asked";
            terminal::line(&format!(
                "note: the model was read, not built: subsystem `{}` is remote, {reason}",
                own.name
            ));
        }
    }
    notes(&model).iter().for_each(|note| terminal::line(&format!("note: {note}")));
    terminal::print_result(&model.to_toml())
}

/// How the units of other tools are coupled and why, and which of them keep runs from being resumed.
fn notes(model: &ModelSpec) -> Vec<String> {
    let units = || {
        model.subsystems.iter().filter_map(|subsystem| match &subsystem.kind {
            SubsystemKind::Fmu(unit) => Some((subsystem, unit.as_ref())),
            _ => None,
        })
    };
    let coupled = units().filter_map(|(subsystem, unit)| coupling(subsystem, unit));
    let lost = units().filter(|(_, unit)| !unit.shape.can_resume).map(|(subsystem, _)| {
        format!(
            "a run with FMU `{}` cannot be resumed: its state cannot be serialised (canSerializeFMUState)",
            subsystem.name
        )
    });
    coupled.chain(lost).collect()
}

fn coupling(subsystem: &SubsystemSpec, unit: &FmuSpec) -> Option<String> {
    let (name, face, mode) = (&subsystem.name, unit.face.name(), unit.shape.mode?);
    let contacts = if unit.shape.has_contacts { "; the master carries its contacts" } else { "" };
    Some(match (mode, subsystem.coupling) {
        (CouplingMode::Signals, _) => format!("FMU `{name}`, {face}: {mode}"),
        (_, Coupling::Auto) => format!("FMU `{name}`, {face}: coupled {mode}{contacts}"),
        _ => format!("FMU `{name}`, {face}: coupled as `coupling` says; else {mode}"),
    })
}
