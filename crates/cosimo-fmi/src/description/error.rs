//! What is wrong with a description: errors that end the reading, and findings that do not.

use std::fmt;

use thiserror::Error;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file, as in the archive.
    pub file: String,
    /// Line, from one.
    pub line: usize,
    /// Column, from one, counted in bytes.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A mistake in the file that is tolerated: what is wrong, and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it is.
    pub place: Place,
    /// What is wrong, and how it was read.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.text)
    }
}

/// Why a description cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{place}: {problem}")]
pub struct DescriptionError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub problem: Box<Problem>,
}

/// What is wrong with a description. Elements are named by their tag and their name, as in `<Float64 name="x">`.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is no XML, or XML that is refused (a document type, more nodes than the limit).
    #[error("not readable as XML: {0}; correct the file or export it again")]
    Xml(String),
    /// The bytes are not UTF-8, and no other encoding that can be read is declared.
    #[error("not encoded in UTF-8, as the standard requires; save the file as UTF-8")]
    Encoding,
    /// More attributes or namespaces than any description needs.
    #[error("more than {limit} {what}; no description needs that many, the file may be damaged")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// The root element is another one.
    #[error("the root element is <{found}>, not <{expected}>; this is another kind of file")]
    Root {
        /// The root element of the file.
        found: String,
        /// The root element that was expected.
        expected: &'static str,
    },
    /// An FMU of version 1.0.
    #[error("FMI 1.0 is not supported; export it as 2.0 or 3.0")]
    Fmi1,
    /// A version of which nothing is known.
    #[error("FMI version `{0}` is not supported; export the FMU as 2.0 or 3.0")]
    Version(String),
    /// Neither co-simulation nor model exchange nor scheduled execution.
    #[error(
        "none of <CoSimulation>, <ModelExchange> and <ScheduledExecution> is given, so the FMU cannot be used; export it \
         again with one of them"
    )]
    NoFace,
    /// An element that the standard requires is missing.
    #[error(
        "{element} has no element <{missing}>, which the standard requires; add it or export the file again"
    )]
    MissingElement {
        /// The element where it is missing.
        element: String,
        /// The element that is missing, or a choice of them.
        missing: &'static str,
    },
    /// An attribute that the standard requires is missing.
    #[error(
        "{element} has no attribute `{attribute}`, which the standard requires; add it or export the file again"
    )]
    MissingAttribute {
        /// The element.
        element: String,
        /// The attribute that is missing.
        attribute: &'static str,
    },
    /// The value of an attribute cannot be read.
    #[error(
        "{element}: `{attribute}` is `{value}`, but should be {expected}; correct it or export the file again"
    )]
    Value {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
        /// Its value, shortened if it is long.
        value: String,
        /// What it should be, in words.
        expected: &'static str,
    },
    /// A reference to a variable that does not exist.
    #[error(
        "{element}: `{attribute}` names the variable with {by} {number}, which does not exist; correct it or export the FMU \
         again"
    )]
    Reference {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
        /// `index` (FMI 2) or `value reference` (FMI 3).
        by: &'static str,
        /// The number found.
        number: u32,
    },
    /// A variable named in the terminals that does not exist.
    #[error("{element}: there is no variable `{variable}`; correct the name or export the FMU again")]
    VariableName {
        /// The element.
        element: String,
        /// The name found.
        variable: String,
    },
    /// A declared type that does not exist, or is one of another kind.
    #[error(
        "{element}: there is no type `{declared}` of this kind in <TypeDefinitions>; add it or correct `declaredType`"
    )]
    Type {
        /// The element.
        element: String,
        /// The type found.
        declared: String,
    },
    /// Two variables, or two types, with one name.
    #[error("{element}: the name `{name}` is taken by another; rename one of them")]
    DuplicateName {
        /// The second element.
        element: String,
        /// The name.
        name: String,
    },
    /// Two variables of an FMU of version 3 with one value reference.
    #[error("{element}: the value reference {reference} is taken by variable `{other}`; give each its own")]
    DuplicateReference {
        /// The second element.
        element: String,
        /// The value reference.
        reference: u32,
        /// The first variable.
        other: String,
    },
    /// Start values of the wrong number.
    #[error("{element} has {found} start values for {expected} elements; give one for each")]
    StartLength {
        /// The element.
        element: String,
        /// Number of elements of the variable.
        expected: u64,
        /// Number of start values.
        found: usize,
    },
    /// Terminals within terminals beyond the limit.
    #[error("terminals are nested more than {0} deep; the file may be damaged")]
    Depth(usize),
}
