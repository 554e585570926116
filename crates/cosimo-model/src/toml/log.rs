//! Where diagnostics are collected while a model is read.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::diagnostic::{Diagnostic, Diagnostics, Severity};
use super::placement::Placement;
use super::sources::{Sources, Span};
use super::suggestion::hint;

/// Errors, and warnings, that are listed.
const LISTED: usize = 20;

/// Errors and warnings that are kept until they are put in order; of what is found after them only the number is.
const KEPT: usize = 10_000;

/// Characters of a message that are shown.
const MESSAGE: usize = 1000;

/// What was found, before it is looked up where it is.
struct Unplaced {
    severity: Severity,
    span: Span,
    message: String,
    help: Option<String>,
}

/// What is listed, with the instances of a template in which it is.
struct Listed {
    /// Where it begins in the files, one after the other.
    start: usize,
    instances: Vec<String>,
    finding: Unplaced,
}

/// Instances that are named.
const NAMED: usize = 3;

impl Listed {
    fn diagnostic(self, sources: &Sources<'_>) -> Diagnostic {
        let Unplaced { severity, span, message, help } = self.finding;
        let named: Vec<_> = self.instances.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let place = match (self.instances.len(), self.instances.len().saturating_sub(NAMED)) {
            (0, _) => String::new(),
            (1, _) => format!(" (in instance {})", named.join("")),
            (_, 0) => format!(" (in instances {})", named.join(", ")),
            (_, more) => format!(" (in instances {} and {more} more)", named.join(", ")),
        };
        let message = shortened(message) + &place;
        Diagnostic { severity, place: sources.place(&span), message, help: help.map(shortened) }
    }
}

/// Collects diagnostics; shared by everything that reads.
pub(crate) struct Log<'a> {
    sources: Sources<'a>,
    found: RefCell<Vec<Unplaced>>,
    /// Numbers of errors and of warnings.
    counts: Cell<[usize; 2]>,
    /// Values of formulas, by where these begin.
    values: RefCell<BTreeMap<usize, String>>,
    /// Where values begin of which nothing more is reported: formulas without value.
    lost: RefCell<BTreeSet<usize>>,
}

impl<'a> Log<'a> {
    /// Starts without diagnostics.
    pub(crate) fn new(sources: Sources<'a>) -> Self {
        Self {
            sources,
            found: RefCell::default(),
            counts: Cell::new([0; 2]),
            values: RefCell::default(),
            lost: RefCell::default(),
        }
    }

