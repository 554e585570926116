//! What can go wrong between this process and the library of an FMU.

use std::path::PathBuf;

/// An error of the binary interface. `call` is the name of the C function, as `fmi3DoStep`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// The system cannot load the library; the reason names undefined symbols and missing libraries.
    #[error("the library {} cannot be loaded: {reason}", path.display())]
    NotLoaded {
        /// The file.
        path: PathBuf,
        /// The text of the system.
        reason: String,
    },
    /// The library lacks a function that is needed.
    #[error("the library of the FMU has no function `{call}`")]
    Missing {
        /// The function.
        call: &'static str,
    },
    /// The library is of another version or platform than asked for.
    #[error("`{call}` of the FMU answers \"{found}\" instead of \"{expected}\"")]
    Incompatible {
        /// The function that was asked.
        call: &'static str,
        /// Its answer.
        found: String,
        /// The answer expected.
        expected: &'static str,
    },
    /// The library made no instance.
    #[error("`{call}` makes no instance: {message}")]
    NotInstantiated {
        /// The function.
        call: &'static str,
        /// The last messages of the unit.
        message: String,
    },
    /// The version of the unit has no such call or type.
    #[error("{what} do not exist in this version of FMI")]
    Unsupported {
        /// What was asked for, in the plural.
        what: &'static str,
    },
    /// The unit answered with the status `Error`: only `reset`, a restored state or the end may follow.
    #[error("`{call}` failed: {message}")]
    Refused {
        /// The function.
        call: &'static str,
        /// The last messages of the unit.
        message: String,
    },
    /// The unit answered with the status `Discard`: it cannot do this with these values, and may go on with others.
    #[error("`{call}` was discarded: {message}")]
    Discarded {
        /// The function.
        call: &'static str,
        /// The last messages of the unit.
        message: String,
    },
    /// The unit answered with the status `Fatal`: nothing of it is called any more.
    #[error("`{call}` failed for good: {message}")]
    Fatal {
        /// The function.
        call: &'static str,
        /// The last messages of the unit.
        message: String,
    },
    /// The unit failed for good before.
    #[error("`{call}` cannot be called: the unit failed for good before: {before}")]
    Dead {
        /// The function.
        call: &'static str,
        /// How it failed.
        before: String,
    },
    /// The unit wants to compute a step in the background (FMI 2: status `Pending`). It cannot be used any more.
    #[error("`{call}` goes on in the background, which is not supported")]
    Asynchronous {
        /// The function.
        call: &'static str,
    },
    /// A status that FMI does not have.
    #[error("`{call}` answers with the unknown status {status}")]
    UnknownStatus {
        /// The function.
        call: &'static str,
        /// The status.
        status: i32,
    },
    /// A step ended early at a time that is not in it.
    #[error("`{call}` ended early at {reached}, which is outside of the step")]
    OutsideStep {
        /// The function.
        call: &'static str,
        /// The time that the unit gave.
        reached: f64,
    },
    /// A list has the wrong length.
    #[error("`{call}` takes {expected} values, not {given}")]
    Length {
        /// The function.
        call: &'static str,
        /// The length needed.
        expected: usize,
        /// The length given.
        given: usize,
    },
    /// A number does not fit into the type of the variable.
    #[error("{value} does not fit into the type of the variable in `{call}`")]
    OutOfRange {
        /// The function.
        call: &'static str,
        /// The number.
        value: i64,
    },
    /// A text with a zero character cannot be handed to a C function.
    #[error("{what} contains a zero character")]
    ZeroCharacter {
        /// The text's role.
        what: &'static str,
    },
    /// A state of another instance was given.
    #[error("the state belongs to another instance")]
    ForeignState,
}
