//! What can be wrong with a coupled model as a subsystem.

use cosimo_master::SetupError;
use thiserror::Error;

/// Why a coupled model is no subsystem.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompositeError {
    /// The model itself cannot be assembled.
    #[error("subsystem `{composite}`: its model cannot be assembled")]
    Setup {
        /// Name of the composite.
        composite: String,
        /// Why.
        source: Box<SetupError>,
    },
    /// The step on trial failed.
    #[error("subsystem `{composite}`: a first step of its model fails: {reason}")]
    FirstStep {
        /// Name of the composite.
        composite: String,
        /// Why.
        reason: String,
    },
    /// A port to be opened that does not exist.
    #[error(
        "subsystem `{composite}`: `{port}` is to be open, and its model has no such port; it has {known}"
    )]
    UnknownPort {
        /// Name of the composite.
        composite: String,
        /// `subsystem.port`.
        port: String,
        /// The ports that there are.
        known: String,
    },
    /// A port that takes motion: it can be joined inside only.
    #[error(
        "subsystem `{composite}`: port `{port}` takes motion and gives loads; only ports that give motion can be open: join it inside the model"
    )]
    LoadPort {
        /// Name of the composite.
        composite: String,
        /// `subsystem.port`.
        port: String,
    },
}
