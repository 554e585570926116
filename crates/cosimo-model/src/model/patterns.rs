//! Names of quantities by patterns, in which `*` stands for any text.

use std::collections::{BTreeMap, BTreeSet};

use crate::spec::QuantityName;

/// Patterns of which a name may match any; those without `*` are looked up.
pub(super) struct Patterns<'p> {
    names: BTreeSet<&'p str>,
    globs: Vec<&'p str>,
}

impl<'p> Patterns<'p> {
    /// Sorts the patterns.
    pub(super) fn new(patterns: &'p [String]) -> Self {
        let (globs, names): (Vec<&str>, Vec<&str>) =
            patterns.iter().map(String::as_str).partition(|pattern| pattern.contains('*'));
        Self { names: names.into_iter().collect(), globs }
    }

    /// Whether any of them matches a name.
    pub(super) fn match_any(&self, name: &str) -> bool {
        self.names.contains(name) || self.globs.iter().any(|pattern| matches(pattern, name))
    }
}

/// Quantities by name, for finding those that a pattern matches.
pub(crate) struct KnownNames<'q> {
    quantities: &'q [QuantityName],
    index_of: BTreeMap<&'q str, usize>,
}

impl<'q> KnownNames<'q> {
    /// Names differ; of equal ones, in models with mistakes, the last is found.
    pub(crate) fn new(quantities: &'q [QuantityName]) -> Self {
        let names = quantities.iter().enumerate().map(|(index, quantity)| (quantity.name.as_str(), index));
        Self { quantities, index_of: names.collect() }
    }

    /// Indices of the quantities that a pattern matches, ascending.
    pub(crate) fn matching(&self, pattern: &str) -> Vec<usize> {
        if !pattern.contains('*') {
            return self.index_of.get(pattern).copied().into_iter().collect();
        }
        let fits = |index: &usize| matches(pattern, &self.quantities[*index].name);
        (0..self.quantities.len()).filter(fits).collect()
    }

    /// Whether a pattern matches any.
    pub(crate) fn has_match(&self, pattern: &str) -> bool {
        if pattern.contains('*') {
            return self.quantities.iter().any(|quantity| matches(pattern, &quantity.name));
        }
        self.index_of.contains_key(pattern)
    }
}

/// Whether a name fits a pattern, in which `*` stands for any text.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            let cuts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            cuts.into_iter().any(|at| matches(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("*", "lower.z"));
        assert!(matches("lower.*", "lower.floor.gap"));
        assert!(matches("*.gap", "lower.floor.gap"));
        assert!(matches("l*.f*.gap", "lower.floor.gap"));
        assert!(!matches("lower.", "lower.z"));
        assert!(!matches("lower.*x", "lower.z"));
        assert!(!matches("ower.*", "lower.z"));
    }
}
