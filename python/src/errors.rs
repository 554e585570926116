//! Errors as exceptions: those of `cosimo._errors`.

use cosimo::{Finding, ModelError, TrajectoryError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// A finding as Python takes it: severity, message, position, help, and how the command shows it.
pub(crate) type Found = (&'static str, String, Option<(usize, usize)>, Option<String>, String);

/// An exception of the package.
pub(crate) fn exception(py: Python<'_>, class: &str, arguments: impl IntoArguments) -> PyErr {
    let made = py
        .import("cosimo._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| arguments.call(&class));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// Arguments of an exception.
pub(crate) trait IntoArguments {
    /// Makes it.
    fn call<'py>(self, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>;
}

impl IntoArguments for String {
    fn call<'py>(self, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        class.call1((self,))
    }
}

impl IntoArguments for (String, Vec<Found>) {
    fn call<'py>(self, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        class.call1(self)
    }
}

/// A finding for Python.
pub(crate) fn found(finding: &Finding) -> Found {
    let severity = if finding.is_mistake() { "error" } else { "warning" };
    (severity, finding.message.clone(), finding.position(), finding.help.clone(), finding.to_string())
}

/// An error of a model; its text is what the command says.
pub(crate) fn of_model(py: Python<'_>, error: &ModelError) -> PyErr {
    let text = format!("{error:?}");
    match error {
        ModelError::Mistakes { diagnostics } => {
            let findings: Vec<Found> = diagnostics.iter().map(|own| found(&Finding::from(own))).collect();
            exception(py, "ModelError", (text, findings))
        }
        ModelError::Run { .. } | ModelError::Step(_) => exception(py, "RunError", text),
        ModelError::Quantity(error) => of_trajectory(py, error),
        _ => exception(py, "ModelError", (text, Vec::new())),
    }
}

/// No such quantity.
pub(crate) fn of_trajectory(py: Python<'_>, error: &TrajectoryError) -> PyErr {
    exception(py, "UnknownQuantity", error.to_string())
}

/// Whatever else goes wrong.
pub(crate) fn other(py: Python<'_>, error: impl ToString) -> PyErr {
    exception(py, "CosimoError", error.to_string())
}
