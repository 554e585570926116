//! Why a unit cannot be used as it is asked to.

use cosimo_first_order::PortMapError;
use thiserror::Error;

use super::FaceKind;
use crate::archive::ArchiveError;
use crate::binary::BinaryError;

/// Why a unit cannot be used as it is asked to.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The file cannot be read or unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The binary refuses.
    #[error("FMU `{unit}`: {source}")]
    Binary {
        /// Name of the model.
        unit: String,
        /// What it says.
        source: BinaryError,
    },
    /// A face that it does not have.
    #[error("FMU `{unit}` has no {}; it has {known}", face.name())]
    NoFace {
        /// Name of the model.
        unit: String,
        /// The face asked for.
        face: FaceKind,
        /// What it has.
        known: String,
    },
    /// Something that is not supported.
    #[error("FMU `{unit}` {what}, which is not supported")]
    Unsupported {
        /// Name of the model.
        unit: String,
        /// What it needs.
        what: String,
    },
    /// A variable that does not exist.
    #[error("FMU `{unit}` has no variable `{name}`{}", suggestion.as_ref().map(|other| format!("; did you mean `{other}`?")).unwrap_or_default())]
    UnknownVariable {
        /// Name of the model.
        unit: String,
        /// The name asked for.
        name: String,
        /// The most similar one.
        suggestion: Option<String>,
    },
    /// A variable that cannot serve as what it is asked to.
    #[error("variable `{name}` of FMU `{unit}` {reason}")]
    BadVariable {
        /// Name of the model.
        unit: String,
        /// Name of the variable.
        name: String,
        /// The rule broken.
        reason: String,
    },
    /// A port that does not fit together.
    #[error("port `{port}` of FMU `{unit}` {reason}")]
    BadPort {
        /// Name of the model.
        unit: String,
        /// Name of the port.
        port: String,
        /// The rule broken.
        reason: String,
    },
    /// Ports, signals and quantities that do not make a subsystem.
    #[error(transparent)]
    Map(#[from] PortMapError),
}
