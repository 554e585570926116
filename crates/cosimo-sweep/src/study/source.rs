//! The model of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use cosimo_master::MasterConfig;
use cosimo_model::{
    Diagnostics, Execution, ModelSpec, Override, OverrideError, Place, bundle, model_files, read_model,
};
use serde::{Deserialize, Serialize};

use crate::cases::Cases;

/// A model file with the changes that all runs share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// How messages call the file; files that it names are looked for beside it.
    name: String,
    text: String,
    /// Whether files that it includes are in the text, whose lines are then those of no file.
    is_bundled: bool,
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
        Self { name: name.into(), text: text.into(), is_bundled: false, changes }
    }

    /// The same in one text with the files that it includes, so that all runs have them as they are now.
    pub(super) fn in_one_text(self) -> Self {
        match bundle(&self.name, &self.text, &[]) {
            Ok(found) if !found.is_whole => Self { text: found.text, is_bundled: true, ..self },
            _ => self,
        }
    }

    /// The entries that are set in all runs.
    pub(super) fn set(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().filter_map(|own| Some(own.split_once('=')?.0.trim()))
    }

    /// The same where the file is said to be elsewhere.
    pub(super) fn at(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The model of a run, with all subsystems on this machine: who serves one serves it to one run. It has a thread for itself: the others have runs of their own.
    pub(super) fn model(&self, cases: &Cases, run: usize) -> Result<ModelSpec, Unreadable> {
        let set = cases.keys().zip(cases.values(run)).filter_map(|(key, value)| Some((key, value?)));
        let overrides = self.overrides(set).map_err(Unreadable::Path)?;
        let read = read_model(&self.name, &self.text, &overrides);
        let mut model = read.map_err(Unreadable::Mistakes)?.0.nearby();
        model.master.threads = MasterConfig::default().threads;
        if model.placement.execution == Execution::Threads {
            model.placement.execution = Execution::InThread;
        }
        Ok(model)
    }

    /// The files that the model with these entries is read from besides its text.
    pub(super) fn files<'k>(&self, set: impl Iterator<Item = (&'k str, String)>) -> BTreeSet<PathBuf> {
        let overrides = self.overrides(set);
        overrides.map(|own| model_files(&self.name, &self.text, &own)).unwrap_or_default()
    }

    /// What all runs share, then what one sets.
    fn overrides<'k>(
        &self,
        set: impl Iterator<Item = (&'k str, String)>,
    ) -> Result<Vec<Override>, OverrideError> {
        let set = set.map(|(key, value)| format!("{key}={value}"));
        let parsed = self.changes.iter().cloned().chain(set).map(|own| match own.contains('=') {
            true => Override::parse(&own),
            false => Override::parse_removal(&own),
        });
        parsed.collect()
    }

    /// Why a run has no model, in one line.
    pub(super) fn told(&self, error: &Unreadable) -> String {
        error.summary(!self.is_bundled)
    }
}

impl Unreadable {
    /// In one line: the first mistake, where lines are those of a file with its line, and how many there are besides.
    fn summary(&self, has_lines: bool) -> String {
        let mistakes = match self {
            Self::Path(error) => return error.to_string(),
            Self::Mistakes(mistakes) => mistakes,
        };
        let Some(first) = mistakes.iter().find(|own| own.is_error()) else { return mistakes.to_string() };
        let place = match &first.place {
            Place::Override { argument } => argument.clone(),
            _ => first.line().filter(|_| has_lines).map(|line| format!("line {line}")).unwrap_or_default(),
        };
        let place = if place.is_empty() { place } else { place + ": " };
        let help = first.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let more = match mistakes.error_count() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        format!("{place}{}{help}{more}", first.message)
    }
}
