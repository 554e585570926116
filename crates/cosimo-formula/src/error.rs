//! What is wrong with a formula, and where.

use std::ops::Range;

use thiserror::Error;

/// A mistake in a formula and its place in the text.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{mistake}")]
pub struct FormulaError {
    /// What is wrong.
    pub mistake: Mistake,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// What is wrong with a formula.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Mistake {
    /// The text does not go on as a formula.
    #[error("{expected} is missing here")]
    Syntax {
        /// What should stand there.
        expected: &'static str,
    },
    /// The text is too long, or bracketed too deeply.
    #[error("the formula has more than {most} {what}")]
    Size {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// No such number or vector.
    #[error("no parameter `{name}`")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// No such function.
    #[error("no function `{name}`")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// A function with too few or too many arguments.
    #[error("`{name}` takes {expected}, not {found}")]
    Arguments {
        /// The function.
        name: &'static str,
        /// How many it takes, in words.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Vectors of different lengths.
    #[error("vectors of {0} and {1} numbers do not go together")]
    Lengths(usize, usize),
    /// A vector where a number belongs.
    #[error("a vector, where {0} takes a number")]
    NotANumber(&'static str),
    /// Something else than a vector of this many numbers.
    #[error("`{name}` takes vectors of {expected}")]
    NotAVector {
        /// The function.
        name: &'static str,
        /// Numbers of its vectors, in words.
        expected: &'static str,
    },
    /// There is no such element.
    #[error("no element {index}: there are {length}, counted from 0")]
    Element {
        /// Which was asked for.
        index: String,
        /// How many there are.
        length: usize,
    },
    /// Bounds the wrong way round.
    #[error("the least bound of `clamp` is greater than the greatest")]
    Bounds,
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A result that is no finite number, such as the root of a negative number.
    #[error("the result is not a finite number")]
    NotFinite,
    /// A formula over time where a number is needed.
    #[error("depends on the time `t`, which a number cannot")]
    OverTime,
}

impl FormulaError {
    pub(crate) fn new(span: &Range<usize>, mistake: Mistake) -> Self {
        Self { mistake, span: span.clone() }
    }
}
