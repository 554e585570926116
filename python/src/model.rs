//! Models.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use cosimo::master::{Interface, InterfaceLaw};
use cosimo::model::SubsystemKind;
use cosimo::{ModelError, Part as Handle};
use pyo3::prelude::*;

use crate::errors::{self, Found};
use crate::parts::{Part, Stash, wind_of};
use crate::run::Run;
use crate::sweep::{Asked, ColumnRow, sweep};
use crate::trajectory::Trajectory;
use crate::value::to_toml;
use crate::watch::Watch;

/// A run's trajectory, and what ended it.
type Ended<'py> = (Option<Bound<'py, Trajectory>>, Option<Bound<'py, PyAny>>);

/// A model, from a file or from parts.
#[pyclass(frozen, module = "cosimo._cosimo")]
pub(crate) struct Model {
    inner: Mutex<Inner>,
}

struct Inner {
    model: cosimo::Model,
    /// Where callbacks of the parts leave their exceptions.
    stashes: Vec<Arc<Stash>>,
}

impl Model {
    fn of(model: cosimo::Model) -> Self {
        Self { inner: Mutex::new(Inner { model, stashes: Vec::new() }) }
    }

    /// The model, unless it is in use: waiting for it could be for ever, where a callback of its own run asks.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let text = "the model is in a run, in another thread or of a callback; take a `copy()` of it";
        self.inner.try_lock().map_err(|_| errors::other(py, text))
    }

    fn change<T>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut cosimo::Model) -> Result<T, ModelError>,
    ) -> PyResult<T> {
        action(&mut self.lock(py)?.model).map_err(|error| errors::of_model(py, &error))
    }
}

#[pymethods]
impl Model {
    /// A model without parts.
    #[new]
    fn new() -> Self {
        Self::of(cosimo::Model::new())
    }

