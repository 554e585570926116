//! Where diagnostics are collected while a model is read.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::suggestion::hint;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use crate::overrides::{Override, spelled};

/// Byte range in the file, or behind its end in one of the overrides (see [`Sources`]).
pub(crate) type Span = Range<usize>;

/// The texts a model is read from: the file, followed by the overrides as if they were appended to it.
///
/// The start of a span therefore shows whether a value came from the file or from which override.
pub(crate) struct Sources<'a> {
    name: &'a str,
    text: &'a str,
    overrides: Vec<(usize, &'a str)>,
    /// Where the lines of the file begin.
    lines: Vec<usize>,
}

impl<'a> Sources<'a> {
    /// Lays the overrides out behind the text, each with a gap of one byte.
    pub(crate) fn new(name: &'a str, text: &'a str, overrides: &'a [Override]) -> Self {
        let mut base = text.len() + 1;
        let mut laid_out = Vec::new();
        for item in overrides {
            laid_out.push((base, item.argument()));
            base += item.argument().len() + 1;
        }
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name, text, overrides: laid_out, lines }
    }

    /// Where the spans of the override of this index start.
    pub(crate) fn base(&self, index: usize) -> usize {
        self.overrides.get(index).map_or(0, |(base, _)| *base)
    }

    /// The text of a span.
    fn slice(&self, span: &Span) -> &'a str {
        match self.owner(span) {
            Some((base, argument)) => argument.get(span.start - base..span.end - base).unwrap_or_default(),
            None => self.text.get(span.clone()).unwrap_or_default(),
        }
    }

    fn owner(&self, span: &Span) -> Option<(usize, &'a str)> {
        self.overrides.iter().copied().rev().find(|(base, _)| *base <= span.start)
    }

    fn place(&self, span: &Span) -> Place {
        if let Some((_, argument)) = self.owner(span) {
            return Place::Override { argument: argument.to_owned() };
        }
        let start = span.start.min(self.text.len());
        let line = self.lines.partition_point(|begin| *begin <= start);
        let line_start = self.lines[line - 1];
        let before = self.text.get(line_start..start).unwrap_or_default();
        let text = self.text[line_start..].lines().next().unwrap_or_default();
        Place::File {
            source: self.name.to_owned(),
            line,
            column: before.chars().count() + 1,
            span: span.clone(),
            text: text.to_owned(),
        }
    }
}

/// Collects diagnostics; shared by everything that reads.
pub(crate) struct Log<'a> {
    sources: Sources<'a>,
    found: RefCell<Vec<(usize, Diagnostic)>>,
    errors: Cell<usize>,
}

impl<'a> Log<'a> {
    /// Starts without diagnostics.
    pub(crate) fn new(sources: Sources<'a>) -> Self {
        Self { sources, found: RefCell::default(), errors: Cell::new(0) }
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
        self.errors.get()
    }

    /// The value at a span as written, if it is short enough to be quoted.
    pub(crate) fn quote(&self, span: &Span) -> Option<&'a str> {
        let text = self.sources.slice(span).trim();
        (!text.is_empty() && text.len() <= 40 && !text.contains('\n')).then_some(text)
    }

    /// A span in words, for mentioning a second place: `line 12` or `--set time.step=1`.
    pub(crate) fn mention(&self, span: &Span) -> String {
        match self.sources.place(span) {
            Place::File { line, .. } => format!("line {line}"),
            Place::Override { argument } => spelled(&argument),
        }
    }

    /// Whether a span is part of the path of an override, where a table stands that the path alone has made.
    pub(crate) fn is_in_path(&self, span: &Span) -> bool {
        let owner = self.sources.owner(span);
        owner.is_some_and(|(base, argument)| argument.find('=').is_some_and(|at| span.start < base + at))
    }

    /// Where the spans of an override start.
    pub(crate) fn base(&self, index: usize) -> usize {
        self.sources.base(index)
    }

    /// Ends the collection: the warnings if there is no error, otherwise everything.
    pub(crate) fn finish(self) -> Result<Vec<Diagnostic>, Diagnostics> {
        let list = self.into_sorted();
        if list.iter().any(Diagnostic::is_error) { Err(Diagnostics::new(list)) } else { Ok(list) }
    }

    /// Ends the collection after at least one error.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        Diagnostics::new(self.into_sorted())
    }

    fn into_sorted(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|(start, _)| *start);
        found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    fn push(&self, severity: Severity, span: &Span, message: String, help: Option<String>) {
        let diagnostic = Diagnostic { severity, place: self.sources.place(span), message, help };
        self.errors.set(self.errors.get() + usize::from(diagnostic.is_error()));
        self.found.borrow_mut().push((span.start, diagnostic));
    }
}
