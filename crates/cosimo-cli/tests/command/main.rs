//! The command from outside: files, output, exit codes.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod check;
mod converge;
mod convert;
mod examples;
mod export;
mod exported_alone;
mod exported_contacts;
mod exported_frames;
mod facade;
mod logging;
mod modes;
mod modes_of_rotors;
mod processes;
mod progress;
mod ranks;
#[cfg(unix)]
mod remote;
mod report;
mod resume;
mod run;
mod solve;
mod stopping;
mod sweep;
mod systems;
mod tutorial;
mod units;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Two masses.
const MODEL: &str = include_str!("../support/masses.toml");

/// A folder for one test, with a model in it.
struct Scratch {
    folder: TempDir,
}

impl Scratch {
    fn new(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("masses.toml"), model).unwrap();
        Self { folder }
    }

    /// With a folder `tmp` of its own for the temporary files of what runs there.
    fn with_temporary(model: &str) -> Self {
        let scratch = Self::new(model);
        fs::create_dir(scratch.path("tmp")).unwrap();
        scratch
    }

    /// What is left in that folder.
    fn left(&self) -> Vec<PathBuf> {
        fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command, to be run in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
        command.current_dir(self.folder.path()).args(arguments);
        if self.path("tmp").is_dir() {
            command.env("TMPDIR", self.path("tmp"));
        }
        command
    }

    fn cosimo(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The text of a result file in the default directory.
    fn result(&self, name: &str) -> String {
        read(&self.path("out/masses").join(name))
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::from_str(&self.result("summary.json")).unwrap()
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts an exit code, showing the errors otherwise.
#[track_caller]
fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}
