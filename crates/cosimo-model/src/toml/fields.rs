//! Fields in the form in which a model file has them.

use nalgebra::DMatrix;
use serde::{Serialize, Serializer};
use toml::{Table, Value};

use super::deserializer::{METHOD, SCHEME};

/// A vector over coordinates: one number if all are equal, otherwise a list.
pub(crate) fn uniform<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    match values {
        [first, rest @ ..] if rest.iter().all(|value| value.to_bits() == first.to_bits()) => {
            first.serialize(serializer)
        }
        _ => values.serialize(serializer),
    }
}

/// A matrix as a list of rows.
pub(crate) fn rows<S: Serializer>(matrix: &DMatrix<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(matrix.row_iter().map(|row| row.iter().copied().collect::<Vec<_>>()))
}

/// A setting: a variant with parameters is `{ method = NAME, … }`.
pub(crate) fn setting<S: Serializer>(setting: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let value = Value::try_from(setting).map_err(serde::ser::Error::custom)?;
    with_tag(METHOD, value).serialize(serializer)
}

/// A nonsmooth integrator with all its parameters, `{ scheme = NAME, … }`.
pub(crate) fn scheme<S: Serializer>(scheme: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let value = Value::try_from(scheme).map_err(serde::ser::Error::custom)?;
    with_tag(SCHEME, value).serialize(serializer)
}

/// A variant with parameters, as a table that names it under this key; other values as they are.
pub(crate) fn with_tag(key: &str, value: Value) -> Value {
    let Value::Table(variant) = value else { return value };
    let tagged = variant.into_iter().flat_map(|(name, parameters)| {
        let parameters = if let Value::Table(table) = parameters { table } else { Table::new() };
        [(key.to_owned(), Value::String(name))].into_iter().chain(parameters)
    });
    Value::Table(tagged.collect())
}
