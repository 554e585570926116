//! A run, step by step.

use std::collections::BTreeMap;
use std::time::Instant;

use cosimo_master::{Master, Observer, Outcome, QuantityLabel, RunReport, StepError, StepRecord};
use cosimo_subsystem::SubsystemError;

use super::ModelError;
use crate::trajectory::{About, Recording, Trajectory, TrajectoryError};

/// A model in a run whose steps the program takes itself.
///
/// ```
/// # fn main() -> Result<(), cosimo::ModelError> {
/// # let text = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"stone\"\nkind = \"node\"\nmass = 2.0\ngravity = [0, 0, -10]\n";
/// # let mut model = cosimo::Model::parse(text)?;
/// let mut run = model.start()?;
/// while run.value("stone.z")? > -5.0 {
///     run.step(1e-2)?;
/// }
/// assert!((run.time() - 1.0).abs() < 0.011);
/// let trajectory = run.finish();
/// assert_eq!(trajectory.times().len(), 1 + trajectory.report().steps as usize);
/// # Ok(())
/// # }
/// ```
pub struct Run {
    master: Master,
    recording: Recording,
    about: About,
    /// Places of the quantities, by their names.
    places: BTreeMap<String, usize>,
    values: Vec<f64>,
    done: u64,
    started: Instant,
    failed: Option<String>,
}

impl Run {
    pub(super) fn new(
        master: Master,
        (labels, recording): (&[QuantityLabel], Recording),
        about: About,
    ) -> Self {
        let name = |label: &QuantityLabel| format!("{}.{}", label.owner, label.name);
        let places = labels.iter().enumerate().map(|(place, label)| (name(label), place)).collect();
        let values = vec![0.0; labels.len()];
        let mut run =
            Self { master, recording, about, places, values, done: 0, started: Instant::now(), failed: None };
        run.record(false);
        run
    }

    /// Takes a macro step of size `h` (s), as it is: no control changes it.
    ///
    /// # Errors
    /// [`ModelError::Step`]: the step failed; the model stands at the last communication point reached.
    pub fn step(&mut self, h: f64) -> Result<(), ModelError> {
        let taken = self.master.step(h);
        self.master.show_events(&mut self.recording);
        self.done += u64::from(taken.is_ok());
        self.record(false);
        taken.map(|_| ()).map_err(|error| self.fail(error))
    }

    /// Runs on to time `end` (s) with macro steps of size `step` (s), under the step control of the model.
    ///
    /// # Errors
    /// [`ModelError::Step`], as of [`Model::simulate`](crate::Model::simulate).
    pub fn advance(&mut self, end: f64, step: f64) -> Result<(), ModelError> {
        let ran = self.master.run(end, step, &mut self.recording);
        let report = ran.as_ref().map_or_else(|error| error.report.as_ref(), |report| report);
        self.done = report.steps;
        self.record(false);
        ran.map(|_| ()).map_err(|error| self.fail(*error.source))
    }

    /// Time of the present communication point (s).
    #[must_use]
    pub fn time(&self) -> f64 {
        self.master.time()
    }

    /// The present value of a quantity, recorded or not, in its unit.
    ///
    /// # Errors
    /// [`ModelError::Quantity`]: there is none of this name.
    pub fn value(&self, name: impl AsRef<str>) -> Result<f64, ModelError> {
        let name = name.as_ref();
        match self.places.get(name) {
            Some(&place) => Ok(self.values[place]),
            None => Err(TrajectoryError::unknown(name, self.names()).into()),
        }
    }

    /// Names of all quantities, in alphabetical order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The numbers of the run so far.
    #[must_use]
    pub fn report(&self) -> RunReport {
        let outcome = self.failed.clone().map_or(Outcome::Completed, Outcome::Failed);
        self.master.report(outcome, self.started.elapsed().as_secs_f64())
    }

    /// The master, for what it can tell besides.
    #[must_use]
    pub fn master(&self) -> &Master {
        &self.master
    }

    /// Ends the run; the present communication point is recorded in any case.
    #[must_use]
    pub fn finish(mut self) -> Trajectory {
        let report = self.report();
        self.record(true);
        Trajectory::new(self.recording.into_recorded(), report, self.about)
    }

    /// Records the present communication point, if it is wanted.
    fn record(&mut self, is_last: bool) {
        let observed = self.master.observe(&mut self.values);
        debug_assert!(observed.is_ok(), "there are as many values as labels");
        let record = StepRecord { step: self.done, time: self.master.time(), values: &self.values, is_last };
        // It never asks to stop.
        let _ = self.recording.step(&record);
    }

    fn fail(&mut self, error: StepError) -> ModelError {
        self.failed = Some(SubsystemError::chain(&error));
        error.into()
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("time", &self.time()).field("steps", &self.done).finish_non_exhaustive()
    }
}
