//! Why a text does not say values.

use thiserror::Error;

/// Why a text does not say values.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueError {
    /// Nothing between two commas, or nothing at all.
    #[error("a value is missing in `{0}`")]
    Empty(String),
    /// A range of two numbers, or one that does not lead from its start to its end.
    #[error("`{text}` is no range: {rule}")]
    Range {
        /// The text.
        text: String,
        /// What a range is.
        rule: &'static str,
    },
    /// More values than a sweep may have runs.
    #[error("`{text}` has {found} values, at most {} are taken", crate::MOST_RUNS)]
    Many {
        /// The text.
        text: String,
        /// How many it has.
        found: f64,
    },
    /// A call of something that is none of series and distributions.
    #[error("nothing is called `{name}`{}; a text with brackets stands in quotation marks", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name, or those there are.
        help: Option<String>,
    },
    /// Arguments that a series or distribution does not take.
    #[error("`{text}`: must be {rule}")]
    Arguments {
        /// The text.
        text: String,
        /// What is taken.
        rule: &'static str,
    },
    /// A distribution among values of a list.
    #[error("`{0}` is drawn at random and cannot stand in a list")]
    RandomInList(String),
}

/// Arguments that are not taken.
pub(super) fn wrong(text: &str, rule: &'static str) -> ValueError {
    ValueError::Arguments { text: text.to_owned(), rule }
}
