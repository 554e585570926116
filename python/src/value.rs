//! Values of Python as entries of a model file.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use toml::Value;
use toml::map::Map;

/// How deep dictionaries and lists may be nested; one that holds itself is refused.
const DEPTH: usize = 64;

/// A value of Python as one of TOML: numbers, texts, paths, lists, dictionaries, and whatever has `tolist`, as arrays and numbers of NumPy have.
///
/// # Errors
/// `TypeError`, which names the place: a value that a model file cannot hold.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>, place: &str) -> PyResult<Value> {
    convert(value, place, DEPTH)
}

fn convert(value: &Bound<'_, PyAny>, place: &str, depth: usize) -> PyResult<Value> {
    if depth == 0 {
        return Err(PyValueError::new_err(format!("`{place}` is nested too deeply, or holds itself")));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Value::Integer(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        return entries(table, place, depth);
    }
    if value.hasattr("tolist")? {
        return convert(&value.call_method0("tolist")?, place, depth - 1);
    }
    if value.hasattr("__fspath__")? {
        return convert(&value.call_method0("__fspath__")?, place, depth - 1);
    }
    if value.hasattr("__len__")? && value.hasattr("__iter__")? {
        let items = value.try_iter()?.enumerate();
        let list = items.map(|(index, item)| convert(&item?, &format!("{place}[{index}]"), depth - 1));
        return Ok(Value::Array(list.collect::<PyResult<_>>()?));
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "`{place}` is of type `{kind}`, which a model file cannot hold; give a number, a text, a list, an array or a dictionary"
    )))
}

fn entries(table: &Bound<'_, PyDict>, place: &str, depth: usize) -> PyResult<Value> {
    let mut map = Map::new();
    for (key, value) in table {
        let key: String = key.extract()?;
        let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
        map.insert(key, convert(&value, &place, depth - 1)?);
    }
    Ok(Value::Table(map))
}
