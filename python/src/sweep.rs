//! Many runs of a model.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use cosimo::ModelError;
use cosimo::sweep::{
    Axis, Cases, ColumnRole, ColumnValues, Runner, StudyError, SweepColumn, SweepTable, Values, Wanted,
};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors;
use crate::samples::Samples;
use crate::value::to_toml;

/// How often a sweep looks at Python: so long does Ctrl-C take.
const PERIOD: Duration = Duration::from_millis(20);

/// Name, unit, role and values of a column.
pub(crate) type ColumnRow = (String, String, &'static str, Py<PyAny>);

/// What a sweep is asked to do: entries with their values, entries that go together, outputs.
pub(crate) struct Asked<'a, 'py> {
    pub(crate) values: Vec<(String, Bound<'py, PyAny>)>,
    pub(crate) cases: Vec<(String, Vec<Bound<'py, PyAny>>)>,
    pub(crate) outputs: &'a [String],
    pub(crate) random: (usize, u64),
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Does all runs; Ctrl-C ends them.
pub(crate) fn sweep(py: Python<'_>, model: &cosimo::Model, asked: Asked<'_, '_>) -> PyResult<Vec<ColumnRow>> {
    let cases = cases(py, &asked)?;
    let wanted = asked.outputs.iter().map(|own| own.parse::<Wanted>()).collect::<Result<Vec<_>, _>>();
    let wanted = wanted.map_err(|error| errors::other(py, error))?;
    let threads = asked.threads.unwrap_or_else(Runner::all_threads);
    let (swept, stopped_by) = py.detach(|| watched(|stop| model.sweep(cases, &wanted, threads, stop)));
    if let Some(error) = stopped_by {
        return Err(error);
    }
    let table = swept.map_err(|error| match &error {
        ModelError::Study(study) if matches!(**study, StudyError::Output(_)) => {
            errors::exception(py, "UnknownQuantity", study.to_string())
        }
        _ => errors::of_model(py, &error),
    })?;
    columns(py, &table)
}

/// Works in a thread of its own, while this one looks at signals.
fn watched<T: Send>(work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send) -> (T, Option<PyErr>) {
    let is_stopped = AtomicBool::new(false);
    let stop = || is_stopped.load(Ordering::Relaxed);
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&stop));
        let mut stopped_by = None;
        while !worker.is_finished() {
            thread::sleep(PERIOD);
            if stopped_by.is_none() {
                stopped_by = Python::attach(|py| py.check_signals()).err();
                is_stopped.store(stopped_by.is_some(), Ordering::Relaxed);
            }
        }
        let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (done, stopped_by)
    })
}

fn cases(py: Python<'_>, asked: &Asked<'_, '_>) -> PyResult<Cases> {
    let (mut axes, mut drawn) = (Vec::new(), Vec::new());
    if !asked.cases.is_empty() {
        axes.push(table(py, &asked.cases)?);
    }
    for (key, values) in &asked.values {
        if let Ok(text) = values.cast::<PyString>() {
            let parsed = Values::parse(text.to_str()?);
            match parsed.map_err(|error| errors::other(py, format!("`{key}`: {error}")))? {
                Values::List(list) => axes.push(Axis::list(key, list)),
                Values::Random(distribution) => drawn.push((key.clone(), distribution)),
            }
        } else {
            let texts = values.try_iter()?.map(|value| text(&value?, key)).collect::<PyResult<_>>()?;
            axes.push(Axis::list(key, texts));
        }
    }
    let (count, seed) = asked.random;
    if count > 0 || !drawn.is_empty() {
        axes.push(Axis::random(seed, count, drawn).map_err(|error| errors::other(py, error))?);
    }
    Cases::new(axes).map_err(|error| errors::other(py, error))
}

/// Columns of equal length as rows.
fn table(py: Python<'_>, columns: &[(String, Vec<Bound<'_, PyAny>>)]) -> PyResult<Axis> {
    let length = columns.first().map_or(0, |(_, own)| own.len());
    if let Some((key, own)) = columns.iter().find(|(_, own)| own.len() != length) {
        let text =
            format!("`{key}` has {} values, `{}` has {length}: cases go together", own.len(), columns[0].0);
        return Err(errors::other(py, text));
    }
    let value = |row: usize, (key, own): &(String, Vec<Bound<'_, PyAny>>)| {
        if own[row].is_none() { Ok(None) } else { text(&own[row], key).map(Some) }
    };
    let rows = (0..length).map(|row| columns.iter().map(|own| value(row, own)).collect());
    let rows = rows.collect::<PyResult<Vec<Vec<Option<String>>>>>()?;
    Ok(Axis::Table { keys: columns.iter().map(|(key, _)| key.clone()).collect(), rows })
}

/// A value as a model file has it.
fn text(value: &Bound<'_, PyAny>, key: &str) -> PyResult<String> {
    to_toml(value, key).map(|value| value.to_string())
}

fn columns(py: Python<'_>, table: &SweepTable) -> PyResult<Vec<ColumnRow>> {
    let column = |own: &SweepColumn| {
        let role = match own.role {
            ColumnRole::Run => "run",
            ColumnRole::Input => "input",
            ColumnRole::Output => "output",
            ColumnRole::Outcome => "outcome",
            _ => "cost",
        };
        let values = match &own.values {
            ColumnValues::Numbers(numbers) => Py::new(py, Samples(numbers.clone().into()))?.into_any(),
            ColumnValues::Counts(counts) => counts.clone().into_pyobject(py)?.into_any().unbind(),
            ColumnValues::Texts(texts) => texts.clone().into_pyobject(py)?.into_any().unbind(),
        };
        Ok((own.name.clone(), own.unit.clone(), role, values))
    };
    table.columns().iter().map(column).collect()
}
