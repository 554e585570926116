//! The model file, with what was set in it.

use std::path::Path;

use cosimo_model::{Diagnostic, Diagnostics, ModelSpec, Override, read_model, read_text};
use serde::Serialize;

use super::ModelError;

/// End and step of a run (s).
pub(super) type Times = (f64, f64);

/// The text of a model file, and overrides.
#[derive(Debug)]
pub(super) struct Document {
    /// How messages call it.
    pub(super) name: String,
    text: String,
    overrides: Vec<Override>,
}

impl Document {
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let text = read_text(path).map_err(|source| ModelError::Read { path: path.to_owned(), source })?;
        Ok(Self::new(path.display().to_string(), text))
    }

    pub(super) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), overrides: Vec::new() }
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What was set in it.
    pub(super) fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// The complete model, with warnings; with these times, if any, in place of its own.
    pub(super) fn read(&self, times: Option<Times>) -> Result<(ModelSpec, Vec<Diagnostic>), ModelError> {
        let mut overrides = self.overrides.clone();
        if let Some((end, step)) = times {
            overrides.extend([entry("time.end", &end)?, entry("time.step", &step)?]);
        }
        self.read_with(&overrides).map_err(|diagnostics| ModelError::Mistakes { diagnostics })
    }

    fn read_with(&self, overrides: &[Override]) -> Result<(ModelSpec, Vec<Diagnostic>), Diagnostics> {
        read_model(&self.name, &self.text, overrides)
    }

    /// Sets an entry, in place of what was set there before.
    pub(super) fn set(&mut self, path: &str, value: &impl Serialize) -> Result<(), ModelError> {
        self.change(path, entry(path, value)?)
    }

    /// Removes an entry, or takes back what was set where the file has none.
    pub(super) fn unset(&mut self, path: &str) -> Result<(), ModelError> {
        let removal = Override::parse_removal(path)?;
        let others = self.others(path);
        let is_set = others.len() < self.overrides.len();
        match self.change(path, removal) {
            Err(ModelError::Mistakes { .. }) if is_set => {
                self.overrides = others;
                Ok(())
            }
            changed => changed,
        }
    }

    /// Takes a change, unless it is at fault itself; other mistakes of the model are told when it is used.
    fn change(&mut self, path: &str, change: Override) -> Result<(), ModelError> {
        let argument = change.argument().to_owned();
        let mut overrides = self.others(path);
        overrides.push(change);
        let mistakes = self.read_with(&overrides).err().and_then(|all| all.of_override(&argument));
        if let Some(diagnostics) = mistakes {
            return Err(ModelError::Mistakes { diagnostics });
        }
        self.overrides = overrides;
        Ok(())
    }

    /// What was set, but for this path.
    fn others(&self, path: &str) -> Vec<Override> {
        self.overrides.iter().filter(|own| path_of(own) != path).cloned().collect()
    }
}

fn path_of(change: &Override) -> &str {
    change.argument().split('=').next().unwrap_or_default()
}

fn entry(path: &str, value: &impl Serialize) -> Result<Override, ModelError> {
    let value = toml::Value::try_from(value).map_err(|source| ModelError::Value { source })?;
    Ok(Override::parse(&format!("{path}={value}"))?)
}
