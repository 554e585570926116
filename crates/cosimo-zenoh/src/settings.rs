//! Where a network connects and listens.

use std::path::PathBuf;
use std::time::Duration;

/// How long an end may be silent where nothing else is said.
const SILENCE: Duration = Duration::from_secs(1);

/// What a [`Network`](crate::Network) is made of: endpoints `tcp/host:port` and `tls/host:port`, and a file with certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub(crate) connect: Vec<String>,
    pub(crate) listen: Vec<String>,
    pub(crate) file: Option<PathBuf>,
    pub(crate) silence: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { connect: Vec::new(), listen: Vec::new(), file: None, silence: SILENCE }
    }
}

impl Settings {
    /// It neither connects nor listens; machines are not looked for by multicast.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// It connects here, too, as soon as somebody listens there, and again where the connection is lost.
    #[must_use]
    pub fn connect(mut self, endpoint: &str) -> Self {
        self.connect.push(endpoint.to_owned());
        self
    }

    /// It listens here, too. Without certificates this must be the loopback address.
    #[must_use]
    pub fn listen(mut self, endpoint: &str) -> Self {
        self.listen.push(endpoint.to_owned());
        self
    }

    /// With a configuration of zenoh (JSON5), such as its certificates for `tls`:
    ///
    /// ```json5
    /// { transport: { link: { tls: {
    ///   enable_mtls: true, // both ends show their certificates
    ///   root_ca_certificate: "ca.pem",
    ///   listen_certificate: "blade.pem", listen_private_key: "blade.key",
    ///   connect_certificate: "master.pem", connect_private_key: "master.key",
    /// } } } }
    /// ```
    ///
    /// Endpoints, mode and lease are not read of it: the former two are refused there, the latter is [`silence`](Self::silence).
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>) -> Self {
        Self { file: Some(path.into()), ..self }
    }

    /// How long this end may be silent until the others take it for dead (the lease of zenoh), at least 10 ms. Default: 1 s. A process that
    /// ends is noticed at once; one that is stopped, as by Ctrl-Z, is lost to the others after this time.
    #[must_use]
    pub fn silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }
}
