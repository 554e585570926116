//! Values that are set before the start, checked against the description.

use std::collections::BTreeMap;

use super::names::{Crossing, Names};
use super::{UnitError, Value};
use crate::description::{Causality, Dimension, Initial, Variability, Variable, VariableKind};

/// Values of one variable, as they cross the interface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) reference: u32,
    pub(crate) is_structural: bool,
    pub(crate) values: Values,
}

/// Values of one type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    /// Of any type of numbers.
    Numbers(Crossing, Vec<f64>),
    /// Whole numbers, exactly.
    Integers(Crossing, Vec<i64>),
    /// Texts.
    Texts(Vec<String>),
}

/// Checks all values; those of structural parameters come first.
pub(crate) fn settings(
    names: &Names<'_>,
    given: &BTreeMap<String, Value>,
) -> Result<Vec<Setting>, UnitError> {
    let mut all: Vec<Setting> = Vec::new();
    for (name, value) in given {
        let index = names.find(name)?;
        all.push(setting(names, index, value)?);
    }
    all.sort_by_key(|setting| !setting.is_structural);
    Ok(all)
}

fn setting(names: &Names<'_>, index: usize, value: &Value) -> Result<Setting, UnitError> {
    let variable = names.variable(index);
    check_causality(names, index)?;
    let values: &[Value] = match value {
        Value::List(items) => items,
        one => std::slice::from_ref(one),
    };
    if variable.dimensions.is_empty() == matches!(value, Value::List(_)) {
        let rule = if variable.dimensions.is_empty() {
            "is one value, not a list"
        } else {
            "is an array: give a list of its elements"
        };
        return Err(names.bad(index, rule));
    }
    let is_fixed = variable.dimensions.iter().all(|dimension| matches!(dimension, Dimension::Fixed(_)));
    if is_fixed && names.count(index)? != values.len() {
        return Err(names.bad(index, format!("has {} elements, not {}", names.count(index)?, values.len())));
    }
    let is_structural = variable.causality == Causality::StructuralParameter;
    Ok(Setting { reference: variable.reference, is_structural, values: convert(names, index, values)? })
}

/// Whether the standard lets an importer set the variable before the start.
fn check_causality(names: &Names<'_>, index: usize) -> Result<(), UnitError> {
    let Variable { causality, variability, initial, .. } = names.variable(index);
    if *variability == Variability::Constant {
        return Err(names.bad(index, "is constant and cannot be set"));
    }
    let is_settable = match causality {
        Causality::Parameter | Causality::StructuralParameter | Causality::Input => true,
        Causality::Local | Causality::Output => matches!(initial, Some(Initial::Exact | Initial::Approx)),
        Causality::CalculatedParameter | Causality::Independent => false,
    };
    if is_settable { Ok(()) } else { Err(names.bad(index, "is calculated by the FMU and cannot be set")) }
}

fn convert(names: &Names<'_>, index: usize, values: &[Value]) -> Result<Values, UnitError> {
    let variable = names.variable(index);
    let wrong = |value: &Value, wanted: &str| names.bad(index, format!("is {wanted}, not {value}"));
    let Some(crossing) = names.crossing(index) else {
        if variable.kind != VariableKind::String {
            return Err(names.bad(index, "is neither a number nor a text, and cannot be set"));
        }
        let texts = values.iter().map(|value| match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(wrong(other, "a text")),
        });
        return Ok(Values::Texts(texts.collect::<Result<_, _>>()?));
    };
    match crossing {
        Crossing::Float64 | Crossing::Float32 => {
            let numbers = values.iter().map(|value| match value {
                Value::Float(x) => Ok(*x),
                #[expect(clippy::cast_precision_loss, reason = "what is written as a whole number")]
                Value::Integer(x) => Ok(*x as f64),
                other => Err(wrong(other, "a number")),
            });
            let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
            numbers.iter().try_for_each(|x| check_range(names, index, *x))?;
            Ok(Values::Numbers(crossing, numbers))
        }
        Crossing::Boolean => {
            let truths = values.iter().map(|value| match value {
                Value::Boolean(x) => Ok(f64::from(u8::from(*x))),
                other => Err(wrong(other, "true or false")),
            });
            Ok(Values::Numbers(crossing, truths.collect::<Result<_, _>>()?))
        }
        Crossing::Integer(_) | Crossing::Unsigned64 => {
            let integers = values.iter().map(|value| integer(names, index, value));
            Ok(Values::Integers(crossing, integers.collect::<Result<_, _>>()?))
        }
    }
}

/// A whole number, or the number of an item of an enumeration.
fn integer(names: &Names<'_>, index: usize, value: &Value) -> Result<i64, UnitError> {
    let variable = names.variable(index);
    if let VariableKind::Enumeration(of) = variable.kind {
        let items =
            names.description.enumerations.get(of).map(|kind| kind.items.as_slice()).unwrap_or_default();
        let known = || items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = items.iter().find(|item| match value {
            Value::Text(name) => item.name == *name,
            Value::Integer(number) => item.value == *number,
            _ => false,
        });
        return match found {
            Some(item) => Ok(item.value),
            None => Err(names.bad(index, format!("is one of {}, not {value}", known()))),
        };
    }
    match value {
        #[expect(
            clippy::cast_precision_loss,
            reason = "for the comparison with the range of the description"
        )]
        Value::Integer(x) => check_range(names, index, *x as f64).map(|()| *x),
        other => Err(names.bad(index, format!("is a whole number, not {other}"))),
    }
}

fn check_range(names: &Names<'_>, index: usize, x: f64) -> Result<(), UnitError> {
    let Variable { min, max, .. } = names.variable(index);
    if !x.is_finite() {
        return Err(names.bad(index, format!("must be finite, not {x}")));
    }
    if min.is_some_and(|min| x < min) || max.is_some_and(|max| x > max) {
        let bound = |x: Option<f64>, other: &str| x.map_or_else(|| other.to_owned(), |x| x.to_string());
        let (low, high) = (bound(*min, "minus infinity"), bound(*max, "infinity"));
        return Err(names.bad(index, format!("is in [{low}, {high}], not {x}")));
    }
    Ok(())
}
