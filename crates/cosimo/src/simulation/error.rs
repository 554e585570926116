//! Why a model cannot be used.

use std::fmt;
use std::io;
use std::path::PathBuf;

use cosimo_master::{RunError, SetupError, StepError};
use cosimo_model::{BuildError, Diagnostics, OverrideError};
use cosimo_results::UnknownQuantity;
use cosimo_subsystem::SubsystemError;
use cosimo_sweep::StudyError;
use thiserror::Error;

use crate::trajectory::{Trajectory, TrajectoryError};

/// Why a model cannot be read, built or run. The texts are those of the command.
#[derive(Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// A value that TOML cannot hold.
    #[error("the model, or the value of an entry, is none of a model file: {source}")]
    Value {
        /// What cannot be written.
        #[source]
        source: toml::ser::Error,
    },
    /// The path of an entry is none.
    #[error(transparent)]
    Path(#[from] OverrideError),
    /// Mistakes in the model file, or in what was set in it.
    #[error("{diagnostics}\n\nthe model has {} mistake{}", .diagnostics.error_count(), if .diagnostics.error_count() == 1 { "" } else { "s" })]
    Mistakes {
        /// All of them, with their positions.
        diagnostics: Diagnostics,
    },
    /// The model cannot be built.
    #[error("{name}: {source}")]
    Build {
        /// Name of the model file.
        name: String,
        /// Why.
        #[source]
        source: Box<BuildError>,
    },
    /// The parts cannot be coupled.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A part that is none, or cannot be saved or set back.
    #[error(transparent)]
    Part(#[from] SubsystemError),
    /// Two parts, or a part and an interface, of one name.
    #[error("there is a part or an interface `{name}` already: names are unique in a model")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// No part, port or signal of this name.
    #[error("no {what} `{name}`{}", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
    Unknown {
        /// `part`, `port`, `input` or `output`.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name, or those there are.
        help: Option<String>,
    },
    /// An entry was set in a model that has no file.
    #[error(
        "the model has no file in which `{path}` could be set: give the part another value before it is added, and the master by `configure`"
    )]
    NoFile {
        /// Path of the entry.
        path: String,
    },
    /// The master of a model of a file was configured from outside.
    #[error("the model has a file, whose `{table}` says this: use `set(\"{table}.…\", value)`")]
    HasFile {
        /// The table of the file.
        table: &'static str,
    },
    /// A sweep of a model to which something was added in a program.
    #[error(
        "`{part}` was added to the model by the program: a sweep runs the model of a file alone, in several threads"
    )]
    HasParts {
        /// Name of what was added.
        part: String,
    },
    /// A sweep that cannot be done.
    #[error(transparent)]
    Study(Box<StudyError>),
    /// A model without a file does not say how long it runs.
    #[error("the model has no file that gives end and step: use `simulate(end, step)`")]
    NoTimes,
    /// A part is in a run that has not ended.
    #[error("part `{part}` is in another run of this model: let that end first, or build a second model")]
    Taken {
        /// Name of the part.
        part: String,
    },
    /// A part cannot begin anew.
    #[error("part `{part}` can run once, it cannot be set back to its start: {source}; build the model anew")]
    Once {
        /// Name of the part.
        part: String,
        /// Why it cannot be saved, or set back.
        #[source]
        source: SubsystemError,
    },
    /// A quantity to record that the model does not have.
    #[error(transparent)]
    Record(#[from] UnknownQuantity),
    /// A quantity or a time that there is none of.
    #[error(transparent)]
    Quantity(#[from] TrajectoryError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The run did not reach its end, or has created more energy than was at stake.
    #[error("{source}")]
    Run {
        /// Why, and how far it came.
        source: Box<RunError>,
        /// What was recorded up to there.
        trajectory: Box<Trajectory>,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}
