//! `cosimo serve`: a subsystem in a process of its own, for a run with `execution = "processes"`.

use std::process::Command;

use cosimo::model::serve_model;

use crate::failure::Failure;

/// Serves the subsystem that the master assigns, until it closes standard input.
pub(crate) fn serve() -> Result<(), Failure> {
    serve_model(std::io::stdin(), std::io::stdout()).map_err(Failure::failed)
}

/// The command of a process that does so: this program once more.
pub(crate) fn command() -> Command {
    // Where the system does not say what it runs, it is looked for as usual.
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "cosimo".into()));
    command.arg("serve");
    command
}
