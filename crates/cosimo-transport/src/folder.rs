//! The folder that a process has for its temporary files.
//!
//! It disappears with the process, however that ends: a process that crashes cannot remove what it has written. Where the master itself is
//! killed, the process does it, see [`remove_own_folder`].

use std::process::Command;

use tempfile::TempDir;

/// What its name starts with.
const PREFIX: &str = "cosimo-process-";

/// The variables by which systems name the folder of temporary files.
const VARIABLES: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// Gives a process a folder of its own, as long as the result lives; none where there is no place for it.
pub(crate) fn give(command: &mut Command) -> Option<TempDir> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir().ok()?;
    command.envs(VARIABLES.map(|variable| (variable, folder.path())));
    Some(folder)
}

/// Removes the folder for temporary files that the master has given to this process, if nothing is left in it.
///
/// A program that [serves](crate::serve) a subsystem calls it at its end, in case that the master, which does the same, was killed.
pub fn remove_own_folder() {
    let folder = std::env::temp_dir();
    if folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX)) {
        // The master may have been faster.
        let _ = std::fs::remove_dir(folder);
    }
}
