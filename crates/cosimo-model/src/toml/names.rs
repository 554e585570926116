//! Names that must differ from each other, and finding a named thing.

use std::collections::BTreeMap;

use super::log::Log;
use super::sources::Span;

/// Names already given to things that must differ in name, each with the place where it was given first.
pub(crate) struct Names {
    seen: BTreeMap<String, Span>,
    /// A name that none of them may have, and why.
    reserved: Option<(&'static str, &'static str)>,
}

impl Names {
    /// No names yet.
    pub(crate) fn new() -> Self {
        Self { seen: BTreeMap::new(), reserved: None }
    }

    /// No names yet, of which none may be this one, for this reason.
    pub(crate) fn without(name: &'static str, reason: &'static str) -> Self {
        Self { seen: BTreeMap::new(), reserved: Some((name, reason)) }
    }

    /// Takes a name, recording a mistake if it was taken before; empty names stand for unreadable ones.
    pub(crate) fn claim(&mut self, log: &Log<'_>, name: &str, span: &Span) {
        if name.is_empty() {
            return;
        }
        if let Some((_, reason)) = self.reserved.filter(|(reserved, _)| *reserved == name) {
            log.error_with_help(span, format!("the name `{name}` {reason}"), "choose another name");
            return;
        }
        if let Some(first) = self.seen.get(name) {
            let place = log.mention(first);
            log.error(span, format!("the name `{name}` is already used ({place})"));
            return;
        }
        self.seen.insert(name.to_owned(), span.clone());
    }

    /// Where a name was taken.
    pub(crate) fn span_of(&self, name: &str) -> Option<&Span> {
        self.seen.get(name)
    }
}

/// Index of a name; records a mistake with a suggestion if there is none.
///
/// An empty name stands for an unreadable one, which may be the one looked for: nothing more is recorded then.
pub(crate) fn find(log: &Log<'_>, span: &Span, what: &str, name: &str, names: &[&str]) -> Option<usize> {
    let found = names.iter().position(|candidate| *candidate == name);
    if found.is_none() && !names.contains(&"") {
        log.unknown(span, what, name, names.iter().copied());
    }
    found
}
