//! Why there is no FMU.

use std::io;
use std::path::PathBuf;

/// Why a unit cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The identifier is none.
    #[error("`{0}` is no identifier: it needs letters, digits and `_`, no digit first")]
    Identifier(String),
    /// A name cannot be one.
    #[error("`{0}` can be no name of a variable: it is empty, reserved or has control characters")]
    Name(String),
    /// Two variables have one name.
    #[error("two variables are called `{0}`")]
    Twice(String),
    /// A variable does not fit together.
    #[error("the variable `{name}`: {problem}")]
    Variable {
        /// Its name.
        name: String,
        /// What does not fit.
        problem: &'static str,
    },
    /// A terminal does not fit together.
    #[error("the terminal `{name}`: {problem}")]
    Terminal {
        /// Its name.
        name: String,
        /// What does not fit.
        problem: &'static str,
    },
    /// A file of the payload cannot have its name.
    #[error(
        "`{0}` can be no file of the resources: a relative path, with `/` between its parts, that is not taken yet"
    )]
    Payload(String),
    /// An argument cannot be stored.
    #[error("an argument of the server has more than one line: `{0}`")]
    Argument(String),
    /// The executable has no name that can be stored.
    #[error("the executable {0} has no name that an FMU can have")]
    Server(PathBuf),
    /// There is no shim for this machine.
    #[error("FMUs cannot be exported on this system: their binary is for Unix")]
    Platform,
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}
