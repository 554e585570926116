//! Where diagnostics are collected while a model is read.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use super::overrides::{Override, spelled};
use super::suggestion::hint;

/// Byte range in the file, or behind its end in one of the overrides (see [`Sources`]).
pub(crate) type Span = Range<usize>;

/// Errors, and warnings, that are listed.
const LISTED: usize = 20;

/// Errors and warnings that are kept until they are put in order; of what is found after them only the number is.
const KEPT: usize = 10_000;

/// Characters of a message that are shown.
const MESSAGE: usize = 1000;

/// Characters of a line that are shown before a mistake, of the mistake at most, and after it.
const SHOWN_BEFORE: usize = 60;
const SHOWN: usize = 60;
const SHOWN_AFTER: usize = 40;

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
        let (line, line_start, start) = self.line(span);
        let before = self.text.get(line_start..start).unwrap_or_default();
        let text = self.text[line_start..].lines().next().unwrap_or_default();
        let (text, skipped) = around(text, before.len(), span.len());
        let column = before.chars().count() + 1;
        Place::File { source: self.name.to_owned(), line, column, span: span.clone(), text, before: skipped }
    }

    /// Number of the line of a span in the file, where the line starts, and where the span does.
    fn line(&self, span: &Span) -> (usize, usize, usize) {
        let start = span.start.min(self.text.len());
        let line = self.lines.partition_point(|begin| *begin <= start);
        (line, self.lines[line - 1], start)
    }
}

/// What is shown of a line around the `length` bytes from byte `at`, and the number of its characters before these.
fn around(line: &str, at: usize, length: usize) -> (String, usize) {
    let (before, rest) = line.split_at_checked(at).unwrap_or((line, ""));
    let from =
        before.char_indices().rev().nth(SHOWN_BEFORE).map_or(0, |(from, first)| from + first.len_utf8());
    let shown = length.min(SHOWN) + SHOWN_AFTER;
    let to = rest.char_indices().nth(shown).map_or(rest.len(), |(to, _)| to);
    let [start, end] = [from > 0, to < rest.len()].map(|is_cut| if is_cut { "…" } else { "" });
    let text = format!("{start}{}{}{end}", &before[from..], &rest[..to]);
    (text, start.chars().count() + before[from..].chars().count())
}

/// What was found, before it is looked up where it is.
struct Unplaced {
    severity: Severity,
    span: Span,
    message: String,
    help: Option<String>,
}

/// Collects diagnostics; shared by everything that reads.
pub(crate) struct Log<'a> {
    sources: Sources<'a>,
    found: RefCell<Vec<Unplaced>>,
    /// Numbers of errors and of warnings.
    counts: Cell<[usize; 2]>,
}

impl<'a> Log<'a> {
    /// Starts without diagnostics.
    pub(crate) fn new(sources: Sources<'a>) -> Self {
        Self { sources, found: RefCell::default(), counts: Cell::new([0; 2]) }
    }

    /// A path of the file, from the folder that the file is in; absolute.
    pub(crate) fn beside(&self, path: &str) -> PathBuf {
        let folder = Path::new(self.sources.name).parent();
        let joined = folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path));
        std::path::absolute(&joined).unwrap_or(joined)
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

    /// The value at a span as written, if it is short enough to be quoted.
    pub(crate) fn quote(&self, span: &Span) -> Option<&'a str> {
        let text = self.sources.slice(span).trim();
        (!text.is_empty() && text.len() <= 40 && !text.contains('\n')).then_some(text)
    }

    /// A span in words, for mentioning a second place: `line 12` or `--set time.step=1`.
    pub(crate) fn mention(&self, span: &Span) -> String {
        match self.sources.owner(span) {
            Some((_, argument)) => spelled(argument),
            None => format!("line {}", self.line(span)),
        }
    }

    /// Number of the line of a span in the file.
    pub(crate) fn line(&self, span: &Span) -> usize {
        self.sources.line(span).0
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
        if self.error_count() > 0 { Err(self.into_diagnostics()) } else { Ok(self.listed(usize::MAX)) }
    }

    /// Ends the collection after at least one error.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        let counts = self.counts.get();
        let list = self.listed(LISTED);
        let errors = list.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let warnings = list.len() - errors;
        Diagnostics::new(list, [counts[0] - errors, counts[1] - warnings])
    }

    /// So many errors and so many warnings in the order of position.
    fn listed(self, most: usize) -> Vec<Diagnostic> {
        let Self { sources, found, .. } = self;
        let mut found = found.into_inner();
        found.sort_by_key(|finding| finding.span.start);
        let mut left = [most; 2];
        found.retain(|finding| {
            let left = &mut left[finding.severity as usize];
            let is_listed = *left > 0;
            *left -= usize::from(is_listed);
            is_listed
        });
        let diagnostic = |Unplaced { severity, span, message, help }: Unplaced| Diagnostic {
            severity,
            place: sources.place(&span),
            message: shortened(message),
            help: help.map(shortened),
        };
        found.into_iter().map(diagnostic).collect()
    }

    fn push(&self, severity: Severity, span: &Span, message: String, help: Option<String>) {
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
