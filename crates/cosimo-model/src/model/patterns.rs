//! Names of quantities by patterns, in which `*` stands for any text.

use std::collections::{BTreeMap, BTreeSet};

use cosimo_subsystem::is_like;

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
        self.names.contains(name) || self.globs.iter().any(|pattern| is_like(pattern, name))
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
        let fits = |index: &usize| is_like(pattern, &self.quantities[*index].name);
        (0..self.quantities.len()).filter(fits).collect()
    }

    /// Whether a pattern is no mistake: it matches any, or is `*`, which is everything there is and may be nothing.
    pub(crate) fn is_right(&self, pattern: &str) -> bool {
        if pattern == "*" {
            return true;
        }
        if pattern.contains('*') {
            return self.quantities.iter().any(|quantity| is_like(pattern, &quantity.name));
        }
        self.index_of.contains_key(pattern)
    }
}
