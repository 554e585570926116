//! Settings as TOML, in the form in which they are read: a variant with parameters is `{ method = NAME, … }`.

use cosimo_impact::Scheme;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::writer::{Literal, Writer};
use crate::named::fields;
use crate::read::{METHOD, SCHEME};

/// Writes the fields of a table of settings.
pub(crate) fn write_settings<S: Serialize + DeserializeOwned>(settings: &S, writer: &mut Writer) {
    let mut table = Table::try_from(settings).unwrap_or_default();
    for key in fields::<S>() {
        if let Some(value) = table.remove(*key) {
            writer.raw(key, &literal(&value));
        }
    }
}

/// A setting with its parameters.
pub(crate) fn setting(setting: &impl Serialize) -> String {
    Value::try_from(setting).map_or_else(|_| String::new(), |value| literal(&value))
}

/// A nonsmooth integrator with all its parameters.
pub(crate) fn scheme(scheme: &Scheme) -> String {
    let value = Table::try_from(std::collections::BTreeMap::from([("own", scheme)]));
    let table = value.ok().and_then(|mut table| table.remove("own"));
    let parameters = table.as_ref().and_then(|table| table.get(scheme.name())).and_then(Value::as_table);
    let parameters = parameters.into_iter().flatten().map(|(key, value)| format!(", {key} = {value}"));
    format!("{{ {SCHEME} = {}{} }}", scheme.name().literal(), parameters.collect::<String>())
}

fn literal(value: &Value) -> String {
    match value {
        Value::Float(number) => number.literal(),
        Value::Table(table) => table.iter().map(|(name, parameters)| variant(name, parameters)).collect(),
        other => other.to_string(),
    }
}

fn variant(name: &str, parameters: &Value) -> String {
    let parameters = parameters.as_table().into_iter().flatten();
    let parameters = parameters.map(|(key, value)| format!(", {key} = {}", literal(value)));
    format!("{{ {METHOD} = {}{} }}", name.literal(), parameters.collect::<String>())
}
