//! Files that the models of the runs are read from.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::Study;
use crate::cases::Axis;

impl Study {
    /// The files that the models of its runs are read from besides the text of the study.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = self.source.files(std::iter::empty());
        for entries in self.cases.axes().iter().flat_map(texts) {
            files.extend(self.source.files(entries.into_iter()));
        }
        files
    }
}

/// The values of an axis by which a file can be named, with their entries; each combination once.
fn texts(axis: &Axis) -> BTreeSet<Vec<(&str, String)>> {
    if matches!(axis, Axis::Random { .. }) {
        return BTreeSet::new();
    }
    let at = |place: usize| -> Vec<(&str, String)> {
        let entries = axis.keys().zip(axis.values(place));
        entries.filter_map(|(key, value)| Some((key, value.filter(|text| has_words(text))?))).collect()
    };
    (0..axis.len()).map(at).filter(|entries| !entries.is_empty()).collect()
}

/// Whether a value is more than numbers and lists of numbers.
fn has_words(text: &str) -> bool {
    let parts = text.split(|c: char| c.is_whitespace() || "[],".contains(c));
    parts
        .into_iter()
        .any(|part| !(part.is_empty() || part.parse::<f64>().is_ok() || part.parse::<bool>().is_ok()))
}
