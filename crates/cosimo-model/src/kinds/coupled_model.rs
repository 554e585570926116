//! A model as another one sees it that it is nested in.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cosimo_master::{Assembly, MasterConfig};

use crate::build_error::BuildError;
use crate::spec::{PortShape, QuantityName, SignalShape};
use crate::toml::Override;

/// A coupled model as another one sees it.
pub(crate) trait CoupledModel: Send + Sync {
    /// Ports that can be open, by `subsystem.port`.
    fn ports(&self) -> Vec<PortShape>;
    /// The open ports that the file itself names, by `subsystem.port`.
    fn named_ports(&self) -> Option<Vec<String>>;
    /// Signals, by `subsystem.signal`.
    fn inputs(&self) -> Vec<SignalShape>;
    /// See [`inputs`](Self::inputs).
    fn outputs(&self) -> Vec<SignalShape>;
    /// Everything that can be recorded.
    fn quantities(&self) -> Vec<QuantityName>;
    /// Files of its units of which a process can hold one instance only.
    fn single_units(&self) -> Vec<PathBuf>;
    /// Its parts at this time (s), for steps of at most this size (s), and its settings.
    fn parts(&self, start: f64, step: f64) -> Result<(Assembly, MasterConfig), BuildError>;
}

/// Opens the model file of this path with these overrides, for a file that is nested in these; and the files that it names itself.
pub(crate) type OpenModel = fn(&Path, &[Override], &[PathBuf]) -> (Result<Nested, String>, BTreeSet<PathBuf>);

/// A model, as it was read: the same for the same file and entries.
#[derive(Clone)]
pub(crate) struct Nested(pub(crate) Arc<dyn CoupledModel>);

impl PartialEq for Nested {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nested")
    }
}
