//! How values change on their way (SSP 2.0, `GTransformationChoice`).

use super::value::ParameterValue;
use crate::description::reader::{Element, Value};
use crate::description::{DescriptionError, Problem};

/// Most entries of a table: each is compared with those of the next.
const MAX_ENTRIES: usize = 1000;

/// How values change on their way. Values that a table does not have cannot be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Transformation {
    /// `factor * value + offset`, of numbers.
    Linear {
        /// The factor.
        factor: f64,
        /// The offset.
        offset: f64,
    },
    /// Pairs of a truth value and what becomes of it.
    Boolean(Vec<(bool, bool)>),
    /// Pairs of a whole number and what becomes of it.
    Integer(Vec<(i64, i64)>),
    /// Pairs of a value of an enumeration and what becomes of it, by their names.
    Enumeration(Vec<(String, String)>),
}

impl Transformation {
    /// The transformation within an element, if there is one.
    pub(super) fn read(element: Element<'_>) -> Result<Option<Self>, DescriptionError> {
        for child in element.children() {
            return Ok(Some(match child.tag() {
                "LinearTransformation" => Self::Linear {
                    factor: finite(child, "factor", 1.0)?,
                    offset: finite(child, "offset", 0.0)?,
                },
                "BooleanMappingTransformation" => Self::Boolean(pairs(child)?),
                "IntegerMappingTransformation" => Self::Integer(pairs(child)?),
                "EnumerationMappingTransformation" => Self::Enumeration(pairs(child)?),
                _ => continue,
            }));
        }
        Ok(None)
    }

    /// Number of entries of its table, or zero.
    pub(super) fn entries(&self) -> usize {
        match self {
            Self::Linear { .. } => 0,
            Self::Boolean(pairs) => pairs.len(),
            Self::Integer(pairs) => pairs.len(),
            Self::Enumeration(pairs) => pairs.len(),
        }
    }

    /// This and then that; `None` if they do not fit, or the numbers are too large.
    pub(super) fn then(&self, next: &Self) -> Option<Self> {
        Some(match (self, next) {
            (Self::Linear { factor: a, offset: b }, Self::Linear { factor, offset }) => {
                let (factor, offset) = (factor * a, factor * b + offset);
                (factor.is_finite() && offset.is_finite()).then_some(Self::Linear { factor, offset })?
            }
            (Self::Boolean(first), Self::Boolean(second)) => Self::Boolean(join(first, second)),
            (Self::Integer(first), Self::Integer(second)) => Self::Integer(join(first, second)),
            (Self::Enumeration(first), Self::Enumeration(second)) => Self::Enumeration(join(first, second)),
            _ => return None,
        })
    }

    /// What becomes of values; `None` if they are of another type, or a table lacks one of them.
    pub(super) fn apply(&self, value: &ParameterValue) -> Option<ParameterValue> {
        Some(match (self, value) {
            (Self::Linear { factor, offset }, ParameterValue::Real(values)) => {
                ParameterValue::Real(values.iter().map(|value| factor * value + offset).collect())
            }
            (Self::Boolean(pairs), ParameterValue::Boolean(values)) => {
                ParameterValue::Boolean(look_up(pairs, values)?)
            }
            (Self::Integer(pairs), ParameterValue::Integer(values)) => {
                ParameterValue::Integer(look_up(pairs, values)?)
            }
            (Self::Enumeration(pairs), ParameterValue::Enumeration(values)) => {
                ParameterValue::Enumeration(look_up(pairs, values)?)
            }
            _ => return None,
        })
    }
}

/// First this, then that, where there may be none.
pub(super) fn chain(
    first: Option<Transformation>,
    next: Option<&Transformation>,
) -> Option<Option<Transformation>> {
    Some(match (first, next) {
        (Some(first), Some(next)) => Some(first.then(next)?),
        (first, None) => first,
        (None, next) => next.cloned(),
    })
}

fn finite(element: Element<'_>, name: &'static str, default: f64) -> Result<f64, DescriptionError> {
    let value = element.get(name)?.unwrap_or(default);
    if f64::is_finite(value) { Ok(value) } else { Err(element.bad_value(name, "a finite number")) }
}

fn pairs<T: Value>(element: Element<'_>) -> Result<Vec<(T, T)>, DescriptionError> {
    let entries = element.children_of("MapEntry");
    if entries.count() > MAX_ENTRIES {
        return Err(element.fail(Problem::TooMany { what: "entries of one table", limit: MAX_ENTRIES }));
    }
    let entries = element.children_of("MapEntry");
    entries.map(|entry| Ok((entry.require("source")?, entry.require("target")?))).collect()
}

fn join<T: Clone + PartialEq>(first: &[(T, T)], second: &[(T, T)]) -> Vec<(T, T)> {
    let joined = first.iter().filter_map(|(source, middle)| Some((source.clone(), find(second, middle)?)));
    joined.collect()
}

fn look_up<T: Clone + PartialEq>(pairs: &[(T, T)], values: &[T]) -> Option<Vec<T>> {
    values.iter().map(|value| find(pairs, value)).collect()
}

fn find<T: Clone + PartialEq>(pairs: &[(T, T)], value: &T) -> Option<T> {
    pairs.iter().find(|(source, _)| source == value).map(|(_, target)| target.clone())
}
