//! Arguments of `cosimo serve`.

use std::path::PathBuf;

use super::model::{ModelArgs, OverrideArgs};

/// Arguments of `cosimo serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// The model file; without one, serves what a master assigns at standard input, as a run with execution = "processes" has it
    #[arg(value_name = "MODEL.toml", requires = "subsystem")]
    path: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// The subsystem
    #[arg(long, value_name = "NAME", requires = "path")]
    subsystem: Option<String>,
    /// Where to listen for masters, HOST:PORT; without a key, on this machine only [default: 127.0.0.1:7400]. Over zenoh endpoints, as in
    /// tls/HOST:PORT, any number of times
    #[arg(long, value_name = "PLACE", requires = "path")]
    pub(crate) listen: Vec<String>,
    /// File of the key, at least 16 bytes, that masters must have too
    #[arg(long, value_name = "FILE", requires = "path", conflicts_with = "zenoh")]
    pub(crate) key: Option<PathBuf>,
    /// Offers the subsystem over a network of zenoh, under this key expression
    #[arg(long, value_name = "KEY", requires = "path")]
    pub(crate) zenoh: Option<String>,
    /// Endpoint of the network to connect to, as in tls/HOST:PORT; any number of times
    #[arg(long, value_name = "ENDPOINT", requires = "zenoh")]
    pub(crate) connect: Vec<String>,
    /// File of the configuration of zenoh, with the certificates
    #[arg(long, value_name = "FILE", requires = "zenoh")]
    pub(crate) config: Option<PathBuf>,
}

impl ServeArgs {
    /// The model and the subsystem that are offered, if any are.
    pub(crate) fn offer(&self) -> Option<(ModelArgs, &str)> {
        let path = self.path.clone()?;
        Some((ModelArgs { path, overrides: self.overrides.clone() }, self.subsystem.as_deref()?))
    }
}