    /// The model of a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        cosimo::Model::open(path).map(Self::of).map_err(|error| errors::of_model(py, &error))
    }

    /// The model of a text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: String) -> PyResult<Self> {
        cosimo::Model::parse(text).map(Self::of).map_err(|error| errors::of_model(py, &error))
    }

    /// The model of a dictionary.
    #[staticmethod]
    fn from_value(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let value = to_toml(value, "")?;
        cosimo::Model::from_value(&value).map(Self::of).map_err(|error| errors::of_model(py, &error))
    }

    /// Sets an entry.
    fn set(&self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = to_toml(value, path)?;
        self.change(py, |model| model.set(path, value).map(|_| ()))
    }

    /// Removes an entry.
    fn unset(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        self.change(py, |model| model.unset(path).map(|_| ()))
    }

    /// What is wrong or odd.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Found>> {
        let mut guard = self.lock(py)?;
        let inner = &mut *guard;
        let findings = py.detach(|| inner.model.check());
        Ok(findings.iter().map(errors::found).collect())
    }

    /// The complete model as a text; none of a model of parts.
    fn to_toml(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.change(py, |model| Ok(model.spec()?.map(|spec| spec.to_toml())))
    }

    /// End and step (s) that the file gives.
    fn times(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        self.change(py, |model| Ok(model.spec()?.map(|spec| (spec.time.end, spec.time.step))))
    }

    /// Adds a part.
    fn add(&self, py: Python<'_>, part: &Part) -> PyResult<String> {
        self.take(py, part, |model, subsystem| model.add(subsystem))
    }

    /// Puts a part in the place of one of the same name.
    fn replace(&self, py: Python<'_>, part: &Part) -> PyResult<String> {
        self.take(py, part, |model, subsystem| model.replace(subsystem))
    }

    /// Lets a rotor of the file turn in a wind of Python.
    fn wind(&self, py: Python<'_>, name: &str, wind: Py<PyAny>) -> PyResult<()> {
        let spec = self.change(py, |model| model.spec())?;
        let subsystems = spec.map(|spec| spec.subsystems).unwrap_or_default();
        let kind = subsystems.into_iter().find(|own| own.name == name).map(|own| own.kind);
        let Some(SubsystemKind::RotorAerodynamics(rotor)) = kind else {
            let text =
                format!("no subsystem `{name}` of kind `rotor-aerodynamics`: a wind is that of a rotor");
            return Err(errors::exception(py, "ModelError", (text, Vec::new())));
        };
        self.replace(py, &wind_of(py, name, rotor.rotor(), wind)?).map(|_| ())
    }

    /// Joins two ports.
    #[pyo3(signature = (name, a, b, law, stiffness, damping, offset))]
    #[expect(clippy::too_many_arguments, reason = "private to the package, which has names for them")]
    fn join(
        &self,
        py: Python<'_>,
        name: &str,
        a: &str,
        b: &str,
        law: &str,
        stiffness: f64,
        damping: f64,
        offset: Vec<f64>,
    ) -> PyResult<String> {
        let size = self.lock(py)?.model.port_size(a).map_err(|error| errors::of_model(py, &error))?;
        let law = match law {
            "rigid" => InterfaceLaw::Rigid,
            "load" => InterfaceLaw::Load,
            _ => InterfaceLaw::spring(stiffness, damping, size),
        };
        let interface = Interface::new(name, a, b, law).with_offset(offset);
        self.change(py, |model| model.join(interface)).map(|part| part.name().to_owned())
    }

    /// Feeds an output to an input.
    fn connect(&self, py: Python<'_>, output: &str, input: &str) -> PyResult<()> {
        self.change(py, |model| model.connect(output, input).map(|_| ()))
    }

    /// Chooses what is recorded.
    fn record(&self, py: Python<'_>, quantities: Vec<String>) -> PyResult<()> {
        self.lock(py)?.model.record(quantities);
        Ok(())
    }

    /// Records every n-th step.
    fn record_every(&self, py: Python<'_>, steps: NonZeroU64) -> PyResult<()> {
        self.lock(py)?.model.record_every(steps);
        Ok(())
    }

    /// Runs: the trajectory, as far as there is one, and the exception that ended the run.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        times: Option<(f64, f64)>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ended<'py>> {
        let mut guard = self.lock(py)?;
        let inner = &mut *guard;
        inner.stashes.iter().for_each(|stash| stash.clear());
        let mut watch = Watch::new(progress);
        let ran = py.detach(|| match times {
            Some((end, step)) => inner.model.simulate_with(end, step, &mut watch),
            None => inner.model.run_with(&mut watch),
        });
        let raised = inner.stashes.iter().find_map(|stash| stash.take(py));
        drop(guard);
        let told = watch.stopped_by.take().or(raised);
        let (trajectory, error) = match ran {
            Ok(trajectory) => (Some(trajectory), told),
            Err(error) => {
                let text = told.unwrap_or_else(|| errors::of_model(py, &error));
                let trajectory = match error {
                    ModelError::Run { trajectory, .. } => Some(*trajectory),
                    _ => None,
                };
                (trajectory, Some(text))
            }
        };
        let trajectory = trajectory.map(|own| Bound::new(py, Trajectory::of_run(py, own)?)).transpose()?;
        Ok((trajectory, error.map(|error| error.into_value(py).into_bound(py).into_any())))
    }

    /// Runs with many values of entries: the columns of one table.
    #[pyo3(signature = (values, cases, outputs, random, seed, threads))]
    #[expect(clippy::too_many_arguments, reason = "private to the package, which has names for them")]
    fn sweep(
        &self,
        py: Python<'_>,
        values: Vec<(String, Bound<'_, PyAny>)>,
        cases: Vec<(String, Vec<Bound<'_, PyAny>>)>,
        outputs: Vec<String>,
        random: usize,
        seed: u64,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<Vec<ColumnRow>> {
        let inner = self.lock(py)?;
        let asked = Asked { values, cases, outputs: &outputs, random: (random, seed), threads };
        sweep(py, &inner.model, asked)
    }

    /// Begins a run step by step.
    fn start(&self, py: Python<'_>) -> PyResult<Run> {
        let mut guard = self.lock(py)?;
        let inner = &mut *guard;
        inner.stashes.iter().for_each(|stash| stash.clear());
        let begun = py.detach(|| inner.model.start());
        let raised = inner.stashes.iter().find_map(|stash| stash.take(py));
        match begun {
            Ok(run) => Ok(Run::new(run, inner.stashes.clone())),
            Err(error) => Err(raised.unwrap_or_else(|| errors::of_model(py, &error))),
        }
    }
}

impl Model {
    fn take(
        &self,
        py: Python<'_>,
        part: &Part,
        action: impl FnOnce(
            &mut cosimo::Model,
            Box<dyn cosimo::subsystem::Subsystem>,
        ) -> Result<Handle, ModelError>,
    ) -> PyResult<String> {
        let subsystem = part.take(py)?;
        let mut inner = self.lock(py)?;
        let handle = action(&mut inner.model, subsystem).map_err(|error| errors::of_model(py, &error))?;
        inner.stashes.push(part.stash());
        Ok(handle.name().to_owned())
    }
}
