//! What goes wrong with a network.

use cosimo_transport::TransportError;
use thiserror::Error;

/// Why a network cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// An endpoint is none.
    #[error("the endpoint `{endpoint}` cannot be used: {reason}")]
    Endpoint {
        /// As it was given.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// Other machines could connect without a certificate.
    #[error("without certificates it listens on the loopback address only, not at `{endpoint}`: {way_out}")]
    Unprotected {
        /// Where it was to listen.
        endpoint: String,
        /// What makes it possible.
        way_out: &'static str,
    },
    /// A subsystem was to be offered to other machines that do not show certificates.
    #[error(
        "without certificates it offers over the loopback address only, not by way of `{endpoint}`: it takes `tls/…`"
    )]
    OfferUnprotected {
        /// Where it connects.
        endpoint: String,
    },
    /// The file of zenoh cannot be used.
    #[error("the configuration `{path}` of zenoh cannot be used: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A key expression names no offer.
    #[error("the key expression `{key}` names no offer: {reason}")]
    Key {
        /// As it was given.
        key: String,
        /// Why.
        reason: String,
    },
    /// zenoh refuses.
    #[error("{action}: {reason}")]
    Refused {
        /// What was to be done.
        action: String,
        /// What zenoh says.
        reason: String,
    },
}

impl NetworkError {
    /// zenoh has refused an `action`.
    pub(crate) fn refused(action: impl Into<String>) -> impl FnOnce(zenoh::Error) -> Self {
        let action = action.into();
        move |error| Self::Refused { action, reason: error.to_string() }
    }
}

impl From<NetworkError> for TransportError {
    fn from(error: NetworkError) -> Self {
        Self::Disconnected(error.to_string())
    }
}
