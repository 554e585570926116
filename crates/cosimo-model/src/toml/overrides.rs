//! Overrides of single entries of a model file, `--set key.path=value` and `--unset key.path`.

use std::fmt;
use std::ops::Range;

use toml::de::DeValue;

/// One override: `key.path=value`, which sets an entry, or `key.path` alone, which removes it.
///
/// The path names entries as in the file; entries of arrays of tables are addressed by their `name` or by position
/// (`subsystem.lower.mass`, `subsystem.0.plane.floor.restitution`). The value is a TOML value; text that is none is
/// taken as a string, so that `master.scheme=gauss-seidel` needs no quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    argument: String,
    segments: Vec<Range<usize>>,
    /// None of an override that removes.
    value: Option<Range<usize>>,
}

/// Parts a path may have: more than any entry of a model needs.
const MOST_PARTS: usize = 32;

impl Override {
    /// Parses the argument of `--set`.
    ///
    /// # Errors
    /// When there is no `=`, the path has more parts than any entry of a model, a segment of the path is empty, or the value starts like a list, table or quoted string
    /// but is not one.
    pub fn parse(argument: &str) -> Result<Self, OverrideError> {
        let Some(equals) = argument.find('=') else {
            return Err(OverrideError::NoValue { argument: argument.to_owned() });
        };
        let segments = segments(argument, &argument[..equals])?;
        let value = &argument[equals + 1..];
        let start = argument.len() - value.trim_start().len();
        let value = value.trim();
        match (value.chars().next(), DeValue::parse(value)) {
            (Some('[' | '{' | '"' | '\''), Err(error)) => Err(OverrideError::Value {
                argument: argument.to_owned(),
                message: error.message().to_owned(),
            }),
            _ => {
                Ok(Self { argument: argument.to_owned(), segments, value: Some(start..start + value.len()) })
            }
        }
    }

    /// Parses the argument of `--unset`, a path alone: the entry is removed, and its default counts.
    ///
    /// # Errors
    /// When there is a `=`, the path has more parts than any entry of a model, or a segment of the path is empty.
    pub fn parse_removal(argument: &str) -> Result<Self, OverrideError> {
        if argument.contains('=') {
            return Err(OverrideError::ValueOfRemoval { argument: argument.to_owned() });
        }
        Ok(Self { argument: argument.to_owned(), segments: segments(argument, argument)?, value: None })
    }

    /// The override as given.
    #[must_use]
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// Names of the path.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.segments().map(|(name, _)| name).collect()
    }

    /// Segments of the path with their byte ranges in the argument; at least one.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.segments.iter().map(|range| (&self.argument[range.clone()], range.clone()))
    }

    /// Text after the `=`, trimmed, with its byte range in the argument; none of a removal.
    pub(crate) fn value(&self) -> Option<(&str, Range<usize>)> {
        self.value.clone().map(|range| (&self.argument[range.clone()], range))
    }
}

/// An override as it stands on the command line. Only those that set have a `=`.
pub(crate) fn spelled(argument: &str) -> String {
    let option = if argument.contains('=') { "--set" } else { "--unset" };
    format!("{option} {argument}")
}

/// Byte ranges of the names of a path, which begins the argument.
fn segments(argument: &str, path: &str) -> Result<Vec<Range<usize>>, OverrideError> {
    let parts = path.split('.').count();
    if parts > MOST_PARTS {
        return Err(OverrideError::TooLong { argument: argument.to_owned(), parts });
    }
    let mut segments = Vec::new();
    let mut start = 0;
    for part in path.split('.') {
        let indent = part.len() - part.trim_start().len();
        let name = part.trim();
        if name.is_empty() {
            return Err(OverrideError::EmptySegment { argument: argument.to_owned() });
        }
        segments.push(start + indent..start + indent + name.len());
        start += part.len() + 1;
    }
    Ok(segments)
}

/// Why the argument of `--set` or `--unset` is not an override.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverrideError {
    /// There is no `=`.
    NoValue {
        /// The argument as given.
        argument: String,
    },
    /// There is a `=` where an entry is to be removed.
    ValueOfRemoval {
        /// The argument as given.
        argument: String,
    },
    /// The path has more parts than any entry of a model.
    TooLong {
        /// The argument as given.
        argument: String,
        /// Number of parts.
        parts: usize,
    },
    /// The path has an empty segment.
    EmptySegment {
        /// The argument as given.
        argument: String,
    },
    /// The value is no TOML value.
    Value {
        /// The argument as given.
        argument: String,
        /// What the parser says.
        message: String,
    },
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue { argument } => write!(f, "--set {argument}: no `=`, must be key.path=value"),
            Self::ValueOfRemoval { argument } => {
                write!(f, "--unset {argument}: must be a path without `=`; use --set to change a value")
            }
            Self::TooLong { argument, parts } => {
                let begin: String = argument.chars().take(40).collect();
                write!(
                    f,
                    "{}…: the path has {parts} parts, at most {MOST_PARTS} are possible; no entry of a model is so deep",
                    spelled(&begin)
                )
            }
            Self::EmptySegment { argument } => {
                write!(f, "{}: empty name in the path", spelled(argument))
            }
            Self::Value { argument, message } => write!(f, "--set {argument}: {message}"),
        }
    }
}

/// The text, as `main` shows an error that it returns.
impl fmt::Debug for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OverrideError {}
