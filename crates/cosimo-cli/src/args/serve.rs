//! Arguments of `cosimo serve`.

use std::path::PathBuf;

use super::{ModelArgs, OverrideArgs};

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
    /// Where to listen for masters; without a key, on this machine only
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7400", requires = "path")]
    listen: String,
    /// File of the key, at least 16 bytes, that masters must have too
    #[arg(long, value_name = "FILE", requires = "path")]
    pub(crate) key: Option<PathBuf>,
}

impl ServeArgs {
    /// The model and the subsystem that are offered, if any are.
    pub(crate) fn offer(&self) -> Option<(ModelArgs, &str)> {
        let path = self.path.clone()?;
        Some((ModelArgs { path, overrides: self.overrides.clone() }, self.subsystem.as_deref()?))
    }

    /// Where to listen.
    pub(crate) fn listen(&self) -> &str {
        &self.listen
    }
}
