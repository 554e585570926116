//! The tree of a formula.

use std::ops::Range;

use crate::function::Function;

/// A part of a formula, with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

/// What a part is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Number(f64),
    Name(String),
    List(Vec<Term>),
    Negative(Box<Term>),
    Two(Operator, Box<[Term; 2]>),
    /// A vector and which of its elements.
    Element(Box<[Term; 2]>),
    Call(Function, Vec<Term>),
}

/// Operators between two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    NotMore,
    More,
    NotLess,
}

impl Term {
    /// Calls with every name in the tree and its place.
    pub(crate) fn names<'t>(&'t self, found: &mut impl FnMut(&'t str, &Range<usize>)) {
        match &self.kind {
            Kind::Number(_) => {}
            Kind::Name(name) => found(name, &self.span),
            Kind::Negative(inner) => inner.names(found),
            Kind::Two(_, both) | Kind::Element(both) => both.iter().for_each(|part| part.names(found)),
            Kind::List(parts) | Kind::Call(_, parts) => parts.iter().for_each(|part| part.names(found)),
        }
    }
}
