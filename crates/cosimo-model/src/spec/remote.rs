//! A subsystem that somebody else serves.

use std::path::PathBuf;

use serde::Serialize;

/// Where a subsystem is served, by `cosimo serve` or another program. In a model file `[subsystem.remote]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum RemoteSpec {
    /// Over TCP.
    Tcp {
        /// Its address, `host:port`.
        tcp: String,
        /// File of the key that both ends have. Without one the server is on this machine.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<PathBuf>,
    },
    /// Over a network of zenoh.
    Zenoh {
        /// The key expression under which it is offered.
        zenoh: String,
        /// Endpoints to connect to, such as `tls/host:port`.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        connect: Vec<String>,
        /// Endpoints to listen at.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        listen: Vec<String>,
        /// File of the configuration of zenoh, with the certificates.
        #[serde(skip_serializing_if = "Option::is_none")]
        config: Option<PathBuf>,
    },
}
