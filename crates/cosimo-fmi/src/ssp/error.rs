//! Why a system cannot be read or written.

use std::io;

use thiserror::Error;

use crate::archive::ArchiveProblem;
use crate::description::{self, DescriptionError, Place};

/// Why a system cannot be read or written, and where. What concerns a file as a whole is at its first line.
#[derive(Debug, Error)]
#[error("{place}: {problem}")]
pub struct SspError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub problem: Box<SspProblem>,
}

impl SspError {
    pub(super) fn new(place: &Place, problem: SspProblem) -> Self {
        Self { place: place.clone(), problem: Box::new(problem) }
    }

    pub(super) fn in_file(file: impl ToString, problem: impl Into<SspProblem>) -> Self {
        let place = Place { file: file.to_string(), line: 1, column: 1 };
        Self { place, problem: Box::new(problem.into()) }
    }
}

impl From<DescriptionError> for SspError {
    fn from(error: DescriptionError) -> Self {
        Self { place: error.place, problem: Box::new(SspProblem::Xml(error.problem)) }
    }
}

/// What is wrong with a system. Elements are named by their tag and their name, as in `<Component name="x">`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SspProblem {
    /// What is wrong with any XML, as a missing attribute.
    #[error(transparent)]
    Xml(Box<description::Problem>),
    /// The archive cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveProblem),
    /// A file cannot be read or written.
    #[error("cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// An archive without its main file.
    #[error("there is no `{file}`{hint}")]
    NoStructure {
        /// The file.
        file: String,
        /// Where to look, or nothing.
        hint: String,
    },
    /// A version of which nothing is known.
    #[error("SSP version `{0}` is not supported; export the system as 1.0 or 2.0")]
    Version(String),
    /// A source that is not within the package.
    #[error("{element}: `source` is `{uri}`, which {why}")]
    Source {
        /// The element.
        element: String,
        /// The source.
        uri: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A type of component, or of a file of parameters, that cannot be used.
    #[error("{element} is of type `{kind}`, which is not supported; replace it by {instead}")]
    Kind {
        /// The element.
        element: String,
        /// The type.
        kind: String,
        /// What can be used.
        instead: &'static str,
    },
    /// Something the standard allows that cannot be used.
    #[error("{element}: {what} cannot be used; {instead}")]
    Unsupported {
        /// The element.
        element: String,
        /// What it is.
        what: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// A system within itself.
    #[error("{element}: `{uri}` is the system that this is a part of; a system cannot contain itself")]
    Cycle {
        /// The element.
        element: String,
        /// The source.
        uri: String,
    },
    /// More than systems need.
    #[error("{what} exceed the limit of {limit}; the files may be damaged")]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much is read.
        limit: u64,
    },
    /// Two things of one name.
    #[error("{element}: the name `{name}` is taken by another; rename one of them")]
    DuplicateName {
        /// The second element.
        element: String,
        /// The name.
        name: String,
    },
    /// A name that nothing has.
    #[error("{element}: there is no {what} `{name}`{hint}")]
    Unknown {
        /// The element that has the name.
        element: String,
        /// What is named.
        what: String,
        /// The name.
        name: String,
        /// What there is.
        hint: String,
    },
    /// A connection of two connectors that both give, or both take, values.
    #[error("{connection} joins {kinds}; a connection leads from {allowed}")]
    Direction {
        /// The connection.
        connection: String,
        /// What both are.
        kinds: String,
        /// What it should be.
        allowed: &'static str,
    },
    /// Two connections to one input.
    #[error("{connection}: `{to}` already gets its value by the connection at {other}; remove one of them")]
    TwoSources {
        /// The second connection.
        connection: String,
        /// The input.
        to: String,
        /// Place of the first connection.
        other: Place,
    },
    /// Connections of systems in a circle, without a component.
    #[error("{connection} is part of a circle of connections without a component; remove one of them")]
    Circle {
        /// One of the connections.
        connection: String,
    },
    /// Units of different quantities.
    #[error(
        "`{from}` is in `{from_unit}`, but `{to}` in `{to_unit}`, which is another quantity; correct a unit, or set \
         `suppressUnitConversion`"
    )]
    Units {
        /// What gives the value.
        from: String,
        /// Its unit.
        from_unit: String,
        /// What gets the value.
        to: String,
        /// Its unit.
        to_unit: String,
    },
    /// A transformation that does not fit.
    #[error(
        "{element}: the transformation does not fit the values, or another one on their way; correct its kind, its \
         table or its numbers"
    )]
    Transformation {
        /// The connection or parameter.
        element: String,
    },
    /// An array with too few or too many values.
    #[error("{element} has {found} values for {expected} elements; give one for each, and the <Dimension>s")]
    Length {
        /// The element.
        element: String,
        /// Number of elements.
        expected: u64,
        /// Number of values.
        found: usize,
    },
    /// Something to be written that version 1.0 does not have.
    #[error("{what} of `{name}` cannot be written in SSP 1.0; write version 2.0")]
    NeedsV2 {
        /// What it is.
        what: &'static str,
        /// Name of the component or parameter.
        name: String,
    },
    /// Something to be written that has no meaning, as an index beyond the end.
    #[error("`{name}` cannot be written: {why}")]
    Outline {
        /// Name of the component, connector or parameter.
        name: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
}

/// The name that is most like another, or all names if they are few, in words.
pub(super) fn hint<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    const FEW: usize = 8;
    const LONG: usize = 200;
    const MANY: usize = 10_000;
    if name.len() > LONG {
        return String::new();
    }
    let names: Vec<_> = names.filter(|other| other.len() <= LONG).take(MANY).collect();
    let rated = names.iter().map(|other| (strsim::jaro_winkler(name, other), *other));
    match rated.max_by(|a, b| a.0.total_cmp(&b.0)) {
        None => "; there is none at all".to_owned(),
        Some((likeness, best)) if likeness > 0.75 => format!("; did you mean `{best}`?"),
        _ if names.len() <= FEW => format!("; there is `{}`", names.join("`, `")),
        _ => format!("; there are {} others", names.len()),
    }
}
