//! Processes that serve subsystems of a run: this program once more.

use std::process::Command;

use crate::log;

/// The command of a process that serves a subsystem: this program once more, which logs what this process does.
pub(crate) fn command() -> Command {
    // Where the system does not say what it runs, it is looked for as usual.
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "cosimo".into()));
    command.arg("serve");
    match log::filter() {
        Some(filter) => command.env(log::VARIABLE, filter),
        None => command.env_remove(log::VARIABLE),
    };
    command
}
