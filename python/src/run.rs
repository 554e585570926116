//! Runs step by step.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;

use crate::errors;
use crate::parts::Stash;
use crate::trajectory::Trajectory;

/// A run whose steps the program takes itself.
#[pyclass(frozen, module = "cosimo._cosimo")]
pub(crate) struct Run {
    inner: Mutex<Option<cosimo::Run>>,
    stashes: Vec<Arc<Stash>>,
}

impl Run {
    pub(crate) fn new(run: cosimo::Run, stashes: Vec<Arc<Stash>>) -> Self {
        Self { inner: Mutex::new(Some(run)), stashes }
    }

    /// Does something with the run, without the lock of the interpreter.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut cosimo::Run) -> Result<T, cosimo::ModelError> + Send,
    ) -> PyResult<T> {
        let text = "the run is being stepped, in another thread or of a callback";
        let mut guard = self.inner.try_lock().map_err(|_| errors::other(py, text))?;
        let Some(run) = guard.as_mut() else { return Err(errors::other(py, "the run has been finished")) };
        py.check_signals()?;
        let done = py.detach(|| action(run));
        let raised = self.stashes.iter().find_map(|stash| stash.take(py));
        done.map_err(|error| raised.unwrap_or_else(|| errors::of_model(py, &error)))
    }
}

#[pymethods]
impl Run {
    /// Takes a step of this size (s).
    fn step(&self, py: Python<'_>, size: f64) -> PyResult<()> {
        self.with(py, |run| run.step(size))
    }

    /// Runs on to a time (s) with steps of this size (s).
    fn advance(&self, py: Python<'_>, end: f64, step: f64) -> PyResult<()> {
        self.with(py, |run| run.advance(end, step))
    }

    /// The present time (s).
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |run| Ok(run.time()))
    }

    /// The present value of a quantity.
    fn value(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        self.with(py, |run| run.value(name))
    }

    /// Names of the quantities.
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |run| Ok(run.names().map(str::to_owned).collect()))
    }

    /// Ends the run.
    fn finish(&self, py: Python<'_>) -> PyResult<Trajectory> {
        let text = "the run is being stepped, in another thread or of a callback";
        let run = self.inner.try_lock().map_err(|_| errors::other(py, text))?.take();
        let Some(run) = run else { return Err(errors::other(py, "the run has been finished")) };
        Trajectory::of_run(py, py.detach(|| run.finish()))
    }
}
