//! The texts that a model is read from, one after the other: files, overrides, and instances of templates.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::diagnostic::Place;
use super::overrides::{Override, spelled};
use super::placement::Placement;

/// Byte range in one of the texts of [`Sources`].
pub(crate) type Span = Range<usize>;

/// Characters of a line that are shown before a mistake, of the mistake at most, and after it.
const SHOWN_BEFORE: usize = 60;
const SHOWN: usize = 60;
const SHOWN_AFTER: usize = 40;

/// The texts, laid out one behind the other, each with a gap of one byte: the main file, the overrides, and what is added while these
/// are read. The start of a span shows whether a value came from a file, from which override, or from which instance.
pub(crate) struct Sources<'a> {
    name: &'a str,
    pieces: RefCell<Vec<Piece>>,
    /// Other files that they name.
    named: RefCell<BTreeSet<PathBuf>>,
}

#[derive(Clone)]
struct Piece {
    base: usize,
    length: usize,
    origin: Origin,
}

#[derive(Clone)]
enum Origin {
    File(Rc<File>),
    Override(Rc<str>),
    /// The piece that begins there once more, in an instance.
    Copy(usize, Rc<Instance>),
}

struct File {
    name: String,
    text: String,
    /// Where the lines begin.
    lines: Vec<usize>,
}

/// An instance of a template.
#[derive(Debug)]
pub(crate) struct Instance {
    /// Name.
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) placement: Placement,
}

/// Where a span is in the files and overrides.
pub(super) struct Location {
    /// Position in the layout.
    pub(super) start: usize,
    /// Instance that it is in.
    pub(super) instance: Option<String>,
}

impl<'a> Sources<'a> {
    /// Lays out the main file, behind it the overrides.
    pub(crate) fn new(name: &'a str, text: &str, overrides: &[Override]) -> Self {
        let sources = Self { name, pieces: RefCell::default(), named: RefCell::default() };
        sources.add_file(name, text);
        for item in overrides {
            sources.add(item.argument().len(), Origin::Override(item.argument().into()));
        }
        sources
    }

    /// Name of the main file.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    /// Where the spans of the override of this index start.
    pub(crate) fn base(&self, index: usize) -> usize {
        self.pieces.borrow().get(index + 1).map_or(0, |piece| piece.base)
    }

    /// Adds a file; where its spans start.
    pub(crate) fn add_file(&self, name: &str, text: &str) -> usize {
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let file = File { name: name.to_owned(), text: text.to_owned(), lines };
        self.add(text.len(), Origin::File(Rc::new(file)))
    }

    /// Adds the text that a span is in once more, for an instance; the range of that text, and where it begins in the instance.
    pub(crate) fn add_copy(&self, span: &Span, instance: &Rc<Instance>) -> (Span, usize) {
        let Piece { base, length, .. } = self.piece(span.start);
        (base..base + length + 1, self.add(length, Origin::Copy(base, Rc::clone(instance))))
    }

    fn add(&self, length: usize, origin: Origin) -> usize {
        let mut pieces = self.pieces.borrow_mut();
        let base = pieces.last().map_or(0, |last| last.base + last.length + 1);
        pieces.push(Piece { base, length, origin });
        base
    }

    /// The piece that a position is in, with its position there.
    fn piece(&self, at: usize) -> Piece {
        let pieces = self.pieces.borrow();
        let index = pieces.partition_point(|piece| piece.base <= at).saturating_sub(1);
        pieces[index].clone()
    }

    /// The same, of an instance that of its template, with the instance that it is in, innermost first.
    fn original(&self, at: usize) -> (Piece, usize, Option<Rc<Instance>>) {
        let (mut at, mut instance) = (at, None);
        loop {
            let piece = self.piece(at);
            let Origin::Copy(of, own) = &piece.origin else { return (piece, at, instance) };
            instance = instance.or_else(|| Some(Rc::clone(own)));
            at = of + (at - piece.base);
        }
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: &Span) -> String {
        let (piece, at, _) = self.original(span.start);
        let range = at - piece.base..at - piece.base + span.len();
        piece.text().get(range).unwrap_or_default().to_owned()
    }

    /// Where a span is in the files and overrides.
    pub(super) fn locate(&self, span: &Span) -> Location {
        let (_, start, instance) = self.original(span.start);
        Location { start, instance: instance.map(|instance| instance.name.clone()) }
    }

    /// Where the instance stands that a span is in.
    pub(super) fn placement(&self, span: &Span) -> Placement {
        match self.piece(span.start).origin {
            Origin::Copy(_, instance) => instance.placement,
            _ => Placement::default(),
        }
    }

    /// Where a span is, for diagnostics.
    pub(super) fn place(&self, span: &Span) -> Place {
        let (piece, at, _) = self.original(span.start);
        match &piece.origin {
            Origin::File(file) => file.place(at - piece.base, span.len()),
            _ => Place::Override { argument: piece.text().to_owned() },
        }
    }

    /// A span in words.
    pub(super) fn mention(&self, span: &Span) -> String {
        let (piece, at, _) = self.original(span.start);
        match &piece.origin {
            Origin::File(file) if file.name == self.name => format!("line {}", file.line(at - piece.base)),
            Origin::File(file) => format!("line {} of {}", file.line(at - piece.base), file.name),
            _ => spelled(piece.text()),
        }
    }

    /// Number of the line of a span in its file.
    pub(super) fn line(&self, span: &Span) -> usize {
        match self.original(span.start) {
            (Piece { base, origin: Origin::File(file), .. }, at, _) => file.line(at - base),
            _ => 0,
        }
    }

    /// Whether a span is part of the path of an override.
    pub(super) fn is_in_path(&self, span: &Span) -> bool {
        let (piece, at, _) = self.original(span.start);
        matches!(piece.origin, Origin::Override(_))
            && piece.text().find('=').is_some_and(|equals| at - piece.base < equals)
    }

    /// A path as it stands in a span, from the folder that its file is in; of overrides that of the main file.
    pub(super) fn beside(&self, span: &Span, path: &str) -> PathBuf {
        let name = match self.original(span.start).0.origin {
            Origin::File(file) => file.name.clone(),
            _ => self.name.to_owned(),
        };
        let joined =
            Path::new(&name).parent().map_or_else(|| PathBuf::from(path), |folder| folder.join(path));
        let path = std::path::absolute(&joined).unwrap_or(joined);
        self.named.borrow_mut().insert(path.clone());
        path
    }

    /// Notes files that a file names which the texts name.
    pub(crate) fn add_named(&self, files: BTreeSet<PathBuf>) {
        self.named.borrow_mut().extend(files);
    }

    /// The files that were looked for so far.
    pub(crate) fn named(&self) -> BTreeSet<PathBuf> {
        self.named.borrow().clone()
    }
}

impl Piece {
    fn text(&self) -> &str {
        match &self.origin {
            Origin::File(file) => &file.text,
            Origin::Override(argument) => argument,
            Origin::Copy(..) => "",
        }
    }
}

impl File {
    /// Number of the line at a position.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|begin| *begin <= at.min(self.text.len()))
    }

    fn place(&self, at: usize, length: usize) -> Place {
        let (start, line) = (at.min(self.text.len()), self.line(at));
        let line_start = self.lines[line - 1];
        let before = self.text.get(line_start..start).unwrap_or_default();
        let text = self.text[line_start..].lines().next().unwrap_or_default();
        let (text, skipped) = around(text, before.len(), length);
        let column = before.chars().count() + 1;
        let span = at..at + length;
        Place::File { source: self.name.clone(), line, column, span, text, before: skipped }
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
