//! What a run leaves behind.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cosimo::results::{Overwrite, Results};
use pyo3::prelude::*;

use crate::errors;
use crate::samples::Samples;

/// Time, kind, contact, gap rates before and after, impulse, tangential impulses, friction, work.
type EventRow = (f64, &'static str, String, f64, f64, f64, [f64; 2], &'static str, f64);

/// A quantity over time.
struct Column {
    name: String,
    unit: String,
    values: cosimo::Samples,
}

/// What is recorded of a run: of one just done, or of a directory.
#[pyclass(frozen, module = "cosimo._cosimo")]
pub(crate) struct Trajectory {
    times: cosimo::Samples,
    columns: Vec<Column>,
    places: BTreeMap<String, usize>,
    events: Vec<EventRow>,
    report: String,
    /// The run itself, if it is not read back.
    run: Option<Box<cosimo::Trajectory>>,
}

macro_rules! event_row {
    ($event:expr) => {
        (
            $event.time,
            $event.kind.name(),
            $event.contact.clone(),
            $event.velocity_before,
            $event.velocity_after,
            $event.impulse,
            $event.tangential_impulse,
            $event.friction.name(),
            $event.work,
        )
    };
}

impl Trajectory {
    /// That of a run.
    pub(crate) fn of_run(py: Python<'_>, run: cosimo::Trajectory) -> PyResult<Self> {
        let column = |own: &cosimo::Series| Column {
            name: own.name().to_owned(),
            unit: own.unit().to_owned(),
            values: own.values().clone(),
        };
        let times = match run.all().first() {
            Some(series) => series.times().clone(),
            None => cosimo::Samples::from(run.times().to_vec()),
        };
        let report = serde_json::to_string(run.report()).map_err(|error| errors::other(py, error))?;
        let columns: Vec<Column> = run.all().iter().map(column).collect();
        let events = run.events().iter().map(|event| event_row!(event)).collect();
        Ok(Self::new((times, columns), events, report, Some(Box::new(run))))
    }

    fn new(
        (times, columns): (cosimo::Samples, Vec<Column>),
        events: Vec<EventRow>,
        report: String,
        run: Option<Box<cosimo::Trajectory>>,
    ) -> Self {
        let places = columns.iter().enumerate().map(|(place, own)| (own.name.clone(), place)).collect();
        Self { times, columns, places, events, report, run }
    }

    fn of_results(results: Results) -> Self {
        let mut columns = results.table.columns.into_iter();
        let times = columns.next().map(|time| time.values).unwrap_or_default();
        let column = |own: cosimo::results::Column| Column {
            name: own.name,
            unit: own.unit,
            values: cosimo::Samples::from(own.values),
        };
        let events = results.events.iter().map(|event| event_row!(event)).collect();
        let table = (cosimo::Samples::from(times), columns.map(column).collect());
        Self::new(table, events, results.summary.to_string(), None)
    }

    fn column(&self, py: Python<'_>, name: &str) -> PyResult<&Column> {
        if let Some(&place) = self.places.get(name) {
            return Ok(&self.columns[place]);
        }
        if let Some(error) = self.run.as_ref().and_then(|run| run.series(name).err()) {
            return Err(errors::of_trajectory(py, &error));
        }
        let help = cosimo::model::hint(name, self.places.keys().map(String::as_str));
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        Err(errors::exception(py, "UnknownQuantity", format!("no quantity `{name}`{help}")))
    }
}

#[pymethods]
impl Trajectory {
    /// Times (s).
    fn times(&self) -> Samples {
        Samples(self.times.clone())
    }

    /// Names of the quantities.
    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|own| own.name.as_str()).collect()
    }

    /// Whether there is a quantity of this name.
    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Values of a quantity.
    fn values(&self, py: Python<'_>, name: &str) -> PyResult<Samples> {
        self.column(py, name).map(|own| Samples(own.values.clone()))
    }

    /// Unit of a quantity.
    fn unit(&self, py: Python<'_>, name: &str) -> PyResult<&str> {
        self.column(py, name).map(|own| own.unit.as_str())
    }

    /// What happened at the contacts.
    fn events(&self) -> Vec<EventRow> {
        self.events.clone()
    }

    /// The numbers of the run as JSON.
    fn report(&self) -> &str {
        &self.report
    }

    /// Texts of the warnings; of a run that is read back they are in the report.
    fn warnings(&self) -> Option<Vec<String>> {
        let run = self.run.as_ref()?;
        Some(run.warnings().iter().map(ToString::to_string).collect())
    }

    /// Writes the files of the command; false where the run was read back from such files.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<bool> {
        let Some(run) = &self.run else { return Ok(false) };
        let overwrite = if overwrite { Overwrite::Force } else { Overwrite::Refuse };
        py.detach(|| run.write(path, overwrite)).map_err(|error| errors::other(py, error))?;
        Ok(true)
    }
}

/// Reads the directory of a run.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, path: PathBuf) -> PyResult<Trajectory> {
    let results = py.detach(|| Results::open(path)).map_err(|error| errors::other(py, error))?;
    Ok(Trajectory::of_results(results))
}
