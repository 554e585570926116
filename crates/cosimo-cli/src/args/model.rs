//! Arguments of every command that reads a model.

use std::path::PathBuf;

use cosimo::model::Override;

/// A model file with changes.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model file
    #[arg(value_name = "MODEL.toml")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
}

/// Changes of a model file.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct OverrideArgs {
    /// Sets an entry of the model, as in time.step=1e-4 or subsystem.NAME.mass=2; any number of times
    #[arg(long = "set", value_name = "KEY.PATH=VALUE", value_parser = Override::parse)]
    set: Vec<Override>,
    /// Removes an entry of the model, as in time.start or interface.NAME, before anything is set; any number of times
    #[arg(long = "unset", value_name = "KEY.PATH", value_parser = Override::parse_removal)]
    unset: Vec<Override>,
}

impl OverrideArgs {
    /// The changes in the order in which they are made.
    pub(crate) fn in_order(&self) -> Vec<Override> {
        self.unset.iter().chain(&self.set).cloned().collect()
    }
}
