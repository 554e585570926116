//! Why a model cannot be exported.

use cosimo_fmi_export::ExportError;
use cosimo_master::{ObserveError, RestoreError, StepError};
use cosimo_model::{BuildError, Diagnostics, OverrideError};
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

/// Why a model cannot be exported, or an exported one not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportModelError {
    /// The model cannot be read with these values.
    #[error(transparent)]
    Model(#[from] Diagnostics),
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A parameter that stands for no entry of the file.
    #[error("the export names the parameter `{name}`, and the model has no entry of that path")]
    NoEntry {
        /// Path of the entry.
        name: String,
    },
    /// A pattern of quantities that no quantity is like.
    #[error("the export names the quantity `{pattern}`, and the model has {known}")]
    NoQuantity {
        /// The pattern.
        pattern: String,
        /// What there is.
        known: String,
    },
    /// A quantity and a parameter of one name.
    #[error(
        "the export has `{path}` twice, as a parameter and as a quantity: leave out the parameter, or name quantities that leave it out"
    )]
    QuantityOfParameter {
        /// Their name.
        path: String,
    },
    /// A parameter of a type that no variable has.
    #[error("the parameter `{name}` of the export is {found}; it must be {expected}")]
    BadEntry {
        /// Path of the entry.
        name: String,
        /// What it is.
        found: String,
        /// What it can be.
        expected: &'static str,
    },
    /// Parameters that change which contacts there are.
    #[error(
        "these parameters change the contacts that the host may carry: their number or their laws are no longer those of the description"
    )]
    OtherContacts,
    /// A derivative that is not known.
    #[error("how this step answers to loads is not known: ask for derivatives from the first step on")]
    NoResponse,
    /// A value of another type.
    #[error("`{name}` cannot be {value}")]
    BadValue {
        /// Name of the variable.
        name: String,
        /// What it should become.
        value: String,
    },
    /// A path of a parameter that cannot be set.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// A port that cannot be open.
    #[error("the export opens `{port}`, {reason}")]
    BadPort {
        /// `subsystem.port`.
        port: String,
        /// The rule broken.
        reason: &'static str,
    },
    /// A joint, which no system of signals has.
    #[error(
        "interface `{interface}` is a joint, and a system of FMUs (SSP) has signals only; export the model as one FMU"
    )]
    Joint {
        /// Name of the interface.
        interface: String,
    },
    /// A parameter that no unit of a system can have.
    #[error(
        "the export names the parameter `{name}`, which is none of one subsystem, and in a system of FMUs (SSP) every subsystem is an FMU of its own: name entries of subsystems, as in `mass.stiffness`, or export the model as one FMU"
    )]
    NotOfSubsystem {
        /// Path of the parameter.
        name: String,
    },
    /// A system that cannot be written.
    #[error(transparent)]
    System(#[from] cosimo_fmi::ssp::SspError),
    /// A step fails.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Quantities cannot be computed.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// A state that does not fit.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// A subsystem fails.
    #[error(transparent)]
    Subsystem(#[from] SubsystemError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] ExportError),
    /// A state of another unit, or a damaged one.
    #[error("the state cannot be used: {reason}")]
    BadState {
        /// What is wrong.
        reason: String,
    },
    /// The time goes wrong.
    #[error("the step from {found} s does not start where the unit is, at {expected} s")]
    Time {
        /// Where the unit is (s).
        expected: f64,
        /// Where the step starts (s).
        found: f64,
    },
}
