//! The model of a run.

use cosimo_master::MasterConfig;
use cosimo_model::{Diagnostics, Execution, ModelSpec, Override, OverrideError, Place, read_model};
use serde::{Deserialize, Serialize};

use crate::cases::Cases;

/// A model file with the changes that all runs share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// How messages call the file; files that it names are looked for beside it.
    name: String,
    text: String,
    /// Arguments of `--set`, and of `--unset`, which have no `=`.
    changes: Vec<String>,
}

/// Why a run has no model.
#[derive(Debug)]
pub(super) enum Unreadable {
    Path(OverrideError),
    Mistakes(Diagnostics),
}

impl Source {
    /// The text of a model file, changed in this order.
    pub fn new(name: impl Into<String>, text: impl Into<String>, changes: &[Override]) -> Self {
        let changes = changes.iter().map(|own| own.argument().to_owned()).collect();
        Self { name: name.into(), text: text.into(), changes }
    }

    /// The same where the file is said to be elsewhere.
    pub(super) fn at(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The model of a run. It has a thread for itself: the others have runs of their own.
    pub(super) fn model(&self, cases: &Cases, run: usize) -> Result<ModelSpec, Unreadable> {
        let set = cases.keys().zip(cases.values(run));
        let set = set.filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        let parsed = self.changes.iter().cloned().chain(set).map(|own| match own.contains('=') {
            true => Override::parse(&own),
            false => Override::parse_removal(&own),
        });
        let overrides = parsed.collect::<Result<Vec<_>, _>>().map_err(Unreadable::Path)?;
        let read = read_model(&self.name, &self.text, &overrides);
        let (mut model, _) = read.map_err(Unreadable::Mistakes)?;
        model.master.threads = MasterConfig::default().threads;
        if model.placement.execution == Execution::Threads {
            model.placement.execution = Execution::InThread;
        }
        Ok(model)
    }
}

impl Unreadable {
    /// In one line: the first mistake and how many there are besides.
    pub(super) fn summary(&self) -> String {
        let mistakes = match self {
            Self::Path(error) => return error.to_string(),
            Self::Mistakes(mistakes) => mistakes,
        };
        let Some(first) = mistakes.iter().find(|own| own.is_error()) else { return mistakes.to_string() };
        let place = match &first.place {
            Place::Override { argument } => argument.clone(),
            _ => first.line().map(|line| format!("line {line}")).unwrap_or_default(),
        };
        let help = first.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let more = match mistakes.error_count() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        format!("{place}: {}{help}{more}", first.message)
    }
}
