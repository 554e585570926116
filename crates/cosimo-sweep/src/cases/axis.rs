//! Values of one entry, rows of a file, draws.

use serde::{Deserialize, Serialize};

use super::error::CasesError;
use crate::values::{Distribution, Stream, text_of};

/// Values that are gone through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Axis {
    /// Values of one entry.
    List {
        /// Path of the entry.
        key: String,
        /// The values, as a model file has them; at least one.
        values: Vec<String>,
    },
    /// Values of several entries that go together.
    Table {
        /// Paths of the entries.
        keys: Vec<String>,
        /// The values, row by row, one per key; none where the entry stays as the model has it.
        rows: Vec<Vec<Option<String>>>,
    },
    /// Draws, each of all these entries.
    Random {
        /// What the numbers follow from.
        seed: u64,
        /// How many draws.
        count: usize,
        /// Paths of the entries with their distributions.
        entries: Vec<(String, Distribution)>,
    },
}

impl Axis {
    /// Values of one entry.
    #[must_use]
    pub fn list(key: impl Into<String>, values: Vec<String>) -> Self {
        Self::List { key: key.into(), values }
    }

    /// Draws of several entries.
    ///
    /// # Errors
    /// No entry is drawn, or no draw is wanted.
    pub fn random(seed: u64, count: usize, entries: Vec<(String, Distribution)>) -> Result<Self, CasesError> {
        if entries.is_empty() {
            let text = "no entry is drawn: give one a distribution, as in --set KEY.PATH=uniform(1,2)";
            return Err(CasesError::Random(text));
        }
        if count == 0 {
            return Err(CasesError::Random("entries are drawn: say how often by --random N"));
        }
        Ok(Self::Random { seed, count, entries })
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::List { values, .. } => values.len(),
            Self::Table { rows, .. } => rows.len(),
            Self::Random { count, .. } => *count,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries that are set.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let (one, several, drawn): (Option<&String>, &[String], &[(String, Distribution)]) = match self {
            Self::List { key, .. } => (Some(key), &[], &[]),
            Self::Table { keys, .. } => (None, keys, &[]),
            Self::Random { entries, .. } => (None, &[], entries),
        };
        one.into_iter().chain(several).chain(drawn.iter().map(|(key, _)| key)).map(String::as_str)
    }

    /// The values at a place, one per key.
    pub(super) fn values(&self, place: usize) -> Vec<Option<String>> {
        match self {
            Self::List { values, .. } => vec![values.get(place).cloned()],
            Self::Table { rows, .. } => rows.get(place).cloned().unwrap_or_default(),
            Self::Random { seed, entries, .. } => {
                let drawn = entries.iter().enumerate().map(|(number, (_, distribution))| {
                    let stream = Stream::new(*seed, number as u64);
                    Some(text_of(distribution.draw(stream, place as u64)))
                });
                drawn.collect()
            }
        }
    }
}
