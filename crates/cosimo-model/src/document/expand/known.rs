//! Names with values.

use std::collections::BTreeMap;

use cosimo_formula::Value;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// A number or a vector.
    Value(Value),
    /// `true` or `false`, in formulas 1 or 0.
    Truth(bool),
    /// A text, for names in templates.
    Text(String),
    /// Nothing, after a mistake that was recorded.
    Lost,
}

/// Names with values, before those of a scope outside.
#[derive(Default)]
pub(super) struct Scope<'s> {
    pub(super) own: BTreeMap<String, Known>,
    pub(super) outer: Option<&'s Scope<'s>>,
}

impl<'s> Scope<'s> {
    /// A scope with these names alone, within another.
    pub(super) fn within(own: BTreeMap<String, Known>, outer: &'s Self) -> Self {
        Self { own, outer: Some(outer) }
    }

    /// What a name stands for.
    pub(super) fn find(&self, name: &str) -> Option<&Known> {
        self.own.get(name).or_else(|| self.outer?.find(name))
    }

    /// The names of this scope alone.
    pub(super) fn into_own(self) -> BTreeMap<String, Known> {
        self.own
    }

    /// All names.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = self.outer.map(Self::names).unwrap_or_default();
        names.extend(self.own.keys().map(String::as_str));
        names
    }
}