    /// The texts that are read.
    pub(crate) fn sources(&self) -> &Sources<'a> {
        &self.sources
    }

    /// A path as it stands in a value at a span, from the folder that its file is in; absolute.
    pub(crate) fn beside(&self, span: &Span, path: &str) -> PathBuf {
        self.sources.beside(span, path)
    }

    /// Where the instance of a template stands that a value belongs to; in place where it belongs to none.
    pub(crate) fn placement(&self, span: &Span) -> Placement {
        self.sources.placement(span)
    }

    /// Whether the formula at a span has no value, which was reported.
    pub(crate) fn is_lost(&self, span: &Span) -> bool {
        self.lost.borrow().contains(&span.start)
    }

    /// The text of a span.
    pub(crate) fn text(&self, span: &Span) -> String {
        self.sources.slice(span)
    }

    /// Says what the value of the formula at a span is.
    pub(crate) fn note_value(&self, span: &Span, value: String) {
        self.values.borrow_mut().insert(span.start, value);
    }

    /// Says that the formula at a span has no value, so that nothing more is reported of it.
    pub(crate) fn lose(&self, span: &Span) {
        self.lost.borrow_mut().insert(span.start);
    }

    /// Records an error.
    pub(crate) fn error(&self, span: &Span, message: impl Into<String>) {
        self.push(Severity::Error, span, message.into(), None);
    }

    /// Records an error and what to change.
    pub(crate) fn error_with_help(&self, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, span, message.into(), Some(help.into()));
    }

    /// Records a warning and what to change.
    pub(crate) fn warning(&self, span: &Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Warning, span, message.into(), Some(help.into()));
    }

    /// Records that there is no `what` of this name, suggesting one of the `candidates`.
    pub(crate) fn unknown<'c>(
        &self,
        span: &Span,
        what: &str,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) {
        self.error_with_hint(span, format!("no {what} `{name}`"), name, candidates);
    }

    /// Records an error about a name, suggesting one of the `candidates`.
    pub(crate) fn error_with_hint<'c>(
        &self,
        span: &Span,
        message: String,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) {
        self.push(Severity::Error, span, message, hint(name, candidates));
    }

    /// Records an unknown key, suggesting one of the keys that are known there.
    pub(crate) fn unknown_key(&self, span: &Span, key: &str, place: &str, known: &[&str]) {
        let message = format!("unknown key `{key}` in {place}");
        self.push(Severity::Error, span, message, hint(key, known.iter().copied()));
    }

    /// Number of errors recorded so far.
    pub(crate) fn error_count(&self) -> usize {
        self.counts.get()[0]
    }

    /// The value at a span as written, if it is short enough to be quoted; of a formula its value too.
    pub(crate) fn quote(&self, span: &Span) -> Option<String> {
        let slice = self.sources.slice(span);
        let text = slice.trim();
        let is_short = !text.is_empty() && text.len() <= 40 && !text.contains('\n');
        match self.values.borrow().get(&span.start) {
            Some(value) if is_short => Some(format!("{value} ({text})")),
            Some(value) => Some(value.clone()),
            None => is_short.then(|| text.to_owned()),
        }
    }

    /// A span in words, for mentioning a second place: `line 12` or `--set time.step=1`.
    pub(crate) fn mention(&self, span: &Span) -> String {
        self.sources.mention(span)
    }

    /// Number of the line of a span in its file.
    pub(crate) fn line(&self, span: &Span) -> usize {
        self.sources.line(span)
    }

    /// Whether a span is part of the path of an override, where a table stands that the path alone has made.
    pub(crate) fn is_in_path(&self, span: &Span) -> bool {
        self.sources.is_in_path(span)
    }

    /// Ends the collection: the warnings if there is no error, otherwise everything.
    pub(crate) fn finish(self) -> Result<Vec<Diagnostic>, Diagnostics> {
        if self.error_count() > 0 { Err(self.into_diagnostics()) } else { Ok(self.listed(usize::MAX).0) }
    }

    /// Ends the collection after at least one error.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        let counts = self.counts.get();
        let (list, [errors, warnings]) = self.listed(LISTED);
        Diagnostics::new(list, [counts[0] - errors, counts[1] - warnings])
    }

    /// So many errors and so many warnings in the order of position, and how many there are in these. What is found at one place
    /// of a template in several of its instances is listed once.
    fn listed(self, most: usize) -> (Vec<Diagnostic>, [usize; 2]) {
        let Self { sources, found, .. } = self;
        let mut found: Vec<_> =
            found.into_inner().into_iter().map(|finding| (sources.locate(&finding.span), finding)).collect();
        found.sort_by_key(|(location, _)| location.start);
        let mut listed: Vec<Listed> = Vec::new();
        let (mut left, mut counts) = ([most; 2], [0; 2]);
        for (location, finding) in found {
            let kind = finding.severity as usize;
            let same_place = listed.iter_mut().rev().take_while(|own| own.start == location.start);
            let twin = same_place.filter(|own| own.finding.severity == finding.severity).find_map(|own| {
                let Some(instance) = &location.instance else {
                    return (own.finding.message == finding.message).then_some(own);
                };
                (!own.instances.is_empty() && !own.instances.contains(instance)).then_some(own)
            });
            match twin {
                Some(twin) => twin.instances.extend(location.instance),
                None if left[kind] > 0 => {
                    left[kind] -= 1;
                    let instances = location.instance.into_iter().collect();
                    listed.push(Listed { start: location.start, instances, finding });
                }
                None => continue,
            }
            counts[kind] += 1;
        }
        (listed.into_iter().map(|listed| listed.diagnostic(&sources)).collect(), counts)
    }

    fn push(&self, severity: Severity, span: &Span, message: String, help: Option<String>) {
        if self.is_lost(span) {
            return;
        }
        let mut counts = self.counts.get();
        let count = &mut counts[severity as usize];
        *count += 1;
        if *count <= KEPT {
            self.found.borrow_mut().push(Unplaced { severity, span: span.clone(), message, help });
        }
        self.counts.set(counts);
    }
}

/// A text, cut where it quotes something long.
fn shortened(text: String) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
