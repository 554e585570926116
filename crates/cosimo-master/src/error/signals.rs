//! Errors of signals.

use std::fmt;

use cosimo_subsystem::SubsystemError;
use thiserror::Error;

/// Why signals cannot be connected, or not be exchanged. Connections are written `from → to`.
#[derive(Error)]
#[non_exhaustive]
pub enum SignalError {
    /// A connection names a signal that does not exist.
    #[error("connection {connection}: there is no {what} `{name}`; there are: {known}")]
    Unknown {
        /// The connection.
        connection: String,
        /// `output` or `input`.
        what: &'static str,
        /// `subsystem.signal`.
        name: String,
        /// The outputs or inputs that exist.
        known: String,
    },
    /// A connection between different units.
    #[error(
        "connection {connection}: the output is in {from}, the input takes {to}; give both the same unit, or put a gain between \
         them"
    )]
    Units {
        /// The connection.
        connection: String,
        /// Unit of the output.
        from: String,
        /// Unit of the input.
        to: String,
    },
    /// An input with two sources.
    #[error(
        "connection {connection}: the input is connected to `{other}` already; add the signals up before it"
    )]
    ConnectedTwice {
        /// The connection.
        connection: String,
        /// The output that feeds it already.
        other: String,
    },
    /// An input that must be connected and is not.
    #[error("input `{input}` has no default and is not connected; the outputs in {unit} are: {known}")]
    NotConnected {
        /// `subsystem.input`.
        input: String,
        /// Its unit.
        unit: String,
        /// The outputs that fit.
        known: String,
    },
    /// A loop of outputs that depend on each other at once, where none is allowed.
    #[error(
        "the outputs {outputs} depend on each other at once; break the loop by an element without direct feed-through, or set \
         signal_loops = \"solve\""
    )]
    Loop {
        /// Names of the outputs of the loop, in the order of its evaluation.
        outputs: String,
    },
    /// A loop that was not solved.
    #[error(
        "the loop of the outputs {outputs} is not solved after {iterations} iterations: relative residual {residual:.3e}; \
         {reason}"
    )]
    LoopNotSolved {
        /// Names of the outputs of the loop, in the order of its evaluation.
        outputs: String,
        /// Newton iterations done.
        iterations: u32,
        /// Residual relative to the largest value in the loop (–).
        residual: f64,
        /// What may be the matter, and the way out.
        reason: &'static str,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for SignalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}
