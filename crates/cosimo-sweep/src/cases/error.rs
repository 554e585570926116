//! Why there are no such cases.

use thiserror::Error;

use crate::MOST_RUNS;

/// Why there are no such cases.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CasesError {
    /// Nothing is varied.
    #[error(
        "no entry has several values: vary one, as in --set KEY.PATH=1:10:0.5, by --cases or by --random"
    )]
    None,
    /// More runs than a sweep may have.
    #[error("the sweep has {0} runs, at most {MOST_RUNS} are done: take fewer values, or several sweeps")]
    Many(String),
    /// An entry without values.
    #[error("`{0}` has no values: give it at least one")]
    Empty(String),
    /// An entry is varied twice.
    #[error("`{0}` is set twice: an entry has its values from one place")]
    Twice(String),
    /// Two paths are of one entry, of an entry and a part of it, or may be, where one has a position for a name.
    #[error(
        "`{0}` and `{1}` are both set, and one is, or may be, a part of the other: an entry has its values from one place, and its name in both paths"
    )]
    Overlap(String, String),
    /// A distribution without a number of draws, or the other way round.
    #[error("{0}")]
    Random(&'static str),
    /// A file of cases that is none.
    #[error("`{name}`{}: {mistake}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
    File {
        /// Name of the file.
        name: String,
        /// The line, counted from one.
        line: Option<u64>,
        /// What is wrong.
        mistake: String,
    },
}
