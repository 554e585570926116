//! How the command fails.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use cosimo::model::Diagnostics;
use cosimo::results::ResultsError;

use crate::interrupt::Stop;

/// Why the command ends with an exit code other than zero.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input cannot be used; nothing was written.
    BadInput(Box<dyn Error>),
    /// The run failed; its partial results are written.
    Failed(Box<dyn Error>),
    /// The run was stopped from outside; its partial results are written.
    Interrupted(Stop),
}

impl Failure {
    /// The input cannot be used.
    pub(crate) fn bad_input(error: impl Into<Box<dyn Error>>) -> Self {
        Self::BadInput(error.into())
    }

    /// The run failed.
    pub(crate) fn failed(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Failed(error.into())
    }

    /// Why there is no directory for the results, with the argument that helps.
    pub(crate) fn refused(error: ResultsError) -> Self {
        match error {
            ResultsError::NotEmpty { path } => Self::bad_input(format!(
                "`{}` exists and is not empty: add --force to replace the results in it, or name another directory with --out",
                path.display()
            )),
            ResultsError::Exists { path } => Self::bad_input(format!(
                "`{}` exists: add --force to replace it, or name another directory with --out",
                path.display()
            )),
            ResultsError::Foreign { .. } | ResultsError::Input { .. } => {
                Self::bad_input(format!("{error} with --out"))
            }
            other => Self::bad_input(other),
        }
    }

    /// What the process ends with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(2),
            Self::Interrupted(stop) => ExitCode::from(stop.code),
        }
    }
}

/// The mistakes of a model file as they stand, and how many there are.
fn write_mistakes(f: &mut fmt::Formatter<'_>, diagnostics: &Diagnostics) -> fmt::Result {
    let count = diagnostics.error_count();
    let mistakes = if count == 1 { "mistake" } else { "mistakes" };
    write!(f, "{diagnostics}\n\nerror: the model has {count} {mistakes}")
}

/// The whole chain of causes, one per line; a cause that the text before quotes already is left out.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = match self {
            Self::Interrupted(stop) => return f.write_str(stop.reason),
            Self::BadInput(error) | Self::Failed(error) => error,
        };
        if let Some(diagnostics) = error.downcast_ref::<Diagnostics>() {
            return write_mistakes(f, diagnostics);
        }
        let mut said = error.to_string();
        write!(f, "error: {said}")?;
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            if !said.contains(&text) {
                write!(f, "\n  because {text}")?;
                said = text;
            }
            cause = inner.source();
        }
        Ok(())
    }
}
