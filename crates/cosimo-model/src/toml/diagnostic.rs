//! Mistakes and warnings of a model file, with where they are and what would be right.

use std::fmt;
use std::ops::Range;

use super::overrides::spelled;

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but is probably not what was meant.
    Warning,
}

/// Where a diagnostic applies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A piece of the model file.
    File {
        /// Name of the file, as given to [`read_model`](crate::read_model).
        source: String,
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
        /// Byte range in the text of the file.
        span: Range<usize>,
        /// Text of the line, without its end; of a long line what is around the mistake, with `…` for the rest.
        text: String,
        /// Characters of `text` before the mistake.
        before: usize,
    },
    /// An override, not the file.
    Override {
        /// The override as given, `key.path=value` or `key.path`.
        argument: String,
    },
}

/// One mistake or warning.
///
/// Displays like a compiler does:
///
/// ```text
/// model.toml:12:15: restitution is 1.3, must be in [0, 1]
///   restitution = 1.3
///                 ^^^
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to change, where that is not obvious from the message.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Line in the model file, counted from 1; none if an override is at fault.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match &self.place {
            Place::File { line, .. } => Some(*line),
            Place::Override { .. } => None,
        }
    }

    /// Whether this is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warning = if self.is_error() { "" } else { "warning: " };
        match &self.place {
            Place::File { source, line, column, .. } => write!(f, "{source}:{line}:{column}: ")?,
            Place::Override { argument } => write!(f, "in {}: ", spelled(argument))?,
        }
        write!(f, "{warning}{}", self.message)?;
        if let Place::File { text, before, span, .. } = &self.place
            && !text.trim().is_empty()
        {
            write!(f, "\n  {text}\n  {}", underline(text, *before, span.len()))?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Carets under the `length` bytes of `text` after so many characters, at least one.
fn underline(text: &str, skipped: usize, length: usize) -> String {
    let indent: String = text.chars().take(skipped).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let mut remaining = length;
    let mut carets = 0;
    for character in text.chars().skip(skipped) {
        if remaining < character.len_utf8() {
            break;
        }
        remaining -= character.len_utf8();
        carets += 1;
    }
    indent + &"^".repeat(carets.max(1))
}

/// What is found in a model file that has at least one error, in the order of the file, overrides last: the first errors and the
/// first warnings, and how many more there are.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Errors, and warnings, that are not in the list.
    more: [usize; 2],
}

impl Diagnostics {
    /// Takes a list in order of position, which holds at least one error, and the numbers of errors and warnings besides.
    pub(crate) fn new(list: Vec<Diagnostic>, more: [usize; 2]) -> Self {
        Self { list, more }
    }

    /// The diagnostics that are listed, errors and warnings.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The errors that an override is at fault of, given as `key.path=value` or `key.path`; none if it is not.
    #[must_use]
    pub fn of_override(&self, argument: &str) -> Option<Self> {
        let is_its = |place: &Place| matches!(place, Place::Override { argument: own } if own == argument);
        let list: Vec<_> = self.iter().filter(|own| own.is_error() && is_its(&own.place)).cloned().collect();
        (!list.is_empty()).then(|| Self::new(list, [0; 2]))
    }

    /// Number of errors, at least one, also of those that are not listed; warnings are not counted.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.more[0] + self.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        for (count, what) in self.more.into_iter().zip(["", " warnings"]).filter(|(count, _)| *count > 0) {
            write!(f, "\n\nand {} more{what}", grouped(count))?;
        }
        Ok(())
    }
}

/// The text, as `main` shows an error that it returns.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number with a comma before every three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let is_group = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let with_comma = |(at, digit)| [is_group(at).then_some(','), Some(digit)];
    digits.chars().enumerate().flat_map(with_comma).flatten().collect()
}

impl std::error::Error for Diagnostics {}
