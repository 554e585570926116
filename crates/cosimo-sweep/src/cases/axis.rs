//! Values of one entry, rows of a file, draws.

use serde::{Deserialize, Serialize};

use super::error::CasesError;
use crate::values::{Distribution, Stream, number_of, text_of};

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

    /// Whether an entry is set to numbers alone; in rows of a file it may be left as it is.
    pub(crate) fn is_of_numbers(&self, key: &str) -> bool {
        let Some(column) = self.keys().position(|own| own == key) else { return false };
        let is_number = |text: &String| number_of(text).is_some();
        match self {
            Self::List { values, .. } => values.iter().all(is_number),
            Self::Table { rows, .. } => {
                let given = || rows.iter().filter_map(|row| row[column].as_ref());
                given().next().is_some() && given().all(is_number)
            }
            Self::Random { .. } => true,
        }
    }

    /// The values at a place, one per key.
    pub(crate) fn values(&self, place: usize) -> Vec<Option<String>> {
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
