//! Functions of Python, and what becomes of their exceptions.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;

/// The first exception of the callbacks of a part, and when it came: it ends the run.
#[derive(Default)]
pub(crate) struct Stash {
    part: String,
    first: Mutex<Option<(f64, PyErr)>>,
}

impl Stash {
    /// That of a part.
    pub(crate) fn new(part: &str) -> Arc<Self> {
        Arc::new(Self { part: part.to_owned(), first: Mutex::default() })
    }

    /// Forgets what is in it.
    pub(crate) fn clear(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn put(&self, time: f64, error: PyErr) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((time, error));
    }

    /// The exception that the run ends with: one that names part and time, caused by that of the callback; an interrupt as it is.
    pub(crate) fn take(&self, py: Python<'_>) -> Option<PyErr> {
        let (time, error) = self.first.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        if !error.is_instance_of::<PyException>(py) {
            return Some(error);
        }
        let text = format!("subsystem `{}` at {time} s: {error}", self.part);
        let raised = errors::exception(py, "RunError", text);
        raised.set_cause(py, Some(error));
        Some(raised)
    }
}

/// A function of Python that takes a time and arrays, and gives numbers.
pub(crate) struct Callback {
    name: &'static str,
    function: Py<PyAny>,
    stash: Arc<Stash>,
}

impl Callback {
    /// A method of a part; `name` is what messages call it.
    pub(crate) fn new(name: &'static str, function: Py<PyAny>, stash: &Arc<Stash>) -> Self {
        Self { name, function, stash: Arc::clone(stash) }
    }

    /// Calls it with a time (s) and numbers, and writes what it gives. An exception goes to the stash; its text is the error.
    pub(crate) fn call(&self, time: f64, arguments: &[&[f64]], out: &mut [f64]) -> Result<(), String> {
        Python::attach(|py| {
            let done = self.try_call(py, time, arguments, out);
            done.map_err(|error| {
                let text = error.to_string();
                self.stash.put(time, error);
                text
            })
        })
    }

    fn try_call(&self, py: Python<'_>, time: f64, arguments: &[&[f64]], out: &mut [f64]) -> PyResult<()> {
        let function = self.function.bind(py);
        let array = |values: &[f64]| PyArray1::from_slice(py, values);
        let given = match *arguments {
            [] => function.call1((time,)),
            [a] => function.call1((time, array(a))),
            [a, b] => function.call1((time, array(a), array(b))),
            [a, b, c, ..] => function.call1((time, array(a), array(b), array(c))),
        }?;
        self.read(&given, out)
    }

    /// Numbers of an array, a sequence, or a single one.
    fn read(&self, given: &Bound<'_, PyAny>, out: &mut [f64]) -> PyResult<()> {
        let values: Vec<f64>;
        let array: PyReadonlyArray1<'_, f64>;
        let numbers = if let Ok(own) = given.extract::<PyReadonlyArray1<'_, f64>>()
            && own.as_slice().is_ok()
        {
            array = own;
            array.as_slice().unwrap_or_default()
        } else {
            let own = if given.is_none() { Ok(Vec::new()) } else { given.extract::<Vec<f64>>() };
            values = own.or_else(|_| given.extract::<f64>().map(|one| vec![one])).map_err(|_| {
                let kind = given.get_type();
                PyTypeError::new_err(format!("`{}` gives {kind}, not numbers", self.name))
            })?;
            &values
        };
        if numbers.len() != out.len() {
            let (found, expected) = (numbers.len(), out.len());
            let text = format!("`{}` gives {found} numbers, {expected} are expected", self.name);
            return Err(PyValueError::new_err(text));
        }
        if let Some(index) = numbers.iter().position(|own| !own.is_finite()) {
            let text = format!("number {index} of `{}` is {}, not finite", self.name, numbers[index]);
            return Err(PyValueError::new_err(text));
        }
        out.copy_from_slice(numbers);
        Ok(())
    }
}

impl std::fmt::Debug for Callback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callback").field("name", &self.name).field("part", &self.stash.part).finish()
    }
}
